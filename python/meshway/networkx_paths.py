"""networkx_paths.py -- NetworkX's functions of trees, layers and paths.

Trees are the very trees of NetworkX, in its order: levels come from the library, and of the edges from a level
to the next the first one to each vertex, in the order of NetworkX's queue, is the tree's. So a tree takes,
besides the search, one look at each edge that leaves a reached vertex, by NumPy.

Lengths of weighted paths are sums of 32-bit floats: exact for whole numbers, and declined (NotImplementedError)
where whole numbers might not be. Of several shortest ones with weights any is the path.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any, Hashable, Iterator

import networkx as nx
import numpy as np

from .algorithms import levels_of, shortest_paths
from .networkx_graph import MOST_WHOLE, MeshwayGraph
from .networkx_rules import NETWORKX, as_ours, refuse_function, refuse_left, refuse_order


def _check_node(g: MeshwayGraph, source: Hashable) -> None:
    hash(source)  # TypeError, as NetworkX has it
    if source not in g:
        raise nx.NetworkXError(f"The node {source} is not in the {'di' * g.is_directed()}graph.")


# --- trees ------------------------------------------------------------------------------------------


def _levels_within(levels: np.ndarray, most: float | None) -> np.ndarray:
    """Which vertices NetworkX reaches with this depth_limit or cutoff: it goes on while the level it stands
    on is less."""
    return levels >= 0 if most is None else (levels == 0) | ((levels > 0) & (levels - 1 < most))


def _tree_pieces(g: MeshwayGraph, source: Hashable, reverse: bool, depth_limit: float | None, target: int | None = None
                 ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Level by level the parents and the children, in the order of NetworkX's queue."""
    indptr, indices = g.rows(reverse)
    levels = levels_of(g.graph(reverse), g.vertex_of[source], target=target)
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
    refuse_order(sort_neighbors)
    g = as_ours(G)
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
    return _levels_by_node(as_ours(G), source, False, cutoff)


def _levels_by_node(g: MeshwayGraph, source: Hashable, reverse: bool, cutoff: float | None) -> dict[Hashable, int]:
    if source not in g:
        raise nx.NodeNotFound(f"Source {source} is not in G")
    levels = levels_of(g.graph(reverse), g.vertex_of[source])
    reached = np.flatnonzero(_levels_within(levels, cutoff))
    reached = reached[np.argsort(levels[reached], kind="stable")]
    return {g.nodes[v]: level for v, level in zip(reached.tolist(), levels[reached].tolist())}


def single_source_shortest_path(G: Any, source: Hashable, cutoff: float | None = None
                                ) -> dict[Hashable, list[Hashable]]:
    return _tree_paths(as_ours(G), source, False, cutoff)


def _tree_paths(g: MeshwayGraph, source: Hashable, reverse: bool, cutoff: float | None
                ) -> dict[Hashable, list[Hashable]]:
    if source not in g:
        raise nx.NodeNotFound(f"Source {source} not in G")
    paths = {source: [source]}
    for parents, children in _tree_pieces(g, source, reverse, cutoff):
        for u, v in zip(parents.tolist(), children.tolist()):
            paths[g.nodes[v]] = [*paths[g.nodes[u]], g.nodes[v]]
    return paths


def bfs_layers(G: Any, sources: Any) -> Iterator[list[Hashable]]:
    refuse_left("bfs_layers", G, sources)
    g = as_ours(G)
    source = sources if sources in g else next(iter(sources))
    if source not in g:
        raise nx.NetworkXError(f"The node {source} is not in the graph.")
    yield [source]
    for _, children in _tree_pieces(g, source, False, None):
        yield [g.nodes[v] for v in children.tolist()]


def descendants_at_distance(G: Any, source: Hashable, distance: int) -> set[Hashable]:
    g = as_ours(G)
    if source not in g:
        raise nx.NetworkXError(f"The node {source} is not in the graph.")
    levels = levels_of(g.graph(), g.vertex_of[source])
    return {g.nodes[v] for v in np.flatnonzero((levels == distance) & (levels >= 0)).tolist()}


