"""algorithms.py -- what is computed on graphs, as NumPy arrays.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any, Iterable, NamedTuple

import numpy as np

from .arrays import NO_LEVEL, NO_VERTEX, index_of
from .errors import RefusedError, UsageError
from .graph import Graph, vertex_of


class BFS(NamedTuple):
    """What bfs() returns; `parents, levels = bfs(...)` takes it apart. The arrays are the caller's own.
    Of bfs_many() they have a row for each root, [n_roots, n_vertices]."""

    parents: np.ndarray  # int64 [n_vertices]: of the root itself, -1 where it was not reached
    levels: np.ndarray  # int32 [n_vertices]: of the root 0, -1 where it was not reached


def bfs(graph: Graph, root: Any, *, max_depth: int | None = None, target: Any = None, validate: bool = False) -> BFS:
    """Breadth-first search from a root: a vertex, or a node of a graph that came with names.

    max_depth: the last level; vertices beyond it are not reached. target: a vertex or node; the search ends with
    the level that it is on, which is whole, and its level is -1 if no path leads there.
    Which of several possible parents a vertex gets is not said and may differ between calls. validate: checks
    the tree against the edges by the five rules of the Graph500 specification (InvalidError if it is wrong).
    Under mpiexec all ranks call it with the same root, and each gets the whole result.
    """
    parents, levels = bfs_many(graph, (root,), max_depth=max_depth, target=target, validate=validate)
    return BFS(parents[0], levels[0])


def bfs_many(graph: Graph, roots: Iterable[Any], *, max_depth: int | None = None, target: Any = None,
             validate: bool = False) -> BFS:
    """bfs() from each of several roots, one after the other: parents int64 and levels int32, both of shape
    [n_roots, n_vertices], in the order of the roots. The other arguments are those of bfs(). To visit many
    roots at once without their trees, see multi_source_bfs()."""
    keys = _keys_of(graph, roots)
    goal = _goal(graph, max_depth, target)
    parents, levels = _rows(keys, graph, np.int64), _rows(keys, graph, np.int32)

    def work() -> None:
        lib = graph._handles.world.lib
        for i, key in enumerate(keys):
            t = graph._run(b"bfs", key, validate, goal=goal)
            # "none" has all bits set: -1
            parents[i] = graph._filled(lib.meshway_traversal_numbers, t, np.uint64).view(np.int64)
            levels[i] = graph._filled(lib.meshway_traversal_levels, t, np.uint32).view(np.int32)

    graph._handles.world.call(work)
    return BFS(parents, levels)


def _keys_of(graph: Graph, roots: Iterable[Any]) -> list[int]:
    if isinstance(roots, (str, bytes)):
        raise UsageError(f"roots: {roots!r} is one text; expected several roots, as a list")
    return [vertex_of(graph, root) for root in roots]


def path_to(graph: Graph, parents: np.ndarray, target: Any) -> list[Any]:
    """The way from the root of a search to the target along its parents: vertices, or nodes where the graph has
    names; empty where the target was not reached. target: a vertex, or a node where the graph has names, which
    graph.nodes[i] is of vertex i. parents: of bfs() or shortest_paths(), int64 [n_vertices]."""
    v = vertex_of(graph, target, "target")
    if parents[v] < 0:
        return []
    way = [v]
    while parents[way[-1]] != way[-1]:
        way.append(int(parents[way[-1]]))
    return [v if graph.nodes is None else graph.nodes[v] for v in reversed(way)]


def _rows(keys: list[int], graph: Graph, dtype: Any) -> np.ndarray:
    return np.empty((len(keys), graph.n_vertices), dtype=dtype)


def _goal(graph: Graph, max_depth: int | None, target: Any) -> tuple[int, int]:
    depth = NO_LEVEL if max_depth is None else min(index_of(max_depth, "max_depth"), NO_LEVEL)
    return depth, NO_VERTEX if target is None else vertex_of(graph, target, "target")


def levels_of(graph: Graph, key: int, target: int | None = None) -> np.ndarray:
    """bfs().levels alone, of a vertex by its number."""
    lib = graph._handles.world.lib
    goal = NO_LEVEL, NO_VERTEX if target is None else target
    return graph._handles.world.call(
        lambda: graph._filled(lib.meshway_traversal_levels, graph._run(b"bfs", key, False, goal=goal),
                              np.uint32)).view(np.int32)


def components(graph: Graph, *, validate: bool = False) -> np.ndarray:
    """Connected components of an undirected graph: int64 [n_vertices], the smallest vertex in each one's own.

    So vertices are connected where the labels are equal, and there are (labels == arange(n_vertices)).sum()
    components. The array is the caller's own. Under mpiexec all ranks call it, and each gets the whole result.
    """
    _refuse_directions(graph, "components")
    lib = graph._handles.world.lib
    return graph._handles.world.call(
        lambda: graph._filled(lib.meshway_traversal_numbers, graph._run(b"cc", NO_VERTEX, validate),
                              np.uint64)).view(np.int64)


def pagerank(graph: Graph, alpha: float = 0.85, *, max_iter: int = 100, tol: float = 1e-6,
             validate: bool = False) -> np.ndarray:
    """PageRank with NetworkX's parameters: float64 [n_vertices], which sum to 1.

    The graph is simple: self-loops and repeated edges do not count, as NetworkX lets them. It ends when all ranks
    together are wrong by less than tol (but not below 1e-7: shares are floats), or after max_iter iterations; that
    is no error.
    Under mpiexec all ranks call it, and each gets the whole result.
    """
    return pagerank_run(graph, alpha, max_iter, tol, validate)[0]


def pagerank_run(graph: Graph, alpha: float, max_iter: int, tol: float, validate: bool = False) -> tuple[np.ndarray, int]:
    """The ranks, and after how many iterations it ended.

    From a change c of all ranks together they can be alpha / (1 - alpha) * c from the end, most of it in a small
    component: NetworkX' own bound, n_vertices * tol of change, fits its first guess only, where each component has
    the share that it ends with.
    """
    a = float(alpha)
    if not 0 <= a <= 1:
        raise UsageError(f"alpha: {alpha!r} is out of range 0..1")
    change = max(1e-7, float(tol) * (1 - a) / a) if 0 < a < 1 else graph.n_vertices * float(tol)
    keys = f"damping={a!r},tolerance={min(2.0, change)!r},iterations={_rounds(int(max_iter))}"
    ranks, w = _tuned(graph, b"pagerank", keys, validate)["rank"], graph._handles.world
    return ranks, w.call(lambda: w.lib.meshway_traversal_n_levels(graph._handles.traversals[b"pagerank"]))


def _rounds(max_iter: int) -> int:
    if index_of(max_iter, "max_iter") < 1:
        raise UsageError(f"max_iter: {max_iter} is less than 1")
    return index_of(max_iter, "max_iter")


def core_number(graph: Graph, *, validate: bool = False) -> np.ndarray:
    """Core numbers of an undirected graph, int64 [n_vertices]: the largest k for which a vertex is in a subgraph
    where everyone has k neighbours. Under mpiexec all ranks call it, and each gets the whole result.
    """
    _refuse_directions(graph, "core_number")
    return graph._handles.world.call(lambda: values_of(graph, b"core", NO_VERTEX, validate)["core"])


def triangles(graph: Graph, *, validate: bool = False) -> np.ndarray:
    """Triangles that each vertex of an undirected graph is in, int64 [n_vertices]. Their sum is three times the
    number of all. Under mpiexec all ranks call it, and each gets the whole result.
    """
    return _clustered(graph, "triangles", validate)["triangles"]


def clustering(graph: Graph, *, validate: bool = False) -> np.ndarray:
    """Local clustering coefficients of an undirected graph, float64 [n_vertices], of 32-bit floats: of the pairs of a
    vertex' neighbours the part that are neighbours; 0 where there is no pair. Under mpiexec all ranks call it, and
    each gets the whole result.
    """
    return _clustered(graph, "clustering", validate)["coefficient"]


def _clustered(graph: Graph, function: str, validate: bool) -> dict[str, np.ndarray]:
    _refuse_directions(graph, function)
    return graph._handles.world.call(lambda: values_of(graph, b"triangles", NO_VERTEX, validate))


def label_propagation(graph: Graph, max_iter: int = 10, *, validate: bool = False) -> np.ndarray:
    """Communities by label propagation, int64 [n_vertices]: equal labels are one community, and a label is a vertex.

    CDLP of LDBC Graphalytics. Each vertex begins with itself as its label; then max_iter times (or until nothing
    changes) all at once take the label that most neighbours have, of several the least. In a directed graph a
    neighbour both ways counts twice. So it is no kin of NetworkX' label_propagation_communities(), where vertices
    follow one another, but the same at each call. UsageError: max_iter is less than 1. Under mpiexec all ranks
    call it, and each gets the whole result.
    """
    return _tuned(graph, b"communities", f"iterations={_rounds(max_iter)}", validate)["community"]


class ShortestPaths(NamedTuple):
    """What shortest_paths() returns; `distances, parents = shortest_paths(...)` takes it apart. The arrays are the
    caller's own."""

    distances: np.ndarray  # float64 [n_vertices]: sums of 32-bit floats; of the root 0, inf where it was not reached
    parents: np.ndarray  # int64 [n_vertices]: of the root itself, -1 where it was not reached


