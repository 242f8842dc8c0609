"""networkx_graph.py -- a NetworkX graph as arrays, in NetworkX's own order: its adjacency and weights, and as the
backend keeps it (MeshwayGraph), converted from NetworkX or made of a table's or a matrix's edges.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from itertools import chain
from typing import Any, Hashable, Iterable, Iterator, Mapping, NamedTuple

import numpy as np

from .errors import DataError
from .graph import Graph

Rows = tuple[np.ndarray, np.ndarray]  # indptr, indices: adjacency_of()


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


def _rows_of(n: int, heads: np.ndarray, tails: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """indptr and indices of entries that come in this order, each once; and of each the last one equal to it."""
    order = np.argsort(heads, kind="stable")
    keys = heads[order] * n + tails[order]
    _, first = np.unique(keys, return_index=True)
    _, from_end = np.unique(keys[::-1], return_index=True)
    by_place = np.argsort(first)
    first, last = order[first[by_place]], order[keys.size - 1 - from_end[by_place]]
    indptr = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(np.bincount(heads[first], minlength=n), out=indptr[1:])
    return indptr, tails[first], last


class Weights(NamedTuple):
    """Of each neighbour, in the order of the rows."""

    values: np.ndarray  # float64
    whole: bool  # all are integers


MOST_WHOLE = 2**24  # the least whole number that a 32-bit float may have for another one


def _weights_of(given: list[Any]) -> Weights:
    """NotImplementedError: the library cannot do with these what NetworkX does."""
    kinds = set(map(type, given))
    whole = all(issubclass(kind, (int, np.integer)) for kind in kinds)
    if not whole and not all(issubclass(kind, (int, float, np.integer, np.floating)) for kind in kinds):
        raise NotImplementedError("a weight is neither an integer nor a float")
    try:
        values = np.array(given, dtype=np.float64)
    except OverflowError:  # an integer
        values = np.full(1, np.inf)
    least, most = (1, MOST_WHOLE - 1) if whole else (np.finfo(np.float32).tiny, np.finfo(np.float32).max)
    for wrong, text in (((values < 0).any(), "a weight is negative"),
                        (np.isnan(values).any(), "a weight is no number"),
                        ((values > most).any(), f"a weight is greater than {most}, and the library has 32-bit floats"),
                        (((values > 0) & (values < least)).any(), "a weight is too small for a 32-bit float")):
        if wrong:
            raise NotImplementedError(text)
    return Weights(values, whole)


class MeshwayGraph:
    """A NetworkX graph as this backend keeps it: its adjacency in NetworkX's order, those attributes of edges that
    are named, and the library's graphs, made when they are first needed. attributes: what edges without them have.
    made_here: of a table or a matrix, and there are no other attributes."""

    __networkx_backend__ = "meshway"

    def __init__(self, G: Any, attributes: Mapping[str, Any] = {}):
        self._directed, self._multigraph = G.is_directed(), G.is_multigraph()
        self.nodes, *rows = adjacency_of(G._adj)
        self.vertex_of = {node: i for i, node in enumerate(self.nodes)}
        self._rows: dict[bool, Rows] = {False: tuple(rows)}
        if self._directed:
            # The predecessors' own order, which the successors' does not tell. G.pred has the nodes in the same one.
            self._rows[True] = tuple(adjacency_of(G._pred)[1:])
        self._given = {name: values_of(G._adj, name, default, self._multigraph)
                       for name, default in attributes.items()}
        self.made_here = False
        self._made_nothing_yet()

    @classmethod
    def of_edges(cls, nodes: list[Hashable], u: np.ndarray, v: np.ndarray, directed: bool,
                 attributes: Mapping[str, np.ndarray]) -> "MeshwayGraph":
        """Edges u[i] -- v[i] of vertices, as if NetworkX had added them in this order: of equal ones the first gives
        the place, and the last the attributes. There are no other attributes."""
        g = object.__new__(cls)
        g._directed, g._multigraph, g.made_here = directed, False, True
        g.nodes, g.vertex_of = nodes, {node: i for i, node in enumerate(nodes)}
        both = (u, v) if directed else (np.stack((u, v), 1).ravel(), np.stack((v, u), 1).ravel())
        *rows, last = _rows_of(len(nodes), *both)
        g._rows = {False: tuple(rows)}
        if directed:
            g._rows[True] = _rows_of(len(nodes), v, u)[:2]
        edge = last if directed else last // 2
        g._given = {name: values[edge].tolist() for name, values in attributes.items()}
        g._made_nothing_yet()
        return g

    def _made_nothing_yet(self) -> None:
        self._weights: dict[str, Weights] = {}
        self._graphs: dict[tuple[bool, str | None], Graph] = {}
        self._both_ways: Graph | None = None

    def __repr__(self) -> str:
        kind = ("directed" if self._directed else "undirected") + (", multigraph" if self._multigraph else "")
        return f"<MeshwayGraph: {len(self)} nodes, {self.number_of_edges()} edges, {kind}>"

    def is_directed(self) -> bool:
        return self._directed

    def is_multigraph(self) -> bool:
        return self._multigraph

    def __len__(self) -> int:
        return len(self.nodes)

    number_of_nodes = order = __len__

    def number_of_edges(self) -> int:
        indptr, indices = self.rows(False)
        if self._directed:
            return len(indices)
        return int(np.count_nonzero(np.repeat(np.arange(len(self)), np.diff(indptr)) <= indices))

    size = number_of_edges

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.nodes)

    def __contains__(self, node: Any) -> bool:
        try:
            return node in self.vertex_of
        except TypeError:  # not hashable, as in nx.Graph
            return False

    def rows(self, reverse: bool) -> Rows:
        return self._rows[reverse and self._directed]

    def weights(self, attribute: str) -> Weights:
        if attribute not in self._given and self.made_here:
            self._given[attribute] = [1] * self.rows(False)[1].size
        if attribute not in self._given:
            import networkx as nx
            raise nx.NetworkXError(f"this graph was converted without the attribute {attribute!r} of its edges")
        if attribute not in self._weights:
            self._weights[attribute] = _weights_of(self._given[attribute])
        return self._weights[attribute]

    def graph(self, reverse: bool = False, attribute: str | None = None) -> Graph:
        """The library's, along the edges or against them; or along them with an attribute as their weights."""
        key = reverse and self._directed, attribute
        if key not in self._graphs:
            weights = None if attribute is None else self.weights(attribute).values
            self._graphs[key] = Graph._of_adjacency(self.nodes, *self.rows(reverse), self._directed, weights)
        return self._graphs[key]

    def graph_both_ways(self) -> Graph:
        """The library's, along the edges and against them."""
        if not self._directed:
            return self.graph()
        if self._both_ways is None:
            indptr, indices = self.rows(False)
            tails = np.repeat(np.arange(len(self.nodes), dtype=np.int64), np.diff(indptr))
            self._both_ways = Graph.from_edges(tails, indices, n_vertices=len(self.nodes))
        return self._both_ways

    def to_networkx(self) -> Any:
        """Nodes and edges, each edge once, and with those attributes that it was converted with."""
        import networkx as nx

        kinds = {(False, False): nx.Graph, (True, False): nx.DiGraph,
                 (False, True): nx.MultiGraph, (True, True): nx.MultiDiGraph}
        G = kinds[self._directed, self._multigraph]()
        G.add_nodes_from(self.nodes)
        indptr, indices = self.rows(False)
        heads = np.repeat(np.arange(len(self.nodes)), np.diff(indptr))
        keep = slice(None) if self._directed else heads <= indices
        G.add_edges_from((self.nodes[u], self.nodes[v], {name: given[i] for name, given in self._given.items()})
                         for u, v, i in zip(heads[keep].tolist(), indices[keep].tolist(),
                                            np.arange(heads.size)[keep].tolist()))
        return G