def _hops(G: Any, source: Hashable, target: Hashable) -> int:
    g = as_ours(G)
    if NETWORKX < (3, 0) and not (source in g and target in g):
        raise nx.NodeNotFound(f"Either source {source} or target {target} is not in G")
    for what, node in (("Source", source), ("Target", target)):
        if node not in g:
            raise nx.NodeNotFound(f"{what} {node} is not in G")
    level = int(levels_of(g.graph(), g.vertex_of[source], target=g.vertex_of[target])[g.vertex_of[target]])
    if level < 0:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return level


def has_path(G: Any, source: Hashable, target: Hashable) -> bool:
    refuse_left("has_path", G, source, target)
    try:
        return _hops(G, source, target) >= 0
    except nx.NetworkXNoPath:
        return False


def shortest_path_length(G: Any, source: Hashable = None, target: Hashable = None, weight: Any = None,
                         method: str = "dijkstra") -> Any:
    refuse_left("shortest_path_length", G, source, target, weight, method)
    if weight is not None:
        start, ends = (target, ()) if source is None else (source, () if target is None else (target,))
        kind = "dijkstra" if method == "dijkstra" else "bellman_ford"
        return globals()[f"{kind}_path_length" if ends else f"single_source_{kind}_path_length"](G, start, *ends, weight=weight)
    if source is None:
        return _levels_by_node(as_ours(G), target, True, None)
    return single_source_shortest_path_length(G, source) if target is None else _hops(G, source, target)


def shortest_path(G: Any, source: Hashable = None, target: Hashable = None, weight: Any = None,
                  method: str = "dijkstra") -> Any:
    refuse_left("shortest_path", G, source, target, weight, method)
    if source is None:
        g = as_ours(G, weight)
        paths = (_tree_paths(g, target, True, None) if weight is None else
                 shortest_path(g, target, weight=weight, method=method))
        return {node: path[::-1] for node, path in paths.items()}
    if weight is not None:
        if target is None:
            one = single_source_dijkstra_path if method == "dijkstra" else single_source_bellman_ford_path
            return one(G, source, weight=weight)
        if method == "dijkstra":
            return bidirectional_dijkstra(G, source, target, weight)[1]
        return bellman_ford_path(G, source, target, weight)
    if target is None:
        return single_source_shortest_path(G, source)
    g = as_ours(G)
    _hops(g, source, target)
    parents = np.full(len(g), g.vertex_of[source])
    for heads, tails in _tree_pieces(g, source, False, None, g.vertex_of[target]):
        parents[tails] = heads
    return _way(g, parents, target)


def _way(g: MeshwayGraph, parents: np.ndarray, target: Hashable) -> list[Hashable]:
    """From the vertex that is its own parent."""
    v = g.vertex_of[target]
    way = [v]
    while (parent := int(parents[v])) != v:
        v = parent
        way.append(v)
    return [g.nodes[x] for x in reversed(way)]


# --- weighted paths -------------------------------------------------------------------------------------


def _lengths(g: MeshwayGraph, source: Hashable, attribute: str) -> tuple[np.ndarray, np.ndarray]:
    """By vertex; int64 where all weights are integers, and -1 there for those not reached, else float64 and inf. And
    parents."""
    whole = g.weights(attribute).whole
    lengths, parents = shortest_paths(g.graph(attribute=attribute), source)
    if not whole:
        return lengths, parents
    reached = np.isfinite(lengths)
    if lengths[reached].max() >= MOST_WHOLE:
        raise NotImplementedError(f"a path is as long as {MOST_WHOLE}, where 32-bit floats do not have all integers: "
                                  "leave the backend out")
    return np.where(reached, lengths, -1).astype(np.int64), parents


def _all_lengths(g: MeshwayGraph, source: Hashable, lengths: np.ndarray, cutoff: float | None) -> dict[Hashable, Any]:
    there = (lengths >= 0) & (lengths < np.inf)
    if cutoff is not None:
        there &= ~(lengths > cutoff)
        there[g.vertex_of[source]] = True
    reached = np.flatnonzero(there)
    reached = reached[np.argsort(lengths[reached], kind="stable")]
    found = {g.nodes[v]: length for v, length in zip(reached.tolist(), lengths[reached].tolist())}
    found[source] = 0  # an integer in any case
    return found


