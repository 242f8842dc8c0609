#!/usr/bin/env python3
"""test_graphalytics.py MESHWAY [MPIEXEC] -- LDBC Graphalytics' files: a graph by its properties, answers
in its form, and the three rules. The answers expected are found here, by other means."""

import heapq
import os
import random
import subprocess
import sys
import tempfile
import unittest

MESHWAY, MPIEXEC = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None
UNREACHED = 2**63 - 1
ALGORITHMS = {"BFS": "bfs", "SSSP": "sssp", "PR": "pagerank", "WCC": "cc", "CDLP": "communities",
              "LCC": "triangles"}
ITERATIONS, DAMPING = 4, 0.85


def run(*words, ranks=1):
    start = [] if ranks == 1 else [MPIEXEC, "-n", str(ranks)]
    return subprocess.run(start + [MESHWAY, *words], capture_output=True, text=True, check=False)


class Graph:
    """Vertices with numbers far apart, some without an edge; weights of an eighth, which floats have."""

    def __init__(self, name, directed, seed):
        rng = random.Random(seed)
        self.name, self.directed = name, directed
        self.vertex = rng.sample(range(1, 10**15), 40)
        pairs = {tuple(rng.sample(self.vertex[:30], 2)) for _ in range(60)}
        pairs = {p for p in pairs if directed or p[0] < p[1]}
        self.edge = [(u, v, rng.randrange(1, 80) / 8) for u, v in sorted(pairs)]
        self.source = self.edge[0][0]
        self.out = {v: [] for v in self.vertex}
        self.into = {v: [] for v in self.vertex}
        for u, v, w in self.edge:
            for a, b in ((u, v),) if directed else ((u, v), (v, u)):
                self.out[a].append((b, w))
                self.into[b].append((a, w))

    def write(self):
        key = f"graph.{self.name}."
        lines = {"vertex-file": f"{self.name}.v", "edge-file": f"{self.name}.e",
                 "directed": str(self.directed).lower(), "meta.vertices": len(self.vertex),
                 "bfs.source-vertex": self.source, "sssp.source-vertex": self.source,
                 "pr.damping-factor": DAMPING, "pr.num-iterations": ITERATIONS,
                 "cdlp.max-iterations": ITERATIONS}
        with open(self.name + ".properties", "w", encoding="ascii") as f:
            f.write("# as Graphalytics writes it\n\n")
            f.writelines(f"{key}{k} = {v}\n" for k, v in lines.items())
        with open(self.name + ".v", "w", encoding="ascii") as f:
            f.writelines(f"{v}\n" for v in self.vertex)
        with open(self.name + ".e", "w", encoding="ascii") as f:
            f.writelines(f"{u} {v} {w}\n" for u, v, w in self.edge)
        for answer in ALGORITHMS:
            with open(f"{self.name}-{answer}", "w", encoding="ascii") as f:
                f.writelines(f"{v} {x}\n" for v, x in self.expected(answer).items())

    def distances(self, weight):
        found, heap = {}, [(0, self.source)]
        while heap:
            d, v = heapq.heappop(heap)
            if v not in found:
                found[v] = d
                for u, w in self.out[v]:
                    heapq.heappush(heap, (d + weight(w), u))
        return found

    def ranks(self):
        n = len(self.vertex)
        rank = dict.fromkeys(self.vertex, 1 / n)
        for _ in range(ITERATIONS):
            loose = sum(rank[v] for v in self.vertex if not self.out[v])
            rank = {v: (1 - DAMPING) / n + DAMPING * (loose / n + sum(
                rank[u] / len(self.out[u]) for u, _ in self.into[v])) for v in self.vertex}
        return rank

    def components(self):
        label, changed = {v: v for v in self.vertex}, True
        while changed:
            changed = False
            for u, v, _ in self.edge:
                least = min(label[u], label[v])
                changed |= label[u] != label[v]
                label[u] = label[v] = least
        return label

    def communities(self):
        label = {v: v for v in self.vertex}
        for _ in range(ITERATIONS):
            told = {}
            for v in self.vertex:
                heard = [label[u] for u, _ in self.into[v]]
                heard += [label[u] for u, _ in self.out[v]] if self.directed else []
                told[v] = min(heard, key=lambda x: (-heard.count(x), x)) if heard else label[v]
            label = told
        return label

    def coefficients(self):
        edges = {(u, v) for u, v, _ in self.edge}
        edges |= set() if self.directed else {(v, u) for u, v in edges}
        near = {v: {u for u, _ in self.out[v]} | {u for u, _ in self.into[v]} for v in self.vertex}
        return {v: len([1 for a in ws for b in ws if (a, b) in edges]) / max(1, len(ws) * (len(ws) - 1))
                for v, ws in near.items()}

    def expected(self, answer):
        if answer == "BFS":
            found = self.distances(lambda _: 1)
            return {v: found.get(v, UNREACHED) for v in self.vertex}
        if answer == "SSSP":
            found = self.distances(lambda w: w)
            return {v: repr(float(found[v])) if v in found else "Infinity" for v in self.vertex}
        return {"PR": self.ranks, "WCC": self.components, "CDLP": self.communities,
                "LCC": self.coefficients}[answer]()


