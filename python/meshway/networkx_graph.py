"""networkx_graph.py -- adjacency and weights of a NetworkX graph as arrays, in NetworkX's own order.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from itertools import chain
from typing import Any, Hashable, Iterable, Mapping

import numpy as np

from .errors import DataError


def adjacency_of(adj: Mapping[Hashable, Mapping[Hashable, Any]]
                 ) -> tuple[list[Hashable], np.ndarray, np.ndarray]:
    """Nodes in their order, and of each one its neighbours in theirs: node i has indices[indptr[i]:indptr[i + 1]].
    Parallel edges are one neighbour, as they are one key."""
    nodes = list(adj)
    # Views of graphs count by iterating, so what they show is kept.
    rows = adj.values() if type(adj) is dict else [list(neighbours) for neighbours in adj.values()]
    indptr = np.zeros(len(nodes) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, rows), dtype=np.int64, count=len(nodes)), out=indptr[1:])
    n_entries = int(indptr[-1])
    indices = _of_integers(nodes, rows, n_entries)
    if indices is None:
        vertex_of = {node: i for i, node in enumerate(nodes)}
        indices = np.fromiter(map(vertex_of.__getitem__, chain.from_iterable(rows)), dtype=np.int64, count=n_entries)
    return nodes, indptr, indices


def _of_integers(nodes: list[Hashable], rows: Iterable[Iterable[Hashable]], n_entries: int) -> np.ndarray | None:
    """The numbers of the rows' entries, where all nodes are integers: NumPy finds them several times as fast as a
    dictionary. An entry may be of another type, for 1.0 and True are the node 1. None: nodes are something else."""
    if not all(type(node) is int for node in nodes):
        return None
    try:
        names = np.fromiter(nodes, dtype=np.int64, count=len(nodes))
        entries = np.fromiter(chain.from_iterable(rows), dtype=np.int64, count=n_entries)
    except (OverflowError, TypeError, ValueError):
        return None
    if names.size == 0 or (names == np.arange(names.size)).all():
        return entries
    order = np.argsort(names)
    return order[np.searchsorted(names[order], entries)]


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
