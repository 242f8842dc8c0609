#!/usr/bin/env python3
"""test_program.py MESHWAY [MPIEXEC [unittest's words]] -- `meshway sweep` as users start it: the program
finds its Python, real runs are swept, and real ranks and launchers are killed.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from sweep.standin import SOURCE

from meshway_sweep import campaign as files

MESHWAY = MPIEXEC = ""
HANG = 900
LONG = ("--scale", "12", "--roots", "200000", "--ranks", "2", "--oversubscribe")  # longer than a test


def program_of(pid):
    """The file that a process runs; None: it is gone, perhaps since just now."""
    try:
        return os.path.realpath(os.readlink(f"/proc/{pid}/exe"))
    except OSError:
        return None


def until(condition):
    end = time.monotonic() + HANG
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.02)
    raise AssertionError("never came true")


def descendants(pid):
    parent, name = {}, {}
    for entry in os.listdir("/proc"):
        try:
            text = Path("/proc", entry, "stat").read_text() if entry.isdigit() else ""
        except OSError:
            continue
        if text and text.rsplit(")", 1)[1].split()[0] not in "ZX":
            parent[int(entry)] = int(text.rsplit(")", 1)[1].split()[1])
            name[int(entry)] = text[text.index("(") + 1:text.rindex(")")]
    found = {}
    for one in parent:
        up = one
        while up in parent and up != pid:
            up = parent[up]
        if up == pid and one != pid:
            found[one] = name[one]
    return found


class ProgramCase(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="a program "))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def words(self, *words):
        return [MESHWAY, *words, *(["--mpiexec", MPIEXEC] if MPIEXEC and words[:1] == ("sweep",) and words[1:2] and words[1] in (
            "weak", "strong", "free", "run", "plan") else [])]

    def runs(self, code, *words, text="", **more):
        done = subprocess.run(self.words(*words), cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, **more})
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertIn(text, " ".join((done.stdout + done.stderr).split()))  # help is wrapped
        return done.stdout + done.stderr

    def starts(self, *words):
        sweep = subprocess.Popen(self.words("sweep", "free", *LONG, "-o", "c", *words), cwd=self.folder,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(sweep.wait)
        self.addCleanup(sweep.kill)
        # The ranks of the point, not of a plan or of the probe.
        err = until(lambda: next((self.folder / "c").glob("points/*/stderr"), None))
        until(lambda: "one core each" in err.read_text() or "cores" in err.read_text())
        return sweep, descendants(sweep.pid)

    def resumed(self):
        """It cannot be left to its end, which is far: what a short run leaves is put in its place."""
        campaign = files.load(self.folder / "c")
        self.assertEqual([files.read_json(p) is None for p in self.folder.glob("c/points/*/*.json")].count(True), 0)
        document = json.loads((self.folder / "c" / "campaign.json").read_text())
        for point in document["points"]:
            point["argv"] = ["2" if word == "200000" else word for word in point["argv"]]
        files.write_json(self.folder / "c" / "campaign.json", document)
        self.runs(0, "sweep", "resume", "c", text="1 ok")
        self.assertTrue(files.load(self.folder / "c").points[0].done)
        return campaign.points[0]


class Program(ProgramCase):
    def test_help_tells_the_two_sweeps_apart(self):
        for verb in ("weak", "strong", "free", "run", "plan", "resume", "status"):
            self.runs(0, "sweep", verb, "--help", text="'meshway layout")
        self.runs(0, "sweep", "--help", text="resume goes on")
        if "layout sweep" in self.runs(0, "--commands"):
            self.runs(0, "layout", "sweep", "--help", text="'meshway sweep'")
        self.runs(0, "help", "sweep", "weak", text="--per-rank-scale")
        self.runs(0, "--help", text=" report ")
        self.runs(64, "sweep", text="sweep: needs a verb, as in 'meshway sweep weak --preset laptop --routing "
                                    "direct,relay -o first'; 'meshway sweep --help' lists them")
        self.runs(64, "sweep", "weka", text="did you mean 'sweep weak'")
        self.runs(0, "--man", "sweep", "weak", text="per\\-rank\\-scale")

    def test_no_python_is_said_with_what_to_install(self):
        for command in (("sweep", "status", "c"), ("report", "c"), ("compare", "a", "b")):
            self.runs(69, *command, text="apt-get install python3", PATH="/nonexistent")
        old = self.folder / "python3"
        old.write_text(f"""#!/bin/sh
