"""networkx_backend.py -- NetworkX's own functions, computed by libmeshway (entry point networkx.backends).

Same types, same values, same exceptions at the same moment. Trees are the very trees of NetworkX, in its
order: levels come from the library, and of the edges from a level to the next the first one to each vertex,
in the order of NetworkX's queue, is the tree's. So a tree takes, besides the search, one look at each edge
that leaves a reached vertex, by NumPy.

Each function can be called on a NetworkX graph without NetworkX's dispatch, which 2.8 does not have.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any, Hashable, Iterator

import networkx as nx
import numpy as np

from .graph import Graph, components, levels_of
from .networkx_graph import adjacency_of
from .networkx_info import FUNCTIONS

Rows = tuple[np.ndarray, np.ndarray]  # indptr, indices: networkx_graph.adjacency_of()


class MeshwayGraph:
    """A NetworkX graph as this backend keeps it, without attributes: its adjacency in NetworkX's order, and
    the library's graphs, made when they are first needed."""

    __networkx_backend__ = "meshway"

    def __init__(self, G: Any):
        self._directed, self._multigraph = G.is_directed(), G.is_multigraph()
        self.nodes, *rows = adjacency_of(G._adj)
        self.vertex_of = {node: i for i, node in enumerate(self.nodes)}
        self._rows: dict[bool, Rows] = {False: tuple(rows)}
        if self._directed:
            # The predecessors' own order, which the successors' does not tell. G.pred has the nodes in the same one.
            self._rows[True] = tuple(adjacency_of(G._pred)[1:])
        self._graphs: dict[bool, Graph] = {}

    def is_directed(self) -> bool:
        return self._directed

    def is_multigraph(self) -> bool:
        return self._multigraph

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.nodes)

    def __contains__(self, node: Any) -> bool:
        try:
            return node in self.vertex_of
        except TypeError:  # not hashable, as in nx.Graph
            return False

    def rows(self, reverse: bool) -> Rows:
        return self._rows[reverse and self._directed]

    def graph(self, reverse: bool = False) -> Graph:
        """The library's, along the edges or against them."""
        reverse = reverse and self._directed
        if reverse not in self._graphs:
            self._graphs[reverse] = Graph._of_adjacency(self.nodes, *self.rows(reverse), self._directed)
        return self._graphs[reverse]

    def to_networkx(self) -> Any:
        """Nodes and edges, each edge once and without attributes."""
        kinds = {(False, False): nx.Graph, (True, False): nx.DiGraph,
                 (False, True): nx.MultiGraph, (True, True): nx.MultiDiGraph}
        G = kinds[self._directed, self._multigraph]()
        G.add_nodes_from(self.nodes)
        indptr, indices = self.rows(False)
        heads = np.repeat(np.arange(len(self.nodes)), np.diff(indptr))
        keep = slice(None) if self._directed else heads <= indices
        G.add_edges_from((self.nodes[u], self.nodes[v])
                         for u, v in zip(heads[keep].tolist(), indices[keep].tolist()))
        return G


def _as_ours(G: Any) -> MeshwayGraph:
    return G if isinstance(G, MeshwayGraph) else MeshwayGraph(G)


# --- trees ------------------------------------------------------------------------------------------


def _levels_within(levels: np.ndarray, most: float | None) -> np.ndarray:
    """Which vertices NetworkX reaches with this depth_limit or cutoff: it goes on while the level it stands
    on is less."""
    return levels >= 0 if most is None else (levels == 0) | ((levels > 0) & (levels - 1 < most))


