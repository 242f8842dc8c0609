"""Breadth-first search, connected components, shortest paths and centrality with libmeshway, on NumPy arrays.

    graph = meshway.Graph.from_scipy(matrix)          # or from_edges, from_networkx, from_file
    parents, levels = meshway.bfs(graph, 0)
    labels = meshway.components(graph)
    ranks, cores = meshway.pagerank(graph), meshway.core_number(graph)
    counts, coefficients = meshway.triangles(graph), meshway.clustering(graph)
    scores = meshway.betweenness_centrality(graph, k=64, seed=1)
    distances, parents = meshway.shortest_paths(meshway.Graph.from_scipy(matrix, weights=True), 0)
    result = meshway.results.read("run.json")         # of `meshway run`; needs no library

The library is loaded with the first call that needs it. docs/python.md says the rest.

SPDX-License-Identifier: Apache-2.0
"""
from . import results
from .algorithms import (BFS, ShortestPaths, bfs, bfs_many, clustering, components, core_number, label_propagation, pagerank,
                         path_to, run, shortest_paths, shortest_paths_many, triangles)
from .centrality import MultiSourceBFS, betweenness_centrality, closeness_centrality, multi_source_bfs
from .errors import (DataError, InputError, InternalError, InvalidError, LibraryNotFound, MeshwayError, MeshwayWarning,
                     NoMemoryError, RefusedError, UnavailableError, UsageError)
from .graph import Graph
from .library import backends, configure, load, n_ranks, rank, version

__version__ = "0.2.0"

__all__ = ["BFS", "DataError", "Graph", "InputError", "InternalError", "InvalidError", "LibraryNotFound",
           "MeshwayError", "MeshwayWarning", "MultiSourceBFS", "NoMemoryError", "RefusedError", "ShortestPaths", "UnavailableError",
           "UsageError", "bfs", "bfs_many", "betweenness_centrality", "closeness_centrality", "clustering", "components", "backends",
           "configure", "core_number", "label_propagation", "load", "multi_source_bfs", "n_ranks", "pagerank", "path_to", "rank", "results", "run",
           "shortest_paths", "shortest_paths_many", "triangles", "version"]
