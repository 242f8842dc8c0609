#!/usr/bin/env python3
"""test_gap.py MESHWAY [MPIEXEC [unittest's words]] -- `meshway bench gap`: every line has GAP's form, says
what the result says, and tells scripts what went wrong.
"""
import json
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from sweep import test_program

from meshway_sweep import gap
from meshway_sweep.results import Place

TIME = r" +([0-9]+\.[0-9]{5})\n"
TRIAL = rf"Trial Time:{TIME}Verification: {{11}}PASS\nVerification Time:{TIME}"


def form(made, nodes, edges, trials=2):
    """Of a block, with the times of its trials and their average as the last groups."""
    return re.compile(rf"{made} Time:{TIME}Build Time:{TIME}Graph has {nodes} nodes and {edges} edges for degree: "
                      rf"([0-9]+)\n{TRIAL * trials}Average Time:{TIME}")


class Gap(test_program.ProgramCase):
    def setUp(self):
        super().setUp()
        Path(self.folder, "way.el").write_text("".join(f"{i} {i + 1}\n" for i in range(9)) + "9 0\n0 5\n0 5\n3 3\n")
        Path(self.folder, "road.el").write_text("".join(f"{i} {i + 1} {i + 3}\n" for i in range(9)))
        self.runs(0, "convert", "--directed", "road.el", "road.wsg")
        self.runs(0, "convert", "--directed", "road.el", "road.sg")

    def bench(self, code, *words, text="", **more):
        out = self.runs(code, "bench", "gap", *words, text=text, **more)
        return "".join(line for line in out.splitlines(True) if not line.startswith("meshway: "))

    def has_form(self, text, *what):
        match = form(*what).fullmatch(text)
        self.assertIsNotNone(match, text)
        trials = [float(t) for t in re.findall(rf"Trial Time:{TIME}", text)]
        self.assertAlmostEqual(float(match[match.lastindex]), sum(trials) / len(trials), delta=1.1e-5)
        for line in text.splitlines():
            self.assertRegex(line, r"\AGraph has |\A.{21}(   PASS|[0-9])")

    def test_a_kronecker_graph(self):
        self.bench(0, "6", "--trials", "2", "--out", "out", "--threads", "1", text="bc on 6: 2 trials")
        names = [f"{k}-kron6.out" for k in ("bc", "bfs", "cc", "pr", "sssp", "tc")]
        self.assertEqual(sorted(os.listdir(self.folder / "out")), names)
        for name in names:
            self.has_form((self.folder / "out" / name).read_text(), "Generate", 64, "[0-9]+ undirected")

    def test_paths_alone_leave_distinct_edges_uncounted(self):
        out = self.bench(0, "10", "--kernels", "sssp", "--trials", "2")
        self.has_form(out, "Generate", 1024, "16384 undirected")
        self.assertIn("for degree: 16\n", out)

    def test_what_is_printed_is_what_is_written(self):
        out = self.bench(0, "6", "--kernels", "pr,cc", "--trials", "2", "-o", "out", "-q")
        self.assertEqual(out, "".join(f"==> {k}-kron6.out <==\n" + (self.folder / f"out/{k}-kron6.out").read_text()
                                      for k in ("pr", "cc")))
        self.bench(73, "6", "--kernels", "pr", "-o", "out", text="pr-kron6.out exists; --force replaces it")
        self.has_form(self.bench(0, "6", "--kernels", "pr", "--trials", "2", "-o", "out", "-f"), "Generate", 64,
                      "[0-9]+ undirected")

    def test_gaps_numbers_of_trials(self):
        for kernel, trials in (("bfs", 64), ("sssp", 64), ("pr", 16), ("cc", 16), ("bc", 16), ("tc", 3)):
            self.has_form(self.bench(0, "7", "--kernels", kernel), "Generate", 128, "[0-9]+ undirected", trials)

    def test_edges_of_files_go_one_way_if_they_may(self):
        for kernel in ("bfs", "pr", "bc"):
            self.has_form(self.bench(0, "way.el", "--kernels", kernel, "--trials", "2"), "Read", 10, "11 directed")
        for kernel in ("cc", "tc"):
            self.has_form(self.bench(0, "way.el", "--kernels", kernel, "--trials", "2"), "Read", 10, "11 undirected")
        self.has_form(self.bench(0, "way.el", "--kernels", "bfs", "--trials", "2", "--", "--undirected"), "Read", 10,
                      "11 undirected")

    def test_paths_take_the_weighted_file(self):
        out = self.runs(0, "bench", "gap", "road.sg", "road.wsg", "--trials", "2", "--kernels", "bfs,sssp", "-o", "out")
        self.assertIn("sssp on road.sg: skipped; the graph has no weights", out)
        self.assertIn("bfs on road.wsg: skipped; bfs-road is done already", out)
        for kernel in ("bfs", "sssp"):
            self.has_form((self.folder / f"out/{kernel}-road.out").read_text(), "Read", 10, "9 directed")
        self.assertEqual(self.bench(0, "way.el", "--kernels", "sssp", text="skipped; the graph has no weights"), "")
        self.has_form(self.bench(0, "road.el", "--kernels", "sssp", "--trials", "2"), "Read", 10, "9 directed")

    def test_the_rest_goes_to_the_run(self):
        out = self.bench(0, "6", "--kernels", "bfs", "--trials", "2", "--", "--no-validate")
        self.assertNotIn("Verification", out)
        self.assertEqual(out.count("Trial Time"), 2)
        self.bench(64, "6", "--kernels", "bfs", "--", "--xyzzy", text="xyzzy")

    def test_a_bad_graph_stops_no_other(self):
        (self.folder / "bad.sg").write_bytes(b"no graph\0")
        out = self.bench(66, "none.sg", "bad.sg", "6", "--trials", "2", "--kernels", "cc,pr", text="none.sg: cannot open")
        self.assertEqual(out.count("Average Time"), 2)
        self.bench(65, "bad.sg", text="bfs on bad.sg: bad.sg")
        self.bench(64, text="bench gap: GRAPH is missing")
        self.bench(64, "a/r.el", "b/r.el", text="'b/r.el' and another graph are both called r")
        self.bench(64, "-", text="each kernel reads the graph again")
        self.bench(64, "6", "--kernels", "bk", text="--kernels: 'bk' is none of bfs, sssp, pr, cc, bc, tc")

    def test_fewer_roots_than_trials_are_said(self):
        out = self.bench(0, "road.sg", "--kernels", "bfs", text="bfs on road.sg: 9 trials only; a root is taken once")
        self.has_form(out, "Read", 10, "9 directed", 9)

    def test_ranks(self):
        if not test_program.MPIEXEC:
            self.skipTest("no mpiexec")
        self.has_form(self.bench(0, "6", "--kernels", "bfs", "--trials", "2", "--ranks", "2", "--threads", "1", "--mpiexec",
                                 test_program.MPIEXEC), "Generate", 64, "[0-9]+ undirected")

    def test_an_answer_that_is_wrong(self):
        """The program has none at hand: its result is changed, and its code."""
        self.runs(0, "run", "6", "--roots", "2", "--json", "good.json")
        document = json.loads((self.folder / "good.json").read_text())
        document["searches"][1]["status"] = "invalid"
        for search in document["searches"]:
            search["time_s"] = None
        (self.folder / "bad.json").write_text(json.dumps(document))
        liar = self.folder / "liar"
        liar.write_text('#!/bin/sh\nfor last; do :; done\ncp "${0%/*}/bad.json" "$last"\n'
                        "echo 'meshway: rule 2 is broken' >&2\nexit 76\n")
        liar.chmod(0o755)
        done = subprocess.run([sys.executable, "-c", "import sys; sys.path.insert(0, sys.argv[1]); from meshway_sweep.gap "
                               "import Bench; b = Bench([sys.argv[2]], dict(trials=2, threads=1, quiet=False, out=None), []); "
                               "b.run_graph('6', ['bfs']); sys.exit(b.code)", str(test_program.SOURCE / "tools"), str(liar)],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 76, done.stderr)
        self.assertIn("bfs on 6: rule 2 is broken", done.stderr)
        self.assertEqual(re.findall(r"Verification: +(PASS|FAIL)\n", done.stdout), ["PASS", "FAIL"])
        self.assertNotRegex(done.stdout, "Trial|Average")
        self.assertEqual(done.stdout, gap.block(Place(document, "bad.json")))


if __name__ == "__main__":
    test_program.MESHWAY = os.path.realpath(sys.argv.pop(1))
    if len(sys.argv) > 1 and os.path.isabs(sys.argv[1]):
        test_program.MPIEXEC = sys.argv.pop(1)
    unittest.main()
