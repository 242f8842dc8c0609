"""networkx_graph.py -- adjacency and weights of a NetworkX graph as arrays, in NetworkX's own order.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from itertools import chain
from typing import Any, Hashable, Mapping

import numpy as np

from .errors import DataError


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


def values_of(adj: Mapping[Hashable, Mapping[Hashable, Any]], attribute: str, default: Any, multigraph: bool
              ) -> list[Any]:
    """Of each neighbour in that order the edge's attribute: of parallel edges the least, as NetworkX's own
    algorithms have it."""
    data = chain.from_iterable(neighbours.values() for neighbours in adj.values())
    if multigraph:
        return [min(edge.get(attribute, default) for edge in edges.values()) for edges in data]
    return [edge.get(attribute, default) for edge in data]


def weights_of(adj: Mapping[Hashable, Mapping[Hashable, Any]], attribute: str, default: Any, multigraph: bool
               ) -> np.ndarray:
    """The same as an array of numbers."""
    values = values_of(adj, attribute, default, multigraph)
    weights = np.array(values) if values else np.empty(0)
    if weights.dtype.kind not in "iuf":
        wrong = next((x for x in values if not isinstance(x, (int, float, np.integer, np.floating))), values[0])
        raise DataError(f"an edge has {wrong!r} as its {attribute!r}; weights are numbers from 0 on")
    return weights