def shortest_paths(graph: Graph, root: Any, *, validate: bool = False) -> ShortestPaths:
    """Shortest paths from a root, a vertex or a node of a graph that came with names, in a graph with weights.

    Which of several possible parents a vertex gets is not said and may differ between calls. validate: checks
    distances and parents against the edges by the rules of the Graph500 specification (InvalidError if they are
    wrong). Under mpiexec all ranks call it with the same root, and each gets the whole result.
    """
    distances, parents = shortest_paths_many(graph, (root,), validate=validate)
    return ShortestPaths(distances[0], parents[0])


def shortest_paths_many(graph: Graph, roots: Iterable[Any], *, validate: bool = False) -> ShortestPaths:
    """shortest_paths() from each of several roots: distances float64 and parents int64, both of shape
    [n_roots, n_vertices], in the order of the roots."""
    keys = _keys_of(graph, roots)
    if not graph.weighted:
        raise UsageError("shortest_paths() wants weights, and the graph has none: Graph.from_edges(u, v, weights=w), "
                         "from_scipy(m, weights=True), from_networkx(G, weight=\"weight\") and from_file(path, "
                         "weights=True) make one that has")
    distances, parents = _rows(keys, graph, np.float64), _rows(keys, graph, np.int64)

    def work() -> None:
        for i, key in enumerate(keys):
            found = values_of(graph, b"sssp", key, validate)
            distances[i], parents[i] = found["distance"], found["parent"]

    graph._handles.world.call(work)
    return ShortestPaths(distances, parents)


