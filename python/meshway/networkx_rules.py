"""networkx_rules.py -- which calls are left to NetworkX, and why.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import re
from itertools import islice
from typing import Any

import networkx as nx
import numpy as np

from .networkx_graph import MeshwayGraph

NETWORKX = tuple(map(int, re.findall(r"\d+", nx.__version__)[:2]))


def as_ours(G: Any, attribute: str | None = None) -> MeshwayGraph:
    if isinstance(G, MeshwayGraph):
        return G
    if _has_own_neighbours(G):
        raise NotImplementedError(f"{_OWN_NEIGHBOURS}: leave the backend out")
    return MeshwayGraph(G, {} if attribute is None else {attribute: 1})


def refuse_order(sort_neighbors: Any) -> None:
    if sort_neighbors is not None:
        raise NotImplementedError("sort_neighbors: the order is asked of a Python function at each vertex, which "
                                  "is what NetworkX itself does: leave the backend out")


def refuse_function(weight: Any) -> None:
    if not isinstance(weight, str):
        raise NotImplementedError("weight: is not the name of an attribute: leave the backend out")


def refuse_left(name: str, *args: Any, **kwargs: Any) -> None:
    if (why := left(name, args, kwargs)) is not None:
        raise NotImplementedError(_with_remedy(why, _argument("G", 0, args, kwargs, None)))


def _with_remedy(why: str, G: Any) -> str:
    return f"{why}: " + ("NetworkX takes graph.to_networkx()" if _is_made_here(G) else "leave the backend out")


def _is_made_here(G: Any) -> bool:
    return isinstance(G, MeshwayGraph) and G.made_here


def answer(name: str, args: tuple, kwargs: dict) -> bool | str:
    """Of can_run(). NetworkX's exception drops a reason that is returned, so where nobody else can follow the reason
    is raised: where no backend has a priority, the call has named this one, or the graph is of this one. Of a graph
    made here NetworkX would drop a NotImplementedError as well."""
    why = left(name, args, kwargs)
    if why is None:
        return True
    if _somebody_follows():
        return why
    G = _argument("G", 0, args, kwargs, None)
    raise (nx.NetworkXNotImplemented if _is_made_here(G) else NotImplementedError)(_with_remedy(why, G))


def _somebody_follows() -> bool:
    config = getattr(nx, "config", None)
    priority = getattr(config, "backend_priority", True)  # before 3.3: not known
    lists = list(priority.values()) if hasattr(priority, "values") else [priority]
    return any(lists) or bool(getattr(config, "fallback_to_nx", False))


def left(name: str, args: tuple, kwargs: dict) -> str | None:
    """Why this call is left to NetworkX; None: it is not, but for weights of a graph of NetworkX's that only a
    conversion sees."""
    if _has_own_neighbours(_argument("G", 0, args, kwargs, None)):
        return _OWN_NEIGHBOURS
    if name == "bfs_layers" and not _is_one_source(*(_argument(word, place, args, kwargs, None)
                                                     for place, word in enumerate(("G", "sources")))):
        return "sources: a search has one here"
    if name in ("shortest_path", "shortest_path_length"):
        G, source, target, weight = (_argument(word, place, args, kwargs, None)
                                     for place, word in enumerate(("G", "source", "target", "weight")))
        if source is None and (target is None or (weight is not None and G.is_directed())):
            return "source: a search starts at one here, and goes against directions without weights only"
    for argument, place, default, taken, why in _LEFT.get(name, ()):
        if not taken(_argument(argument, place, args, kwargs, default)):
            return why
    return _weights_left(name, args, kwargs)


def _weights_left(name: str, args: tuple, kwargs: dict) -> str | None:
    place = 6 if name == "pagerank" else next((rule[1] for rule in _LEFT.get(name, ()) if rule[0] == "weight"), None)
    if place is None or name in ("betweenness_centrality", "clustering", "average_clustering"):
        return None
    default = None if name in ("shortest_path", "shortest_path_length") else "weight"
    G, weight = _argument("G", 0, args, kwargs, None), _argument("weight", place, args, kwargs, default)
    if weight is None:
        return None
    if not isinstance(G, MeshwayGraph):
        few = [x for *_, x in islice(G.edges(data=weight, default=1), _FEW)] if name == "pagerank" else []
        return _DIFFERENT if any(x != few[0] for x in few) else None
    try:
        values = G.weights(weight).values
    except NotImplementedError as why:
        return str(why)
    return _DIFFERENT if name == "pagerank" and values.size and (values[0] == 0 or (values != values[0]).any()) else None


_FEW = 1000  # edges that are looked at without a conversion: most graphs with weights show them there
_DIFFERENT = "pagerank: edges have different weights, or 0; weight=None ignores them"
_OWN_NEIGHBOURS = "the graph's class says by itself who neighbours are"


def _has_own_neighbours(G: Any) -> bool:
    """As NetworkX's AntiGraph, the complement of what it stores: a conversion would take what is stored."""
    return isinstance(G, nx.Graph) and type(G).__getitem__ is not nx.Graph.__getitem__