def _search(G: Any, source: Hashable, target: Hashable, cutoff: float | None, weight: Any, no_node: str, no_path: str,
            paths: bool = True) -> tuple[Any, Any]:
    """The length and the path to a target, or those to all nodes; only lengths without paths."""
    refuse_function(weight)
    hash(source)
    if source not in G:
        raise nx.NodeNotFound(no_node)
    if source == target:
        return 0, [source]
    g = as_ours(G, weight)
    lengths, parents = _lengths(g, source, weight)
    found = _all_lengths(g, source, lengths, cutoff) if target is None or cutoff is not None else None
    if target is None:
        return found, {node: _way(g, parents, node) for node in found} if paths else None
    length = lengths[g.vertex_of[target]].item() if target in g else -1
    if not 0 <= length < np.inf or (found is not None and target not in found):
        raise nx.NetworkXNoPath(no_path)
    return length, _way(g, parents, target) if paths else None


def single_source_dijkstra(G: Any, source: Hashable, target: Hashable = None, cutoff: float | None = None,
                           weight: str = "weight") -> tuple[Any, Any]:
    return _search(G, source, target, cutoff, weight, f"Node {source} not found in graph", f"No path to {target}.")


def single_source_dijkstra_path(G: Any, source: Hashable, cutoff: float | None = None, weight: str = "weight"
                                ) -> dict[Hashable, list[Hashable]]:
    return single_source_dijkstra(G, source, None, cutoff, weight)[1]


def dijkstra_path(G: Any, source: Hashable, target: Hashable, weight: str = "weight") -> list[Hashable]:
    return single_source_dijkstra(G, source, target, None, weight)[1]


def bidirectional_dijkstra(G: Any, source: Hashable, target: Hashable, weight: str = "weight"
                           ) -> tuple[Any, list[Hashable]]:
    if source in G and target not in G:
        raise nx.NodeNotFound(f"Target {target} is not in G")
    return _search(G, source, target, None, weight, f"Source {source} is not in G",
                   f"No path between {source} and {target}.")


def single_source_bellman_ford(G: Any, source: Hashable, target: Hashable = None, weight: str = "weight"
                               ) -> tuple[Any, Any]:
    no_node = f"Node {source} is not found in the graph" if source == target else f"Source {source} not in G"
    return _search(G, source, target, None, weight, no_node, f"Target {target} cannot be reached from given sources")


def single_source_bellman_ford_path(G: Any, source: Hashable, weight: str = "weight") -> dict[Hashable, list[Hashable]]:
    return single_source_bellman_ford(G, source, None, weight)[1]


def bellman_ford_path(G: Any, source: Hashable, target: Hashable, weight: str = "weight") -> list[Hashable]:
    return single_source_bellman_ford(G, source, target, weight)[1]


def single_source_dijkstra_path_length(G: Any, source: Hashable, cutoff: float | None = None,
                                       weight: str = "weight") -> dict[Hashable, Any]:
    return _search(G, source, None, cutoff, weight, f"Node {source} not found in graph", "", False)[0]


def single_source_bellman_ford_path_length(G: Any, source: Hashable, weight: str = "weight") -> dict[Hashable, Any]:
    return _search(G, source, None, None, weight, f"Source {source} not in G", "", False)[0]


def dijkstra_path_length(G: Any, source: Hashable, target: Hashable, weight: str = "weight") -> Any:
    return _search(G, source, target, None, weight, f"Node {source} not found in graph",
                   f"Node {target} not reachable from {source}", False)[0]


def bellman_ford_path_length(G: Any, source: Hashable, target: Hashable, weight: str = "weight") -> Any:
    no_node = f"Node {source} not found in graph" if source == target else f"Source {source} not in G"
    return _search(G, source, target, None, weight, no_node, f"node {target} not reachable from {source}", False)[0]