def _tree_pieces(g: MeshwayGraph, source: Hashable, reverse: bool, depth_limit: float | None
                 ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Level by level the parents and the children, in the order of NetworkX's queue."""
    indptr, indices = g.rows(reverse)
    levels = levels_of(g.graph(reverse), g.vertex_of[source])
    levels[~_levels_within(levels, depth_limit)] = -1
    active = np.array([g.vertex_of[source]])
    for level in range(1, int(levels.max()) + 1):
        degrees = indptr[active + 1] - indptr[active]
        first = np.cumsum(degrees) - degrees
        at = np.arange(degrees.sum()) + np.repeat(indptr[active] - first, degrees)
        children, parents = indices[at], np.repeat(active, degrees)
        lower = levels[children] == level
        children, parents = children[lower], parents[lower]
        _, chosen = np.unique(children, return_index=True)  # of equal ones the first
        chosen.sort()
        active = children[chosen]
        yield parents[chosen], active


def bfs_edges(G: Any, source: Hashable, reverse: bool = False, depth_limit: float | None = None,
              sort_neighbors: None = None) -> Iterator[tuple[Hashable, Hashable]]:
    _refuse_order(sort_neighbors)
    g = _as_ours(G)
    _check_node(g, source)
    nodes = g.nodes
    for parents, children in _tree_pieces(g, source, bool(reverse), depth_limit):
        for u, v in zip(parents.tolist(), children.tolist()):
            yield nodes[u], nodes[v]


def bfs_tree(G: Any, source: Hashable, reverse: bool = False, depth_limit: float | None = None,
             sort_neighbors: None = None) -> nx.DiGraph:
    tree = nx.DiGraph()
    tree.add_node(source)
    tree.add_edges_from(bfs_edges(G, source, reverse, depth_limit, sort_neighbors))
    return tree


def bfs_predecessors(G: Any, source: Hashable, depth_limit: float | None = None,
                     sort_neighbors: None = None) -> Iterator[tuple[Hashable, Hashable]]:
    for parent, child in bfs_edges(G, source, False, depth_limit, sort_neighbors):
        yield child, parent


def bfs_successors(G: Any, source: Hashable, depth_limit: float | None = None,
                   sort_neighbors: None = None) -> Iterator[tuple[Hashable, list[Hashable]]]:
    parent, children = source, []
    for p, child in bfs_edges(G, source, False, depth_limit, sort_neighbors):
        if p == parent:
            children.append(child)
            continue
        yield parent, children
        parent, children = p, [child]
    yield parent, children


def single_source_shortest_path_length(G: Any, source: Hashable, cutoff: float | None = None
                                       ) -> dict[Hashable, int]:
    g = _as_ours(G)
    if source not in g:
        raise nx.NodeNotFound(f"Source {source} is not in G")
    levels = levels_of(g.graph(), g.vertex_of[source])
    reached = np.flatnonzero(_levels_within(levels, cutoff))
    reached = reached[np.argsort(levels[reached], kind="stable")]
    return {g.nodes[v]: level for v, level in zip(reached.tolist(), levels[reached].tolist())}


# --- components ---------------------------------------------------------------------------------------


def _labels(G: Any) -> tuple[MeshwayGraph, np.ndarray]:
    if G.is_directed():
        raise nx.NetworkXNotImplemented("not implemented for directed type")
    g = _as_ours(G)
    return g, components(g.graph()) if len(g) else np.empty(0, dtype=np.int64)


def connected_components(G: Any) -> Iterator[set[Hashable]]:
    g, labels = _labels(G)
    order = np.argsort(labels, kind="stable")  # a label is the component's first node
    ends = np.flatnonzero(np.diff(labels[order])) + 1
    for members in np.split(order, ends) if len(g) else ():
        yield {g.nodes[v] for v in members.tolist()}


def number_connected_components(G: Any) -> int:
    _, labels = _labels(G)
    return int(np.count_nonzero(labels == np.arange(labels.size)))


def is_connected(G: Any) -> bool:
    _, labels = _labels(G)
    if labels.size == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return bool((labels == 0).all())


def node_connected_component(G: Any, n: Hashable) -> set[Hashable]:
    g, labels = _labels(G)
    members = np.flatnonzero(labels == labels[g.vertex_of[n]])
    return {g.nodes[v] for v in members.tolist()}


# --- what NetworkX asks -------------------------------------------------------------------------------


def _check_node(g: MeshwayGraph, source: Hashable) -> None:
    hash(source)  # TypeError, as NetworkX has it
    if source not in g:
        raise nx.NetworkXError(f"The node {source} is not in the {'di' * g.is_directed()}graph.")


def _refuse_order(sort_neighbors: Any) -> None:
    if sort_neighbors is not None:
        raise NotImplementedError("sort_neighbors: the order is asked of a Python function at each vertex, which "
                                  "is what NetworkX itself does: leave the backend out")


class Backend:
    """Found by the entry point: the functions, and how graphs become ours."""

    @staticmethod
    def convert_from_nx(G: Any, **_: Any) -> MeshwayGraph:
        return _as_ours(G)

    @staticmethod
    def convert_to_nx(result: Any, **_: Any) -> Any:
        return result.to_networkx() if isinstance(result, MeshwayGraph) else result

    @staticmethod
    def can_run(name: str, args: tuple, kwargs: dict) -> bool | str:
        place = {"bfs_edges": 4, "bfs_tree": 4, "bfs_predecessors": 3, "bfs_successors": 3}.get(name)
        order = kwargs.get("sort_neighbors")
        if place is not None and order is None and len(args) > place:
            order = args[place]
        return True if order is None else "sort_neighbors is a Python function that is called at each vertex"

    @staticmethod
    def should_run(name: str, args: tuple, kwargs: dict) -> bool | str:
        return True


backend = Backend()
for _name in FUNCTIONS:
    setattr(backend, _name, globals()[_name])