class Graphalytics(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        os.makedirs(os.path.join(self.folder.name, "graphs"))
        os.chdir(self.folder.name)
        os.environ["XDG_STATE_HOME"] = self.folder.name

    def tearDown(self):
        os.chdir("/")
        self.folder.cleanup()

    def says(self, code, text, *words, ranks=1):
        got = run(*words, ranks=ranks)
        self.assertEqual(got.returncode, code, f"{words}: {got.stdout}{got.stderr}")
        self.assertIn(text, got.stdout + got.stderr, words)
        return got

    def judge(self, code, text, reference, answer, rule=None):
        rule = ["--rule", rule] if rule else []
        self.says(code, text, "validate", "--graphalytics", reference, answer, *rule)

    def test_answers(self):
        for seed, directed in ((1, True), (2, False), (3, True)):
            os.chdir("graphs")
            g = Graph("near", directed, seed)
            g.write()
            os.chdir("..")
            for answer, algorithm in ALGORITHMS.items():
                for ranks in (1, 2, 3) if MPIEXEC else (1,):
                    with self.subTest(answer=answer, ranks=ranks, seed=seed):
                        self.says(0, "", "run", "graphs/near.properties", "--algorithm", algorithm,
                                  "--graphalytics", "out", "--json", "none", "-q", "-f", "-t", "1",
                                  ranks=ranks)
                        self.judge(0, "num_vertices:                   40", f"graphs/near-{answer}", "out")

    def test_form(self):
        g = Graph("g", True, 5)
        g.write()
        self.says(0, "", "run", "g.properties", "--graphalytics", "out", "--json", "none", "-q")
        with open("out", encoding="ascii") as f:
            found = dict(line.split() for line in f)
        self.assertEqual({str(v): str(x) for v, x in g.expected("BFS").items()}, found)
        self.assertIn(str(UNREACHED), found.values())
        got = self.says(0, "", "run", "g.properties", "--graphalytics", "-", "--algorithm", "sssp",
                        "--json", "none", "-q")
        found = dict(line.split() for line in got.stdout.splitlines())
        want = g.expected("SSSP")
        self.assertEqual({v for v, x in found.items() if x == "Infinity"},
                         {str(v) for v, x in want.items() if x == "Infinity"})

    def test_what_is_typed_wins(self):
        g = Graph("g", True, 5)
        g.write()
        other = g.edge[-1][0]
        self.assertNotEqual(other, g.source)
        self.says(0, f"from root {other} ", "run", "g.properties", "--root", str(other), "--json", "none")
        got = self.says(0, "", "run", "g.properties", "--undirected", "--levels", "-", "--json", "none")
        lines = [x for x in got.stdout.splitlines() if not x.startswith("#")]
        self.assertLess(sum(x.endswith(" -1") for x in lines),
                        sum(x == UNREACHED for x in g.expected("BFS").values()))
        got = self.says(0, "", "run", "g.properties", "--algorithm", "pagerank", "--tune",
                        "iterations=2", "--json", "-", "-q", "-n", "1")
        self.assertIn('"iterations=2,damping=0.85,tolerance=0"', got.stdout.replace(" ", ""))

    def test_rules(self):
        def write(name, *lines):
            with open(name, "w", encoding="ascii") as f:
                f.write("\n".join(lines))

        write("x-BFS", "3 0", "1 9223372036854775807", "2 1")
        write("same", "1 9223372036854775807", "2 1", "3 0", "")
        write("less", "1 9223372036854775806", "2 1", "3 2")
        self.judge(0, "exact", "x-BFS", "same")
        self.judge(76, "2 of 3 vertices differ from x-BFS; the first, 1,", "x-BFS", "less")
        write("x-PR", "1 0.5", "2 1e-9", "3 Infinity", "4 0")
        write("near", "1 0.50004", "2 1.00009e-9", "3 Infinity", "4 0.0")
        self.judge(0, "epsilon", "x-PR", "near")
        for i, line in enumerate(("1 0.50006", "2 1.0002e-9", "3 1e308", "4 1e-30")):
            lines = ["1 0.5", "2 1e-9", "3 Infinity", "4 0"]
            lines[i] = line
            write("far", *lines)
            self.judge(76, f"1 of 4 vertices differ from x-PR; the first, {i + 1},", "x-PR", "far")
        write("lost", "1 Infinity", "2 1e-9", "3 Infinity", "4 0")
        self.judge(76, "1 of 4", "x-PR", "lost")
        write("x-WCC", "1 1", "2 1", "3 3", "4 3", "5 5")
        write("renamed", "1 7", "2 7", "3 1", "4 1", "5 3")
        write("merged", "1 7", "2 7", "3 1", "4 1", "5 1")
        write("split", "1 7", "2 7", "3 1", "4 2", "5 3")
        self.judge(0, "equivalence", "x-WCC", "renamed")
        self.judge(76, "together in merged, but apart in x-WCC", "x-WCC", "merged")
        self.judge(76, "together in x-WCC, but apart in split", "x-WCC", "split")
        self.judge(76, "differ", "x-WCC", "renamed", "exact")
        write("fewer", "1 1", "2 1", "4 3", "5 5")
        self.judge(76, "vertex 3 is in x-WCC, but not in fewer", "x-WCC", "fewer")
        self.judge(76, "vertex 3 is in x-WCC, but not in fewer", "fewer", "x-WCC", "equivalence")
        write("twice", "1 1", "2 1", "3 3", "4 3", "5 5", "2 1")
        self.judge(65, "twice: vertex 2 has two lines", "x-WCC", "twice")
        for line in ("5 \n6", "5 \v6", "6", "6 x", "x 6", "6 1 1", "-6 1", "6 9223372036854775808", "6 1.5"):
            write("bad", "1 1", "2 1", line)
            self.judge(65, "bad:3: expected 'vertex value'", "x-WCC", "bad")
        for value in ("nan", "0x1", "1e400", "", "\n1"):
            write("odd", f"1 {value}", "2 1e-9", "3 Infinity", "4 0")
            self.judge(65, "odd:1: expected", "x-PR", "odd")
        self.judge(64, "--rule says it", "near", "near")
        self.judge(66, "absent", "x-PR", "absent")
        self.says(64, "TREE is missing", "validate", "x-PR")
        self.says(64, "--rule", "validate", "x-PR", "near", "--rule", "exact")

    def test_inputs_are_spared(self):
        g = Graph("g", True, 7)
        g.write()
        for file in ("g.v", "g.e", "g.properties"):
            for option in ("--tree", "--graphalytics", "--csv", "--json"):
                self.says(64, "which this output would destroy", "run", "g.properties", option, file, "-f", "-q")

    def test_what_does_not_go_together(self):
        g = Graph("g", True, 7)
        g.write()
        go = ("run", "g.properties", "--json", "none", "-q", "--graphalytics", "out")
        self.says(64, "it does not ask for what --algorithm core finds", *go, "--algorithm", "core")
        for goal in (("--max-depth", "2"), ("--target", str(g.source))):
            self.says(64, "would look unreachable", *go, *goal)
        self.says(65, "wrong banner", "run", "g.properties", "--format", "mtx", "--json", "none") # what is typed wins
        with open("g.properties", "a", encoding="ascii") as f:
            f.write("graph.h.bfs.source-vertex =\n")
        with open("g.properties", encoding="ascii") as f:
            lines = [x for x in f if "g.bfs.source" not in x]
        with open("g.properties", "w", encoding="ascii") as f:
            f.writelines(lines)
        self.says(65, "graph.NAME.bfs.source-vertex has no value", *go)

    def test_no_edges(self):
        for name, text in (("e.v", "7\n5\n"), ("e.e", ""), ("none.v", ""), ("none.e", "# nothing\n")):
            with open(name, "w", encoding="ascii") as f:
                f.write(text)
        go = ("run", "--algorithm", "cc", "--undirected", "--compact-ids", "--json", "none", "-q")
        self.says(0, "", *go, "--graph", "e.e", "--vertex-file", "e.v", "--graphalytics", "out")
        with open("out", encoding="ascii") as f:
            self.assertEqual(f.read(), "5 5\n7 7\n")
        self.says(65, "none.v: no vertices", *go, "--graph", "none.e", "--vertex-file", "none.v")

    @unittest.skipUnless(MPIEXEC, "no mpiexec")
    def test_one_rank_cannot_read(self):
        g = Graph("g", True, 7)
        g.write()
        words = [MESHWAY, "run", "--json", "none", "-q"]
        got = subprocess.run([MPIEXEC, "-n", "1", *words, "g.properties", ":", "-n", "1", *words, "nope.properties"],
                             capture_output=True, text=True, timeout=300, check=False)
        self.assertNotEqual(got.returncode, 0)
        self.assertIn("nope.properties", got.stdout + got.stderr)

    def test_refusals(self):
        g = Graph("g", True, 7)
        g.write()
        go = ("run", "g.properties", "--json", "none", "-q")
        self.says(0, "vertices    40", "info", "g.properties")
        with open("g.v", "a", encoding="ascii") as f:
            f.write(f"{g.vertex[0]}\n")
        self.says(65, "g.v: 41 lines, but it and the edges of g.e have 40 vertices", *go)
        with open("g.v", "w", encoding="ascii") as f:
            f.writelines(f"{v}\n" for v in g.vertex if v != g.source)
        self.says(65, "g.v: 39 lines, but", *go)
        with open("g.v", "w", encoding="ascii") as f: # as many lines as there are vertices
            f.writelines(f"{v}\n" for v in g.vertex if v != g.source)
            f.write(f"{g.vertex[5] if g.vertex[5] != g.source else g.vertex[6]}\n")
        self.says(65, "g.v: 40 lines, but", *go)
        for line in ("x", "2x", "2 junk", "2,5", "1.5"):
            with open("g.v", "w", encoding="ascii") as f:
                f.write(f"12\n{line}\n")
            self.says(65, "g.v:2: expected the number of a vertex", *go)
        os.remove("g.v")
        self.says(66, "g.v", *go)
        with open("g.properties", "w", encoding="ascii") as f:
            f.write("graph.g.vertex-file = g.v\n")
        self.says(65, "g.properties: no graph.NAME.edge-file in it", *go)
        with open("g.properties", "a", encoding="ascii") as f:
            f.write("graph.g.edge-file = g.e\ngraph.g.directed = perhaps\n")
        self.says(65, "graph.NAME.directed: expected true or false", *go)
        self.says(64, "--vertex-file", "run", "g.e", "--vertex-file", "g.v")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
