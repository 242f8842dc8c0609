"""centrality.py -- what searches from many vertices say: distances, closeness, betweenness.

A run of the library has up to 64 sources. Those of all runs of a call are added up here.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import random
from typing import Any, Callable, NamedTuple

import numpy as np

from .algorithms import values_of
from .arrays import NO_VERTEX, index_of
from .errors import UsageError
from .graph import Graph, vertex_of

_AT_ONCE = 64  # MW_SOURCES_MAX


def _sources_of(graph: Graph, sources: Any, k: Any, seed: Any) -> np.ndarray:
    """Those given, or k drawn ones, or all vertices: uint64."""
    if sources is not None and k is not None:
        raise UsageError("sources are given, or k of them are drawn")
    if sources is None and k is None:
        return np.arange(graph.n_vertices, dtype=np.uint64)
    if sources is None and not 1 <= index_of(k, "k") <= graph.n_vertices:
        raise UsageError(f"k: {k} of {graph.n_vertices} vertices cannot be drawn")
    if sources is None:
        chosen = random.Random(seed).sample(range(graph.n_vertices), k)
    else:
        chosen = [vertex_of(graph, source, "source") for source in sources]
    if not chosen:
        raise UsageError("sources: there are none")
    if len(set(chosen)) < len(chosen):
        raise UsageError(f"sources: {max(chosen, key=chosen.count)} is there twice")
    return np.array(chosen, dtype=np.uint64)


def _run_from(graph: Graph, algorithm: bytes, keys: str, sources: np.ndarray, validate: bool,
              take: Callable[[slice, dict[str, np.ndarray]], None]) -> None:
    """Calls take() with what each run says, and which of the sources were its own."""
    handles = graph._handles

    def work() -> None:
        handles.forget(algorithm)
        if keys:
            handles.world.tune(keys)
        try:
            for i in range(0, sources.size, _AT_ONCE):
                piece = slice(i, i + _AT_ONCE)
                take(piece, values_of(graph, algorithm, NO_VERTEX, validate, sources[piece]))
        finally:
            handles.forget(algorithm)  # the next one draws its own

    handles.world.call(work)


class MultiSourceBFS(NamedTuple):
    """What multi_source_bfs() returns. The arrays are the caller's own."""

    sources: np.ndarray  # int64 [n_sources], as they were given or drawn
    eccentricities: np.ndarray  # int64 [n_sources]: its greatest distance to a vertex that it reaches
    distance_sums: np.ndarray  # int64 [n_vertices]: of the distances from the sources that reach a vertex
    n_reached_by: np.ndarray  # int64 [n_vertices]: how many sources reach it, itself included if it is one


def multi_source_bfs(graph: Graph, sources: Any = None, *, k: int | None = None, seed: Any = None,
                     validate: bool = False) -> MultiSourceBFS:
    """Breadth-first searches from many vertices, 64 at a time; in a directed graph along the edges.

    sources: different vertices, or nodes of a graph that came with names. Without them k vertices are drawn, by
    random.Random(seed); without k all are sources. distance_sums / n_reached_by estimates the mean distance to a
    vertex where sources are a sample, and is exact where all are. UsageError: a source that is no vertex or is
    there twice, none at all, or k beyond n_vertices. validate: repeats the searches on the host (InvalidError).
    Under mpiexec all ranks call it with the same sources or seed, and each gets all.
    """
    chosen = _sources_of(graph, sources, k, seed)
    sums, counts = np.zeros((2, graph.n_vertices), dtype=np.int64)
    farthest = np.empty(chosen.size, dtype=np.int64)

    def take(piece: slice, found: dict[str, np.ndarray]) -> None:
        sums[:] += found["distance_sum"]
        counts[:] += found["n_sources"]
        farthest[piece] = found["eccentricity"][chosen[piece]]

    _run_from(graph, b"multi_bfs", "", chosen, validate, take)
    return MultiSourceBFS(chosen.astype(np.int64), farthest, sums, counts)


def closeness_centrality(graph: Graph, *, wf_improved: bool = True, validate: bool = False) -> np.ndarray:
    """NetworkX's closeness_centrality() of all vertices: float64 [n_vertices], 0 where nobody reaches a vertex.

    Of the r vertices that reach it, itself not counted, r / (sum of their distances to it); with wf_improved times
    r / (n_vertices - 1). It searches from all vertices, 64 at a time. Under mpiexec all ranks call it, and each
    gets all.
    """
    found = multi_source_bfs(graph, validate=validate)
    others, sums = found.n_reached_by - 1.0, found.distance_sums
    closeness = np.divide(others, sums, out=np.zeros(sums.size), where=sums > 0)
    return closeness * (others / max(1, graph.n_vertices - 1)) if wf_improved else closeness


def betweenness_centrality(graph: Graph, k: int | None = None, *, normalized: bool = True, seed: Any = None,
                           sources: Any = None, validate: bool = False) -> np.ndarray:
    """NetworkX's betweenness_centrality() without weights and without endpoints: float64 [n_vertices].

    The share of shortest paths from s to t that lead through a vertex, which is neither, summed over s and t.
    s is every vertex; or one of k, drawn as NetworkX draws them with an integer as seed; or one of `sources`,
    different vertices or nodes. normalized: divided by the number of pairs (s, t) that a vertex may lie between.
    Else it is scaled to all vertices as s, and an undirected pair counts once. A vertex that is a source has one
    source less for itself: with a single one it has nan. This is the rule of NetworkX 3.5 and later.

    Scores of 64 sources together are 32-bit floats, so about six digits agree with NetworkX'. UsageError: as of
    multi_source_bfs(). validate: repeats the sums on the host in doubles (InvalidError). Under mpiexec all ranks
    call it with the same seed or sources, and each gets all. The key score=brandes stays set (configure()).
    """
    n = graph.n_vertices
    chosen = _sources_of(graph, sources, k, seed)
    scores = np.zeros(n)

    def take(piece: slice, found: dict[str, np.ndarray]) -> None:
        scores[:] += found["betweenness"]

    _run_from(graph, b"betweenness", "score=brandes", chosen, validate, take)
    if n < 3:
        return scores  # all 0
    n_sources = np.full(n, float(chosen.size))
    n_sources[chosen] -= 1
    pairs = n_sources * (n - 2) if normalized else n_sources * (1 if graph.directed else 2) / (n - 1)
    return np.divide(scores, pairs, out=np.full(n, np.nan), where=pairs > 0)
