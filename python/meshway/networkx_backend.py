"""networkx_backend.py -- NetworkX's own functions, computed by libmeshway (entry point networkx.backends).

Same types, same values, same exceptions at the same moment. Trees are the very trees of NetworkX, in its
order: levels come from the library, and of the edges from a level to the next the first one to each vertex,
in the order of NetworkX's queue, is the tree's. So a tree takes, besides the search, one look at each edge
that leaves a reached vertex, by NumPy.

Lengths of weighted paths are sums of 32-bit floats: exact for whole numbers, and declined (NotImplementedError)
where whole numbers might not be.

Each function can be called on a NetworkX graph without NetworkX's dispatch, which 2.8 does not have.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import re
from typing import Any, Hashable, Iterator, Mapping, NamedTuple

import networkx as nx
import numpy as np

from . import centrality
from .graph import Graph, components, core_number as core_numbers, levels_of, shortest_paths
from .networkx_graph import adjacency_of, values_of
from .networkx_info import FUNCTIONS

Rows = tuple[np.ndarray, np.ndarray]  # indptr, indices: networkx_graph.adjacency_of()


class Weights(NamedTuple):
    """Of each neighbour, in the order of the rows."""

    values: np.ndarray  # float64
    whole: bool  # all are integers


_NETWORKX = tuple(map(int, re.findall(r"\d+", nx.__version__)[:2]))
_MOST_WHOLE = 2**24  # the least whole number that a 32-bit float may have for another one


def _weights_of(given: list[Any]) -> Weights:
    """NotImplementedError: the library cannot do with these what NetworkX does."""
    kinds = set(map(type, given))
    whole = all(issubclass(kind, (int, np.integer)) for kind in kinds)
    if not whole and not all(issubclass(kind, (int, float, np.integer, np.floating)) for kind in kinds):
        raise NotImplementedError("a weight is neither an integer nor a float: leave the backend out")
    try:
        values = np.array(given, dtype=np.float64)
    except OverflowError:  # an integer
        values = np.full(1, np.inf)
    least, most = (1, _MOST_WHOLE - 1) if whole else (np.finfo(np.float32).tiny, np.finfo(np.float32).max)
    for wrong, text in (((values < 0).any(), "a weight is negative"),
                        (np.isnan(values).any(), "a weight is no number"),
                        ((values > most).any(), f"a weight is greater than {most}, and the library has 32-bit floats"),
                        (((values > 0) & (values < least)).any(), "a weight is too small for a 32-bit float")):
        if wrong:
            raise NotImplementedError(f"{text}: leave the backend out")
    return Weights(values, whole)


class MeshwayGraph:
    """A NetworkX graph as this backend keeps it: its adjacency in NetworkX's order, those attributes of edges that
    are named, and the library's graphs, made when they are first needed. attributes: what edges without them have."""

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
        self._weights: dict[str, Weights] = {}
        self._graphs: dict[tuple[bool, str | None], Graph] = {}
        self._both_ways: Graph | None = None

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

    def weights(self, attribute: str) -> Weights:
        if attribute not in self._given:
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


def _as_ours(G: Any, attribute: str | None = None) -> MeshwayGraph:
    if isinstance(G, MeshwayGraph):
        return G
    if _has_own_neighbours(G):
        raise NotImplementedError(f"{_OWN_NEIGHBOURS}: leave the backend out")
    return MeshwayGraph(G, {} if attribute is None else {attribute: 1})


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


def single_source_shortest_path(G: Any, source: Hashable, cutoff: float | None = None
                                ) -> dict[Hashable, list[Hashable]]:
    g = _as_ours(G)
    if source not in g:
        raise nx.NodeNotFound(f"Source {source} not in G")
    paths = {source: [source]}
    for parents, children in _tree_pieces(g, source, False, cutoff):
        for u, v in zip(parents.tolist(), children.tolist()):
            paths[g.nodes[v]] = [*paths[g.nodes[u]], g.nodes[v]]
    return paths


def bfs_layers(G: Any, sources: Any) -> Iterator[list[Hashable]]:
    _refuse_left("bfs_layers", G, sources)
    g = _as_ours(G)
    source = sources if sources in g else next(iter(sources))
    if source not in g:
        raise nx.NetworkXError(f"The node {source} is not in the graph.")
    yield [source]
    for _, children in _tree_pieces(g, source, False, None):
        yield [g.nodes[v] for v in children.tolist()]