def _argument(name: str, place: int, args: tuple, kwargs: dict, default: Any) -> Any:
    return kwargs.get(name, args[place] if len(args) > place else default)


def _is_none(value: Any) -> bool:
    return value is None


def _sample_is_ours(k: Any) -> bool:
    return k is None or (k >= 1 and NETWORKX >= (3, 5))


def _is_simple(G: Any) -> bool:
    """No directions, no self-loops, and no edge twice."""
    return not G.is_directed() and not G.is_multigraph() and not _has_loops(G)


def _has_loops(G: Any) -> bool:
    if not isinstance(G, MeshwayGraph):
        return nx.number_of_selfloops(G) > 0
    indptr, indices = G.rows(False)
    return bool((np.repeat(np.arange(len(G)), np.diff(indptr)) == indices).any())


def _is_one_source(G: Any, sources: Any) -> bool:
    """A node, or one in a list; or nothing of the kind, which is an error. A tuple or a text that is no node is
    several sources to NetworkX."""
    return sources in G or not hasattr(sources, "__iter__") or (isinstance(sources, list) and len(sources) == 1)


_DROP = "remove nx.selfloop_edges(G), or rows with source == target"
_ORDER = "sort_neighbors", None, _is_none, "sort_neighbors is a Python function that is called at each vertex"
_WEIGHT = "weight", "weight", lambda value: isinstance(value, str), "weight is not the name of an attribute"
# Of functions the arguments that may be left to NetworkX: name, place, default, whether a value is ours, why not.
_LEFT: dict[str, tuple] = {name: ((rule[0], place, *rule[1:]),) for rule, places in (
    (_ORDER, {"bfs_edges": 4, "bfs_tree": 4, "bfs_predecessors": 3, "bfs_successors": 3}),
    (_WEIGHT, {"single_source_dijkstra_path_length": 3, "single_source_bellman_ford_path_length": 2,
               "dijkstra_path_length": 3, "bellman_ford_path_length": 3, "single_source_dijkstra": 4,
               "single_source_dijkstra_path": 3, "dijkstra_path": 3, "bidirectional_dijkstra": 3,
               "single_source_bellman_ford": 3, "single_source_bellman_ford_path": 2, "bellman_ford_path": 3}),
    (("distance", None, _is_none, "distance: paths have no weights here"), {"closeness_centrality": 2}))
    for name, place in places.items()}
_LEFT["pagerank"] = (
    ("G", 0, None, lambda G: not G.is_multigraph() and not _has_loops(G), f"pagerank: the graph has loops or edges twice; {_DROP}"),
    *((name, place, None, _is_none, f"{name}: all nodes are alike here")
      for name, place in (("personalization", 2), ("nstart", 5), ("dangling", 7))))
_LEFT["betweenness_centrality"] = (
    ("weight", 3, None, _is_none, "weight: paths have no weights here"),
    ("endpoints", 4, False, lambda value: not value, "endpoints: ends of paths do not count here"),
    ("k", 1, None, _sample_is_ours, "k: samples are scaled as NetworkX 3.5 does it, and have a node at least"))

for _name in ("core_number", "triangles", "clustering", "average_clustering", "transitivity"):
    _LEFT[_name] = (("G", 0, None, _is_simple, f"{_name}: the graph has directions, loops or edges twice; {_DROP}"),)
for _name in ("triangles", "clustering", "average_clustering"):
    _LEFT[_name] += (("nodes", 1, None, _is_none, "nodes: all are counted here"),)
for _name in ("clustering", "average_clustering"):
    _LEFT[_name] += (("weight", 2, None, _is_none, "weight: triangles have no weights here"),)
_LEFT["shortest_path_length"] = _LEFT["shortest_path"] = (
    ("weight", 3, None, lambda value: value is None or isinstance(value, str), _WEIGHT[3]),
    ("method", 4, "dijkstra", lambda value: value in ("dijkstra", "bellman-ford"), "method: unknown"))
_LEFT["has_path"] = tuple((name, place, None, lambda value: value is not None, "None stands for all nodes")
                          for name, place in (("source", 1), ("target", 2)))
