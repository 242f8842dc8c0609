"""networkx_backend.py -- NetworkX's own functions, computed by libmeshway (entry point networkx.backends).

Same types, same values, same exceptions at the same moment. Here are components and centrality, and what NetworkX
asks; trees and paths are in networkx_paths.py, what is left to NetworkX in networkx_rules.py, graphs in
networkx_graph.py. Each function can be called on a NetworkX graph without NetworkX's dispatch, which 2.8 lacks.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any, Hashable, Iterator, Mapping

import networkx as nx
import numpy as np

from . import centrality
from .algorithms import components, core_number as core_numbers, levels_of, pagerank_run, triangles as triangle_counts
from .networkx_graph import MeshwayGraph
from .networkx_info import FUNCTIONS
from .networkx_paths import *  # noqa: F403 -- its functions are called here, too
from .networkx_rules import answer, as_ours, refuse_left

# --- components ---------------------------------------------------------------------------------------


def _labels(G: Any) -> tuple[MeshwayGraph, np.ndarray]:
    if G.is_directed():
        raise nx.NetworkXNotImplemented("not implemented for directed type")
    g = as_ours(G)
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
    g = as_ours(G)
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
    refuse_left("core_number", G)
    g = as_ours(G)
    return dict(zip(g.nodes, core_numbers(g.graph()).tolist() if len(g) else ()))


# --- triangles ----------------------------------------------------------------------------------------


def _counted(G: Any) -> tuple[MeshwayGraph, np.ndarray, np.ndarray]:
    """Of each node the triangles, and the ordered pairs of neighbours."""
    g = as_ours(G)
    if not len(g):
        return g, np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    degrees = np.diff(g.rows(False)[0]).astype(np.int64)
    return g, triangle_counts(g.graph()), degrees * (degrees - 1)


def triangles(G: Any, nodes: None = None) -> dict[Hashable, int]:
    refuse_left("triangles", G, nodes)
    g, counts, _ = _counted(G)
    return dict(zip(g.nodes, counts.tolist()))


def clustering(G: Any, nodes: None = None, weight: None = None) -> dict[Hashable, float]:
    refuse_left("clustering", G, nodes, weight)
    g, counts, pairs = _counted(G)
    return {v: 2 * t / p if t else 0 for v, t, p in zip(g.nodes, counts.tolist(), pairs.tolist())}


def average_clustering(G: Any, nodes: None = None, weight: None = None, count_zeros: bool = True) -> float:
    refuse_left("average_clustering", G, nodes, weight)
    found = [c for c in clustering(G).values() if count_zeros or c > 0]
    return sum(found) / len(found)


def transitivity(G: Any) -> float:
    refuse_left("transitivity", G)
    _, counts, pairs = _counted(G)
    return 2 * int(counts.sum()) / int(pairs.sum()) if counts.any() else 0


# --- centrality ---------------------------------------------------------------------------------------


def betweenness_centrality(G: Any, k: int | None = None, normalized: bool = True, weight: None = None,
                           endpoints: bool = False, seed: Any = None) -> dict[Hashable, float]:
    refuse_left("betweenness_centrality", G, k, normalized, weight, endpoints)
    g = as_ours(G)
    if k is not None and k != len(g):
        drawn = nx.utils.create_py_random_state(seed).sample(range(len(g)), k)
    else:
        drawn = range(len(g))
    if not drawn:
        return {}
    scores = centrality.betweenness_centrality(g.graph(), normalized=normalized, sources=[g.nodes[v] for v in drawn])
    return dict(zip(g.nodes, scores.tolist()))


def closeness_centrality(G: Any, u: Hashable = None, distance: None = None, wf_improved: bool = True) -> Any:
    refuse_left("closeness_centrality", G, u, distance)
    g = as_ours(G)
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


def pagerank(G: Any, alpha: float = 0.85, personalization: None = None, max_iter: int = 100, tol: float = 1e-6,
             nstart: None = None, weight: str | None = "weight", dangling: None = None) -> dict[Hashable, float]:
    refuse_left("pagerank", G, alpha, personalization, max_iter, tol, nstart, weight, dangling)
    g = as_ours(G, weight)
    if not len(g):
        return {}
    if g is not G:
        refuse_left("pagerank", g, weight=weight)
    ranks, n = pagerank_run(g.graph(), alpha, max_iter + 1, tol)
    if n > max_iter:  # what NetworkX calls the end may have come before
        ranks, n = pagerank_run(g.graph(), alpha, max_iter + 1, tol * len(g) * alpha / max(1e-9, 1 - alpha))
    if n > max_iter:
        raise nx.PowerIterationFailedConvergence(max_iter)
    return dict(zip(g.nodes, ranks.tolist()))


# --- graphs of tables and matrices ----------------------------------------------------------------------


def from_pandas_edgelist(df: Any, source: Any = "source", target: Any = "target", edge_attr: Any = None,
                         create_using: Any = None, edge_key: Any = None) -> MeshwayGraph:
    import pandas

    directed = _directed_of(create_using)
    names = ([] if edge_attr is None else [c for c in df.columns if c not in (source, target)] if edge_attr is True else
             list(edge_attr) if isinstance(edge_attr, (list, tuple)) else [edge_attr])
    if any(name not in df.columns for name in names) or (edge_attr is not None and not names):
        raise nx.NetworkXError(f"Invalid edge_attr argument: {edge_attr}")
    ends = pandas.concat((df[source], df[target]), ignore_index=True).to_numpy()
    ends = ends.reshape(2, -1).T.ravel()  # in the order in which NetworkX meets them
    vertices, nodes = pandas.factorize(ends)
    if (vertices < 0).any():
        raise NotImplementedError("an end of an edge is missing: leave the backend out")
    return MeshwayGraph.of_edges(nodes.tolist(), vertices[::2], vertices[1::2], directed,
                                 {name: df[name].to_numpy() for name in names})


def from_scipy_sparse_array(A: Any, parallel_edges: bool = False, create_using: Any = None,
                            edge_attribute: str = "weight") -> MeshwayGraph:
    directed = _directed_of(create_using)
    n, m = A.shape
    if n != m:
        raise nx.NetworkXError(f"Adjacency matrix not square: nx,ny={A.shape}")
    entries = A.tocoo()
    return MeshwayGraph.of_edges(list(range(n)), entries.row.astype(np.int64), entries.col.astype(np.int64), directed,
                                 {edge_attribute: entries.data})


def _directed_of(create_using: Any) -> bool:
    if create_using not in (None, nx.Graph, nx.DiGraph):
        raise NotImplementedError("create_using: is neither nx.Graph nor nx.DiGraph: leave the backend out")
    return create_using is nx.DiGraph


# --- what NetworkX asks -------------------------------------------------------------------------------


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
        return answer(name, args, kwargs)

    @staticmethod
    def should_run(name: str, args: tuple, kwargs: dict) -> bool | str:
        return True


backend = Backend()
for _name in FUNCTIONS:
    setattr(backend, _name, globals()[_name])