def descendants_at_distance(G: Any, source: Hashable, distance: int) -> set[Hashable]:
    g = _as_ours(G)
    if source not in g:
        raise nx.NetworkXError(f"The node {source} is not in the graph.")
    levels = levels_of(g.graph(), g.vertex_of[source])
    return {g.nodes[v] for v in np.flatnonzero((levels == distance) & (levels >= 0)).tolist()}


def _hops(G: Any, source: Hashable, target: Hashable) -> int:
    g = _as_ours(G)
    if _NETWORKX < (3, 0) and not (source in g and target in g):
        raise nx.NodeNotFound(f"Either source {source} or target {target} is not in G")
    for what, node in (("Source", source), ("Target", target)):
        if node not in g:
            raise nx.NodeNotFound(f"{what} {node} is not in G")
    level = int(levels_of(g.graph(), g.vertex_of[source])[g.vertex_of[target]])
    if level < 0:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return level


def has_path(G: Any, source: Hashable, target: Hashable) -> bool:
    _refuse_left("has_path", G, source, target)
    try:
        return _hops(G, source, target) >= 0
    except nx.NetworkXNoPath:
        return False


def shortest_path_length(G: Any, source: Hashable = None, target: Hashable = None, weight: Any = None,
                         method: str = "dijkstra") -> Any:
    _refuse_left("shortest_path_length", G, source, target, weight, method)
    if target is None:
        return single_source_shortest_path_length(G, source)
    return _hops(G, source, target)


# --- lengths of weighted paths ------------------------------------------------------------------------


def _lengths(g: MeshwayGraph, source: Hashable, attribute: str) -> np.ndarray:
    """By vertex; int64 where all weights are integers, and -1 there for those not reached, else float64 and inf."""
    whole = g.weights(attribute).whole
    lengths = shortest_paths(g.graph(attribute=attribute), source).distances
    if not whole:
        return lengths
    reached = np.isfinite(lengths)
    if lengths[reached].max() >= _MOST_WHOLE:
        raise NotImplementedError(f"a path is as long as {_MOST_WHOLE}, where 32-bit floats do not have all integers: "
                                  "leave the backend out")
    return np.where(reached, lengths, -1).astype(np.int64)


def _all_lengths(g: MeshwayGraph, source: Hashable, attribute: str, cutoff: float | None) -> dict[Hashable, Any]:
    lengths = _lengths(g, source, attribute)
    there = (lengths >= 0) & (lengths < np.inf)
    if cutoff is not None:
        there &= ~(lengths > cutoff)
        there[g.vertex_of[source]] = True
    reached = np.flatnonzero(there)
    reached = reached[np.argsort(lengths[reached], kind="stable")]
    found = {g.nodes[v]: length for v, length in zip(reached.tolist(), lengths[reached].tolist())}
    found[source] = 0  # an integer in any case
    return found


def _one_length(g: MeshwayGraph, source: Hashable, target: Hashable, attribute: str, absent: str) -> Any:
    length = _lengths(g, source, attribute)[g.vertex_of[target]].item() if target in g else -1
    if not 0 <= length < np.inf:
        raise nx.NetworkXNoPath(absent)
    return length


def single_source_dijkstra_path_length(G: Any, source: Hashable, cutoff: float | None = None,
                                       weight: str = "weight") -> dict[Hashable, Any]:
    _refuse_function(weight)
    hash(source)
    if source not in G:
        raise nx.NodeNotFound(f"Node {source} not found in graph")
    return _all_lengths(_as_ours(G, weight), source, weight, cutoff)


def single_source_bellman_ford_path_length(G: Any, source: Hashable, weight: str = "weight") -> dict[Hashable, Any]:
    _refuse_function(weight)
    hash(source)
    if source not in G:
        raise nx.NodeNotFound(f"Source {source} not in G")
    return _all_lengths(_as_ours(G, weight), source, weight, None)


def dijkstra_path_length(G: Any, source: Hashable, target: Hashable, weight: str = "weight") -> Any:
    _refuse_function(weight)
    if source not in G:
        raise nx.NodeNotFound(f"Node {source} not found in graph")
    if source == target:
        return 0
    return _one_length(_as_ours(G, weight), source, target, weight, f"Node {target} not reachable from {source}")


def bellman_ford_path_length(G: Any, source: Hashable, target: Hashable, weight: str = "weight") -> Any:
    _refuse_function(weight)
    if source == target:
        if source not in G:
            raise nx.NodeNotFound(f"Node {source} not found in graph")
        return 0
    if source not in G:
        raise nx.NodeNotFound(f"Source {source} not in G")
    return _one_length(_as_ours(G, weight), source, target, weight, f"node {target} not reachable from {source}")


# --- components ---------------------------------------------------------------------------------------


