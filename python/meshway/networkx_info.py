"""networkx_info.py -- what NetworkX is told about this backend when it is imported itself; so this imports
nothing.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any

_LENGTHS = ("weight is the name of an attribute. Integers are exact; floats have 32 bits. Negative weights, and integers "
            "that 32-bit floats do not have, are left to NetworkX.")

FUNCTIONS = {
    "bfs_edges": "Same edges in the same order as NetworkX; not with sort_neighbors.",
    "bfs_tree": "Same tree in the same order as NetworkX; not with sort_neighbors.",
    "bfs_predecessors": "Same pairs in the same order as NetworkX; not with sort_neighbors.",
    "bfs_successors": "Same pairs in the same order as NetworkX; not with sort_neighbors.",
    "single_source_shortest_path_length": "By level; within one the order is that of the graph's nodes.",
    "single_source_shortest_path": "Same paths in the same order as NetworkX.",
    "bfs_layers": "Same layers in the same order as NetworkX; from one source.",
    "descendants_at_distance": "",
    "has_path": "",
    "shortest_path": "From a source, or to a target; of several shortest paths with weights any.",
    "shortest_path_length": "From a source, or to a target.",
    **{name: _LENGTHS + " Of several shortest paths any." for name in (
        "single_source_dijkstra", "single_source_dijkstra_path", "dijkstra_path", "bidirectional_dijkstra",
        "single_source_bellman_ford", "single_source_bellman_ford_path", "bellman_ford_path")},
    "single_source_dijkstra_path_length": _LENGTHS + " By length; among equal ones in the order of the graph's nodes.",
    "single_source_bellman_ford_path_length": _LENGTHS + " In the order of the lengths.",
    "dijkstra_path_length": _LENGTHS,
    "bellman_ford_path_length": _LENGTHS,
    "connected_components": "In the order of their first nodes, as NetworkX.",
    "betweenness_centrality": "Without weight and endpoints; k with NetworkX 3.5 or later. About six digits agree.",
    "closeness_centrality": "Without distance.",
    "number_connected_components": "",
    "is_connected": "",
    "node_connected_component": "",
    "weakly_connected_components": "In the order of their first nodes, as NetworkX.",
    "number_weakly_connected_components": "",
    "is_weakly_connected": "",
    "pagerank": "Of graphs without loops, repeated edges and different weights; ranks are 32-bit floats.",
    "from_pandas_edgelist": "Nodes and edges in NetworkX's order, made without a Python graph; Graph and DiGraph.",
    "from_scipy_sparse_array": "The same.",
    "core_number": "Of graphs without directions, loops and repeated edges.",
    **{name: "Of graphs without directions, loops and repeated edges; of all nodes."
       for name in ("triangles", "clustering", "average_clustering", "transitivity")},
}


def info() -> dict[str, Any]:
    return {
        "backend_name": "meshway",
        "project": "meshway",
        "package": "meshway",
        "short_summary": "Breadth-first search, components, shortest paths and centrality by libmeshway.",
        "functions": {name: {"additional_docs": text} if text else {} for name, text in FUNCTIONS.items()},
    }
