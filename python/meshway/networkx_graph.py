"""networkx_graph.py -- the adjacency of a NetworkX graph as arrays, in NetworkX's own order.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from itertools import chain
from typing import Any, Hashable, Mapping

import numpy as np


def adjacency_of(adj: Mapping[Hashable, Mapping[Hashable, Any]]
                 ) -> tuple[list[Hashable], np.ndarray, np.ndarray]:
    """Nodes in their order, and of each one its neighbours in theirs: node i has indices[indptr[i]:indptr[i + 1]].
    Parallel edges are one neighbour, as they are one key."""
    nodes = list(adj)
    vertex_of = {node: i for i, node in enumerate(nodes)}
    rows = [list(neighbours) for neighbours in adj.values()]  # views of graphs count by iterating
    indptr = np.zeros(len(nodes) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, rows), dtype=np.int64, count=len(nodes)), out=indptr[1:])
    indices = np.fromiter(map(vertex_of.__getitem__, chain.from_iterable(rows)), dtype=np.int64,
                          count=int(indptr[-1]))
    return nodes, indptr, indices