def _labels(G: Any) -> tuple[MeshwayGraph, np.ndarray]:
    if G.is_directed():
        raise nx.NetworkXNotImplemented("not implemented for directed type")
    g = _as_ours(G)
    return g, components(g.graph()) if len(g) else np.empty(0, dtype=np.int64)


def _members(g: MeshwayGraph, labels: np.ndarray) -> Iterator[set[Hashable]]:
    order = np.argsort(labels, kind="stable")  # a label is the component's first node
    ends = np.flatnonzero(np.diff(labels[order])) + 1
    for members in np.split(order, ends) if len(g) else ():
        yield {g.nodes[v] for v in members.tolist()}


def connected_components(G: Any) -> Iterator[set[Hashable]]:
    yield from _members(*_labels(G))


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


def _weak_labels(G: Any) -> tuple[MeshwayGraph, np.ndarray]:
    """As _labels(), along edges and against them."""
    if not G.is_directed():
        raise nx.NetworkXNotImplemented("not implemented for undirected type")
    g = _as_ours(G)
    return g, components(g.graph_both_ways()) if len(g) else np.empty(0, dtype=np.int64)


def weakly_connected_components(G: Any) -> Iterator[set[Hashable]]:
    yield from _members(*_weak_labels(G))


def number_weakly_connected_components(G: Any) -> int:
    _, labels = _weak_labels(G)
    return int(np.count_nonzero(labels == np.arange(labels.size)))


def is_weakly_connected(G: Any) -> bool:
    _, labels = _weak_labels(G)
    if labels.size == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return bool((labels == 0).all())


def core_number(G: Any) -> dict[Hashable, int]:
    _refuse_left("core_number", G)
    g = _as_ours(G)
    return dict(zip(g.nodes, core_numbers(g.graph()).tolist() if len(g) else ()))


# --- centrality ---------------------------------------------------------------------------------------


def betweenness_centrality(G: Any, k: int | None = None, normalized: bool = True, weight: None = None,
                           endpoints: bool = False, seed: Any = None) -> dict[Hashable, float]:
    _refuse_left("betweenness_centrality", G, k, normalized, weight, endpoints)
    g = _as_ours(G)
    if k is not None and k != len(g):
        drawn = nx.utils.create_py_random_state(seed).sample(range(len(g)), k)
    else:
        drawn = range(len(g))
    if not drawn:
        return {}
    scores = centrality.betweenness_centrality(g.graph(), normalized=normalized, sources=[g.nodes[v] for v in drawn])
    return dict(zip(g.nodes, scores.tolist()))


def closeness_centrality(G: Any, u: Hashable = None, distance: None = None, wf_improved: bool = True) -> Any:
    _refuse_left("closeness_centrality", G, u, distance)
    g = _as_ours(G)
    if u is None:
        found = centrality.closeness_centrality(g.graph(), wf_improved=wf_improved).tolist() if len(g) else ()
        return dict(zip(g.nodes, found))
    if u not in g:
        raise nx.NodeNotFound(f"Source {u} is not in G")
    levels = levels_of(g.graph(reverse=True), g.vertex_of[u])
    others, total = int(np.count_nonzero(levels > 0)), int(levels[levels > 0].sum(dtype=np.int64))
    if total == 0:
        return 0.0
    return others / total * (others / (len(g) - 1) if wf_improved else 1)


# --- what NetworkX asks -------------------------------------------------------------------------------


def _check_node(g: MeshwayGraph, source: Hashable) -> None:
    hash(source)  # TypeError, as NetworkX has it
    if source not in g:
        raise nx.NetworkXError(f"The node {source} is not in the {'di' * g.is_directed()}graph.")


def _refuse_order(sort_neighbors: Any) -> None:
    if sort_neighbors is not None:
        raise NotImplementedError("sort_neighbors: the order is asked of a Python function at each vertex, which "
                                  "is what NetworkX itself does: leave the backend out")


def _refuse_function(weight: Any) -> None:
    if not isinstance(weight, str):
        raise NotImplementedError("weight: is not the name of an attribute: leave the backend out")


def _refuse_left(name: str, *args: Any) -> None:
    if (why := _left(name, args, {})) is not None:
        raise NotImplementedError(f"{why}: leave the backend out")


def _left(name: str, args: tuple, kwargs: dict) -> str | None:
    """Why this call is left to NetworkX; None: it is not."""
    if _has_own_neighbours(_argument("G", 0, args, kwargs, None)):
        return _OWN_NEIGHBOURS
    if name == "bfs_layers" and not _is_one_source(*(_argument(word, place, args, kwargs, None)
                                                     for place, word in enumerate(("G", "sources")))):
        return "sources: a search has one here"
    for argument, place, default, taken, why in _LEFT.get(name, ()):
        if not taken(_argument(argument, place, args, kwargs, default)):
            return why
    return None