def run(graph: Graph, algorithm: str, root: Any = None, *, validate: bool = False) -> dict[str, np.ndarray]:
    """Any algorithm of the library by its name: what it says of each vertex, by the names of its values.

    Vertices and counts are int64 [n_vertices], -1 where there is none; reals float64, nan where there is none.
    root: of an algorithm that starts at a vertex. Under mpiexec all ranks call it, and each gets all.
    """
    key = NO_VERTEX if root is None else vertex_of(graph, root)
    return graph._handles.world.call(lambda: values_of(graph, algorithm.encode(), key, validate))


def _tuned(graph: Graph, algorithm: bytes, keys: str, validate: bool) -> dict[str, np.ndarray]:
    def work() -> dict[str, np.ndarray]:
        if graph._handles.graph:
            graph._handles.tune(algorithm, keys)
        return values_of(graph, algorithm, NO_VERTEX, validate)

    return graph._handles.world.call(work)


def values_of(graph: Graph, algorithm: bytes, key: int, validate: bool, sources: np.ndarray | None = None
            ) -> dict[str, np.ndarray]:
    lib = graph._handles.world.lib
    t = graph._run(algorithm, key, validate, sources)
    found: dict[str, np.ndarray] = {}
    while (name := lib.meshway_traversal_value_name(t, len(found))) is not None:
        which = len(found)
        if lib.meshway_traversal_value_is_real(t, which):
            found[name.decode()] = graph._filled(lambda *to: lib.meshway_traversal_reals(to[0], which, to[1]), t, np.float64)
        else:
            found[name.decode()] = graph._filled(lambda *to: lib.meshway_traversal_values(to[0], which, to[1]), t,
                                                 np.uint64).view(np.int64)
    return found


def _refuse_directions(graph: Graph, function: str) -> None:
    if graph.directed:
        raise RefusedError(f"{function}() is of graphs whose edges count both ways, and this one has directions: "
                           "make it without directed=True, or of G.to_undirected()")