shift 2; code=$1; shift
exec {sys.executable} -c "import sys; sys.version_info = (3, 9, 2); exec(sys.argv.pop(1))" "$code" "$@"
""")
        old.chmod(0o755)
        self.runs(69, "sweep", "status", "c", text="3.11 or later, but python3 is 3.9",
                  PATH=f"{self.folder}:{os.environ['PATH']}")

    def test_what_is_missing_is_said_with_an_example(self):
        for words, text in (
                (("compare", "a"), "compare: B is missing: another campaign's directory or result file, to compare A with; "
                                   "as in 'meshway compare before after'"),
                (("compare",), "compare: A is missing: "),
                (("report",), "report: DIR is missing: the campaign's directory, one of result files, or a result file; "
                              "as in 'meshway report first'"),
                (("sweep", "run"), "sweep run: FILE is missing: the sweep, in TOML"),
                (("sweep", "plan"), "sweep plan: KIND|FILE is missing: weak, strong or free"),
                (("sweep", "resume"), "sweep resume: DIR is missing: the campaign's directory; as in 'meshway sweep resume"),
                (("report", "a", "b"), "report: 'b' is one operand too many; as in 'meshway report first'"),
                (("sweep", "free", "--scale", "8", "9"), "sweep free: '9' is one operand too many; as in 'meshway sweep free"),
                (("sweep", "resume", "c", "--grace"), "--grace: needs a value, S: seconds between"),
                (("compare", "a", "b", "--threshold"), "--threshold: needs a value, SHARE: less of a rate than this"),
                (("sweep", "weak", "--xyzzy"), "--xyzzy: unknown option; 'meshway sweep weak --help' lists them"),
                (("sweep", "free", "--ranks", "x", "--scale", "8"), "--ranks: 'x' is not an integer; expected 1..4194304"),
                (("sweep", "free", "--ranks", "2"), "the sweep has no graph: say --scale, as in 'meshway sweep free")):
            self.runs(64, *words, text=text)

    def test_modules_in_the_users_folder_are_not_taken(self):
        for name in ("json", "tomllib", "meshway_sweep", "subprocess"):
            (self.folder / f"{name}.py").write_text("open('pwned', 'w')")
        self.runs(66, "sweep", "status", "c")
        self.assertFalse((self.folder / "pwned").exists())

    @unittest.skipUnless(os.path.exists("/usr/bin/env"), "")
    def test_not_under_mpiexec(self):
        self.runs(64, "sweep", "status", "c", text="without mpiexec", PMI_RANK="0", PMI_SIZE="1")

    def test_the_schema_has_what_makes_a_result_whole(self):
        schema = json.loads((SOURCE / "docs" / "result.schema.json").read_text())
        self.assertLessEqual(set(files.RESULT_KEYS), set(schema["required"]))

    def test_options_that_cannot_stand_together(self):
        (self.folder / "g.el").write_text("0 1\n")
        out = self.runs(64, "sweep", "free", "--scale", "8", "--graph", "g.el", "-o", "c")
        self.assertIn("exclude each other", out)
        self.assertFalse((self.folder / "c").exists())

    def test_what_does_not_fit_is_refused_before_anything_runs(self):
        self.runs(0, "sweep", "free", "--scale", "8,48", "--roots", "2", "-o", "c", text="1 ok, 1 refused")
        causes = [p.outcome["cause"] for p in files.load(self.folder / "c").points if not p.done]
        self.assertIn("SCALE 48 needs", causes[0])

    def test_times_of_nodes_elsewhere_are_modelled_by_rates(self):
        self.runs(0, "plan", "10", "--calibrate", "--rates", "r.json", "--threads", "1")
        words = ("sweep", "plan", "free", "--scale", "12", "--ranks", "4", "--launcher", "pbs", "--rates", "r.json")
        for more, assumed in ((), True), (("--link", "1gbit,1ms"), False), (("--ranks-per-node", "4"), False):
            out = self.runs(0, *words, *more, text="times are modelled: rates measured on ")
            self.assertEqual(("; link assumed: 10 Gbit/s, 50 us" in out, "about" in out), (assumed, True), out)
        (self.folder / "results").mkdir()
        (self.folder / "r.json").rename(self.folder / "results" / "rates.json")
        self.runs(0, *words[:-2], text="rates measured on ", MESHWAY_RESULTS=str(self.folder / "results"))
        self.runs(64, *words[:-2], "--link", "fast", text="--link: 'fast' is no link")

    def test_a_graph_from_a_file(self):
        (self.folder / "g.el").write_text("0 1\n1 2\n")
        self.runs(0, "sweep", "free", "--graph", "g.el", "--root", "0", "--threads", "1,2", "--oversubscribe", "-o",
                  "c", text="2 ok")


class Ranks(ProgramCase):
    def setUp(self):
        if not MPIEXEC:
            self.skipTest("no mpiexec")
        super().setUp()

    def test_a_weak_sweep(self):
        out = self.runs(0, "sweep", "weak", "--per-rank-scale", "8", "--ranks", "1,2", "--oversubscribe", "--roots",
                        "4", "--routing", "direct,relay", "--repetitions", "2", "-o", "c", text="4 ok")
        self.assertIn("relay", out)
        campaign = files.load(self.folder / "c")
        for point in campaign.points:
            results = point.results()
            self.assertEqual(list(results), ["direct", "relay"])
            for way, result in results.items():
                self.assertEqual(result["configuration"]["n_ranks"], point.axes["ranks"])
                self.assertEqual(result["graph"]["scale"], point.axes["scale"])
                if point.axes["ranks"] > 1:  # one rank has no relay
                    self.assertEqual(result["configuration"]["routing"], way)
            self.assertGreater(point.plan["memory_bytes_per_rank"], 1 << 20)
        self.runs(0, "sweep", "status", "c", text="4 ok")
        before = [(p, p.stat().st_mtime_ns) for p in self.folder.glob("c/points/*/*")]
        self.runs(0, "sweep", "resume", "c", text="4 ok")  # nothing to do, nothing done
        self.assertEqual(before, [(p, p.stat().st_mtime_ns) for p in self.folder.glob("c/points/*/*")])

    def test_more_ranks_than_cores_are_stamped(self):
        ranks = str(len(os.sched_getaffinity(0)) + 1)
        self.runs(0, "sweep", "free", "--scale", "8", "--ranks", ranks, "--roots", "2", "--oversubscribe", "-o", "c")
        point = files.load(self.folder / "c").points[0]
        self.assertIn("OVERSUBSCRIBED", point.result()["stamps"])
        self.assertTrue(point.outcome["oversubscribed"])

    def gone(self, pids):
        until(lambda: not [p for p in pids if program_of(p) in (MESHWAY, os.path.realpath(MPIEXEC))])

    def test_term_keeps_what_is_finished(self):
        sweep, pids = self.starts()
        sweep.send_signal(signal.SIGTERM)
        sweep.communicate()
        self.assertEqual(sweep.returncode, 75)
        point = files.load(self.folder / "c").points[0]
        self.assertEqual(point.outcome["status"], "interrupted")
        self.gone(pids)
        self.resumed()

    def test_what_is_finished_is_not_made_again(self):
        """Of a point that was cut off, even when the runner was killed: the next try takes it up."""
        sweep, pids = self.starts()
        until(lambda: next((self.folder / "c").glob("points/*/result.json"), None))
        sweep.kill()
        sweep.communicate()
        self.gone(pids)
        campaign = files.load(self.folder / "c")
        point = campaign.points[0]
        before = files.read_json(point.folder / "result.json")["searches"]
        # Its end is far, so it is brought near: as if that had been asked for.
        for path in (campaign.folder / "campaign.json", point.folder / "cmd.json"):
            path.write_text(path.read_text().replace('"200000"', f'"{len(before) + 3}"'))
        self.runs(0, "sweep", "resume", "c", text="1 ok")
        point = files.load(self.folder / "c").points[0]
        self.assertTrue(point.done and point.outcome["resumed"])
        after = point.result()
        self.assertEqual((after["searches"][:len(before)], len(after["searches"])), (before, len(before) + 3))
        self.assertEqual([r["n_searches"] for r in after["resumed"]], [len(before)])
        self.assertEqual(files.read_json(point.folder / "cmd.json")["argv"][-2:], ["--resume", "result.json"])

    def test_what_cannot_be_taken_up_is_made_anew(self):
        sweep, pids = self.starts()
        until(lambda: next((self.folder / "c").glob("points/*/result.json"), None))
        sweep.send_signal(signal.SIGTERM)
        sweep.communicate()
        campaign = files.load(self.folder / "c")
        folder = campaign.points[0].folder
        for path in (campaign.folder / "campaign.json", folder / "cmd.json"):
            path.write_text(path.read_text().replace('"200000"', '"2"').replace('"12"', '"11"'))  # another graph
        self.runs(0, "sweep", "resume", "c", "--retries", "1", text="1 ok")
        point = files.load(self.folder / "c").points[0]
        self.assertTrue(point.done and not point.outcome["resumed"])
        self.assertEqual(len(point.result()["searches"]), 2)
        self.assertIn("with option scale 12, and this run has 11", (point.folder / "try-2" / "stderr").read_text())

    def test_the_runner_is_killed(self):
        sweep, pids = self.starts()
        sweep.kill()
        sweep.communicate()
        self.gone(pids)
        self.resumed()

    def test_mpiexec_is_killed(self):
        sweep, pids = self.starts("--retries", "0", "--grace", "2")
        os.kill(next(p for p, name in pids.items() if name.startswith("mpiexec")), signal.SIGKILL)
        sweep.communicate()
        self.assertEqual(sweep.returncode, 70)
        self.gone(pids)
        self.assertIn("killed by SIGKILL", files.load(self.folder / "c").points[0].outcome["cause"])
        self.resumed()

    def test_a_rank_is_killed(self):
        sweep, pids = self.starts("--retries", "0")
        os.kill(max(p for p, name in pids.items() if name == "meshway"), signal.SIGKILL)
        sweep.communicate()
        self.assertEqual(sweep.returncode, 70)
        self.gone(pids)
        self.resumed()


if __name__ == "__main__":
    MESHWAY = os.path.realpath(sys.argv.pop(1))
    MPIEXEC = sys.argv.pop(1) if len(sys.argv) > 1 and os.path.isabs(sys.argv[1]) else ""
    unittest.main()
