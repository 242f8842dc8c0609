#!/usr/bin/env python3
"""check_info.py MESHWAY DATA [LAUNCHER...] -- "meshway info GRAPH" against an oracle of sets and
queues, on random graphs, on shapes that are made to mislead it, and on tests/data; from one process
and, by LAUNCHER ("mpiexec"), from two and three. Standard library only.
"""

import collections
import json
import os
import random
import subprocess
import sys
import tempfile


def depths(neighbours, root):
    depth, queue = {root: 0}, collections.deque([root])
    while queue:
        v = queue.popleft()
        for u in neighbours[v]:
            if u not in depth:
                depth[u] = depth[v] + 1
                queue.append(u)
    return depth


def oracle(n, edges):
    neighbours = [set() for _ in range(n)]
    for u, v in edges:
        if u != v:
            neighbours[u].add(v)
            neighbours[v].add(u)
    sizes, seen, longest = [], set(), 0
    for v in range(n):
        depth = depths(neighbours, v)
        longest = max(longest, *depth.values())
        if v not in seen:
            sizes.append(len(depth))
            seen |= depth.keys()
    degrees = [len(s) for s in neighbours]
    loops = sum(u == v for u, v in edges)
    distinct = sum(degrees) // 2
    return {
        "n_vertices": n, "n_edges": len(edges), "n_distinct": distinct,
        "n_self_loops": loops, "n_duplicates": len(edges) - loops - distinct,
        "degree_most": max(degrees), "n_components": len(sizes),
        "n_largest_component": max(sizes), "n_isolated": sizes.count(1),
    }, neighbours, degrees, longest


def compare(graph, n, edges, base):
    expected, neighbours, degrees, longest = oracle(n, edges)
    for key, value in expected.items():
        assert graph[key] == value, f"{key}: {graph[key]}, not {value}"
    assert graph["base"] == base
    for row in graph["degrees"]:
        count = sum(row["least"] <= d <= row["most"] for d in degrees)
        assert row["n_vertices"] == count > 0, row
    assert sum(row["n_vertices"] for row in graph["degrees"]) == n
    bound = graph["diameter_at_least"]
    assert bound <= longest, f"{bound} is no lower bound of {longest}"
    assert graph["search_bytes"] > 0
    if expected["n_distinct"] == 0:
        assert bound == 0 and graph["diameter_from"] is None
        return
    assert degrees[graph["degree_most_at"] - base] == expected["degree_most"]
    there = depths(neighbours, graph["diameter_from"] - base)
    assert there[graph["diameter_to"] - base] == bound, "no such path"
    assert len(there) == expected["n_largest_component"], "another component was swept"
    if len(there) == n - expected["n_isolated"]:
        assert 2 * bound >= longest, f"{bound} of {longest}"


def random_graph(seed):
    dice = random.Random(seed)
    n = dice.randrange(2, 80)
    return n, [(dice.randrange(n), dice.randrange(n)) for _ in range(dice.randrange(1, 3 * n))]


def shapes():
    yield "path", 60, [(i, i + 1) for i in range(59)]
    mixed = random.Random(5).sample(range(60), 60)
    yield "mixed path", 60, list(zip(mixed, mixed[1:]))
    # The highest degree is not in the largest component.
    yield "star and path", 60, [(0, i) for i in range(1, 12)] + [(i, i + 1) for i in range(12, 59)]
    yield "pairs", 40, [(2 * i, 2 * i + 1) for i in range(20)]
    yield "loops", 4, [(0, 0), (3, 3), (3, 3)]


def info(command, words):
    done = subprocess.run([*command, "info", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command} {words}: {done.returncode}\n{done.stderr}"
    return done.stdout


def main():
    meshway, data, *launcher = sys.argv[1:]
    commands = [[meshway]]
    if launcher:
        commands += [[*launcher, "-n", str(n), meshway] for n in (2, 3)]
    graphs = [(f"random {seed}", *random_graph(seed)) for seed in range(9)]
    graphs += list(shapes())
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        for i, (name, n, edges) in enumerate(graphs):
            base = i // 3 % 2
            with open("graph", "w", encoding="utf-8") as file:
                if base == 1:
                    file.write("%%MatrixMarket matrix coordinate pattern general\n")
                    file.write(f"{n} {n} {len(edges)}\n")
                file.writelines(f"{u + base} {v + base}\n" for u, v in edges)
            words = ["graph", "--json"] + ([] if base else ["--vertices", str(n)])
            # A random graph by one of the ways to start, the shapes by all of them.
            for command in [commands[i % len(commands)]] if name[0] == "r" else commands:
                try:
                    compare(json.loads(info(command, words))["graph"], n, edges, base)
                except AssertionError as wrong:
                    raise AssertionError(f"{name}, {command}: {wrong}") from wrong
        text = info([meshway], [os.path.join(data, "small.mtx")])
        for line in ("vertices    6, called 1..6\n",
                     "edges       7: 5 distinct, 1 duplicate, 1 self-loop\n", "directed    yes",
                     "components  3; the largest has 4 vertices (66.67 %); 2 isolated\n",
                     "diameter    2 or more: from vertex 3 to 5", "memory ", " per host ("):
            assert line in text, text
        machine = json.loads(info(commands[-1], ["--json"]))
        assert machine["n_ranks"] == len(machine["provenance"]["ranks"]), machine
        # What cannot be searched is refused with the numbers, and nothing is told.
        with open("large", "w", encoding="utf-8") as file:
            file.write(f"%%MatrixMarket matrix coordinate pattern general\n{10**11} {10**11} 1\n1 2\n")
        done = subprocess.run([meshway, "info", "large"], capture_output=True, text=True, check=False)
        assert done.returncode == 78 and "are available" in done.stderr, done
        assert done.stdout == ""
    print(f"{len(graphs)} graphs are as they are")


main()