_OWN_NEIGHBOURS = "the graph's class says by itself who neighbours are"


def _has_own_neighbours(G: Any) -> bool:
    """As NetworkX's AntiGraph, the complement of what it stores: a conversion would take what is stored."""
    return isinstance(G, nx.Graph) and type(G).__getitem__ is not nx.Graph.__getitem__


def _argument(name: str, place: int, args: tuple, kwargs: dict, default: Any) -> Any:
    return kwargs.get(name, args[place] if len(args) > place else default)


def _is_none(value: Any) -> bool:
    return value is None


def _sample_is_ours(k: Any) -> bool:
    return k is None or (k >= 1 and _NETWORKX >= (3, 5))


def _is_simple(G: Any) -> bool:
    """No directions, no self-loops, and no edge twice."""
    if G.is_directed() or G.is_multigraph():
        return False
    if not isinstance(G, MeshwayGraph):
        return nx.number_of_selfloops(G) == 0
    indptr, indices = G.rows(False)
    return not (np.repeat(np.arange(len(G)), np.diff(indptr)) == indices).any()


def _is_one_source(G: Any, sources: Any) -> bool:
    """A node, or one in a list; or nothing of the kind, which is an error. A tuple or a text that is no node is
    several sources to NetworkX."""
    return sources in G or not hasattr(sources, "__iter__") or (isinstance(sources, list) and len(sources) == 1)


_ORDER = "sort_neighbors", None, _is_none, "sort_neighbors is a Python function that is called at each vertex"
_WEIGHT = "weight", "weight", lambda value: isinstance(value, str), "weight is not the name of an attribute"
# Of functions the arguments that may be left to NetworkX: name, place, default, whether a value is ours, why not.
_LEFT = {name: ((rule[0], place, *rule[1:]),) for name, place, rule in (
    ("bfs_edges", 4, _ORDER), ("bfs_tree", 4, _ORDER), ("bfs_predecessors", 3, _ORDER), ("bfs_successors", 3, _ORDER),
    ("single_source_dijkstra_path_length", 3, _WEIGHT), ("single_source_bellman_ford_path_length", 2, _WEIGHT),
    ("dijkstra_path_length", 3, _WEIGHT), ("bellman_ford_path_length", 3, _WEIGHT),
    ("closeness_centrality", 2, ("distance", None, _is_none, "distance: paths have no weights here")))}
_LEFT["betweenness_centrality"] = (
    ("weight", 3, None, _is_none, "weight: paths have no weights here"),
    ("endpoints", 4, False, lambda value: not value, "endpoints: ends of paths do not count here"),
    ("k", 1, None, _sample_is_ours, "k: samples are scaled as NetworkX 3.5 does it, and have a node at least"))

_LEFT["core_number"] = (("G", 0, None, _is_simple, "core_number: the graph has directions, loops or edges twice"),)
_LEFT["shortest_path_length"] = (
    ("source", 1, None, lambda value: value is not None, "source: a search has one here"),
    ("weight", 3, None, _is_none, "weight: name dijkstra_path_length, or its kin"),
    ("method", 4, "dijkstra", lambda value: value in ("dijkstra", "bellman-ford"), "method: unknown"))
_LEFT["has_path"] = tuple((name, place, None, lambda value: value is not None, "None stands for all nodes")
                          for name, place in (("source", 1), ("target", 2)))


class Backend:
    """Found by the entry point: the functions, and how graphs become ours."""

    @staticmethod
    def convert_from_nx(G: Any, edge_attrs: Mapping[str, Any] | None = None, preserve_edge_attrs: bool = False,
                        **_: Any) -> MeshwayGraph:
        if preserve_edge_attrs:
            raise NotImplementedError("attributes of edges are converted by their names")
        return G if isinstance(G, MeshwayGraph) else MeshwayGraph(G, edge_attrs or {})

    @staticmethod
    def convert_to_nx(result: Any, **_: Any) -> Any:
        return result.to_networkx() if isinstance(result, MeshwayGraph) else result

    @staticmethod
    def can_run(name: str, args: tuple, kwargs: dict) -> bool | str:
        return _left(name, args, kwargs) or True

    @staticmethod
    def should_run(name: str, args: tuple, kwargs: dict) -> bool | str:
        return True


backend = Backend()
for _name in FUNCTIONS:
    setattr(backend, _name, globals()[_name])
