#!/usr/bin/env python3
"""test_sweep.py MESHWAY [unittest's words] -- sweeps by stand-ins: what is asked for, what is kept, and
what is left when any part of it is killed. Nothing is timed; waits are for conditions.
"""
import contextlib
import hashlib
import json
import os
import signal
import stat
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from sweep import kills
from sweep.standin import BenchCase

from meshway_sweep import campaign as files
from meshway_sweep import options, points

HANG = 900  # seconds that nothing here takes


def until(condition):
    end = time.monotonic() + HANG
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.01)
    raise AssertionError("never came true")


def everything(folder):
    return [Path(top, name) for top, _, names in os.walk(folder) for name in names]


class Asked(BenchCase):
    """From words to points."""

    @classmethod
    def setUpClass(cls):
        cls.tables = options.tables(cls.meshway)

    def specs(self, kind, *words):
        own = self.tables[f"sweep {kind}"]
        given = options.parse(list(words), own, self.tables["run"])
        asked = points.from_command_line(kind, given, own, self.tables["run"], {})
        asked.own["seed"] = 1
        return points.expand(asked)

    def refused(self, text, kind, *words):
        with self.assertRaises(files.SweepError) as raised:
            self.specs(kind, *words)
        self.assertEqual(raised.exception.code, 64)
        self.assertIn(text, str(raised.exception))

    def test_weak_sweeps_grow_the_graph_with_the_ranks(self):
        specs = self.specs("weak", "--per-rank-scale", "18", "--ranks", "1..8*2", "--routing", "direct,relay")
        self.assertEqual({s.axes["ranks"]: s.axes["scale"] for s in specs}, {1: 18, 2: 19, 4: 20, 8: 21})
        self.assertEqual(specs[0].ways, ["direct", "relay"])
        self.refused("no power of two", "weak", "--per-rank-scale", "18", "--ranks", "3")
        self.refused("--per-rank-scale", "weak", "--ranks", "2")
        self.refused("follows from", "weak", "--per-rank-scale", "18", "--scale", "3")

    def test_lists_make_a_product_and_ways_do_not(self):
        words = ("--scale", "10..14+2", "--tune", "batch=16Ki+64Ki", "--routing", "direct,relay", "--engine", "cpe,mpe")
        specs = self.specs("free", *words)
        self.assertEqual(len(specs), 6)
        self.assertEqual(specs[0].ways, ["cpe direct", "cpe relay", "mpe direct", "mpe relay"])
        self.assertEqual(len(self.specs("free", *words, "--isolate")), 24)
        self.assertEqual(len(self.specs("free", *words, "--repetitions", "3")), 18)

    def test_keys_are_axes_and_words_of_them_ways(self):
        specs = self.specs("free", "--scale", "6", "--tune", "batch=512+1Ki,follow=off+auto", "--tune", "alpha=30")
        self.assertEqual({s.axes["batch"] for s in specs}, {"512", "1Ki"})
        self.assertEqual(specs[0].ways, ["off", "auto"])
        for s in specs:
            words = points.run_words(s, self.tables["run"], self.bench().folder)
            self.assertEqual(words[:2], ["--tune", f"batch={s.axes['batch']},alpha=30.0,follow=off+auto"])

    def test_ways_are_called_what_a_run_calls_them(self):
        with_ways = self.specs("free", "--scale", "6", "--routing", "direct,relay", "--direction",
                               "auto,top-down", "--tune", "follow=off+auto,hubs=off")[0]
        folder = self.bench().folder
        subprocess.run([self.meshway, "run", *points.run_words(with_ways, self.tables["run"], folder), "--roots",
                        "1", "--json", "result.json"], cwd=folder, check=True, capture_output=True)
        names = {files.way_file(with_ways.ways, way) for way in with_ways.ways}
        self.assertEqual(names, {p.name for p in folder.glob("result*.json")})
        for name in names:
            data = (folder / name).read_bytes()
            self.assertTrue(files.checksum_holds(data) and files.whole_digest(folder / name))
            self.assertFalse(files.checksum_holds(data.replace(b"ok", b"oK", 1)))

    def test_a_text_with_commas_is_one_value(self):
        self.assertEqual({s.axes["hubs"] for s in self.specs("free", "--scale", "9", "--tune", "hubs=12:14", "--tune",
                                                             "hubs=off")}, {"12:14", "off"})
        self.assertEqual({s.axes["root"] for s in self.specs("free", "--scale", "9", "--root", "1,2", "--root",
                                                             "3")}, {"1,2,3"})

    def test_values_are_checked(self):
        for text, words in {
            "'8; touch pwned' is not an integer": ("--scale", "8; touch pwned"),
            "is none of": ("--scale", "8", "--routing", "sideways"),
            "is not a size": ("--scale", "8", "--tune", "batch=64 KiB"),
            "did you mean follow": ("--scale", "8", "--tune", "folow=off"),
            "now --tune batch=SIZE": ("--scale", "8", "--batch", "64Ki"),
            "batch needs a value": ("--scale", "8", "--tune", "alpha=3,batch"),
            "--tune: batch: 1 is out": ("--scale", "8", "--tune", "batch=1"),
            "did you mean --routing": ("--scale", "8", "--rooting", "direct"),
            "given twice": ("--scale", "8,9,8"),
            "out of range": ("--scale", "8", "--ranks", "0"),
            "no range that ends": ("--scale", "8..1"),
            "has no graph": ("--ranks", "2"),
            "needs a value, SCALE": ("--scale",),
            "a campaign decides this": ("--scale", "8", "--json", "x"),
            "without a folder": ("--scale", "8", "--csv", "../x"),
            "'30:00' is no time": ("--scale", "8", "--wall-limit", "30:00"),
            "at most 10000": ("--scale", "1..20", "--roots", "1..1000"),
            "one operand too many": ("--scale", "8", "9"),
        }.items():
            self.refused(text, "free", *words)
        for output in ("--tree", "--levels", "--trace", "--graphalytics", "--layout-record", "--traffic-record"):
            self.refused("without a folder", "free", "--scale", "8", output, "../x")
        self.refused("--per-rank-scale: belongs to weak", "strong", "--scale", "9", "--per-rank-scale", "9")

    def test_the_seed_is_the_order(self):
        words = ("--scale", "1..20")
        orders = [[s.axes["scale"] for s in self.specs("free", *words)] for _ in range(2)]
        self.assertEqual(orders[0], orders[1])
        self.assertNotEqual(orders[0], sorted(orders[0]))

    def test_a_hash_is_what_the_result_depends_on(self):
        one = (["--scale", "8"], ["mpiexec", "-n", "1"], "00", {"OMP_NUM_THREADS": "1"}, 0)
        others = [(["--scale", "9"], *one[1:]), (one[0], ["mpiexec", "-n", "2"], *one[2:]),
                  (*one[:2], "01", *one[3:]), (*one[:3], {}, 0), (*one[:4], 1)]
        self.assertEqual(len({points.point_hash(*o) for o in (one, one, *others)}), 6)


class Files(BenchCase):
    """Sweeps in TOML, from friends and others."""

    def toml(self, text, *words, name="s.toml"):
        bench = self.bench()
        (bench.folder / name).write_text(text)
        code, out, err = bench.sweep("run", name, "-o", "c", *words)
        self.assertFalse(list(bench.folder.glob("**/pwned")))
        return bench, code, err

    def reads(self, text):
        """The same without a process."""
        tables = options.tables(self.meshway)
        own = tables["sweep run"]
        folder = self.bench().folder
        (folder / "s.toml").write_text(text)
        try:
            points.from_file(str(folder / "s.toml"), options.Given(), own, tables["run"], {})
        except files.SweepError as e:
            return e.code, str(e)
        return 0, ""

    def test_a_file_runs(self):
        bench, code, err = self.toml('kind = "weak"\nranks = [1, 2]\nper-rank-scale = 8\nrepetitions = 2\nseed = 7\n'
                                     '[run]\nrouting = ["direct", "relay"]\nroots = "4"\nno-validate = true\n')
        self.assertEqual(code, 0, err)
        campaign = bench.campaign()
        self.assertEqual((campaign.kind, campaign.seed, len(campaign.points)), ("weak", 7, 4))
        self.assertTrue(all(p.done and p.ways == ["direct", "relay"] and len(p.results()) == 2
                            for p in campaign.points))
        self.assertIn("--no-validate", campaign.points[0].argv)

    def test_the_command_line_wins(self):
        bench, code, err = self.toml("ranks = 1\n[run]\nscale = [8, 9]\nroots = 4\n", "--scale", "7", "--ranks", "2")
        self.assertEqual(code, 0, err)
        self.assertEqual([(p.axes["scale"], p.axes["ranks"]) for p in bench.campaign().points], [(7, 2)])

    def test_errors_have_a_line_and_code_64(self):
        for where, text in {
            "s.toml:2:": "ranks = 1\nrancs = 2\n[run]\nscale = 8\n",
            "s.toml:3: scale: '8; touch pwned' is not an integer": 'ranks = 1\n[run]\nscale = "8; touch pwned"\n',
            "s.toml:2: roots: True is no value of this option; expected a whole number": "[run]\nroots = true\nscale = 8\n",
            "s.toml:3: rooting": "[run]\nscale = 8\nrooting = 'direct'\n",
            "s.toml:2:8: Invalid value": "ranks = 1\nranks == 2\n",
            "s.toml:1: run is a table of options": "run = 3\n",
            "s.toml:1: kind": 'kind = "wide"\n[run]\nscale = 8\n',
            "s.toml:2: scale: 8 is given twice": "[run]\nscale = [8, 8]\n",
            "s.toml:2: scale: an empty list": "[run]\nscale = []\n",
            "s.toml:1: ranks: 0 is out of range": "ranks = 0\n[run]\nscale = 8\n",
            "s.toml:3: graph: '/etc/passwd' is absolute": "[run]\nroots = 2\ngraph = '/etc/passwd'\n",
            "has '..'": "[run]\ngraph = '../x.mtx'\n",
            "brackets in each other": "a = " + "[" * 5000 + "]" * 5000 + "\n",
            "out: a sweep has no such key": 'out = "/tmp/x"\n[run]\nscale = 8\n',
            "Cannot overwrite": "[run]\nscale = 8\nscale = 9\n",
        }.items():
            code, err = self.reads(text)
            self.assertEqual(code, 64, (text[:60], err))
            self.assertIn(where, err)
        self.assertEqual(self.reads("x" * (2 << 20))[0], 64)
        bench, code, err = self.toml('[run]\nscale = "8; touch pwned"\n')
        self.assertEqual((code, (bench.folder / "c").exists()), (64, False), err)
        bench = self.bench()
        self.assertEqual(bench.sweep("run", "nowhere.toml")[0], 66)
        (bench.folder / "latin.toml").write_bytes(b"kind = '\xe9'\n")
        self.assertEqual(bench.sweep("run", "latin.toml")[0], 65)

    def test_names_are_data(self):
        """The folder of every bench has a blank and $(touch pwned) in its name."""
        bench = self.bench()
        graph = "$(touch pwned); `touch pwned` '\".mtx"
        (bench.folder / graph).write_text("x")
        (bench.folder / "s.toml").write_text(f"[run]\ngraph = {json.dumps(graph)}\nroots = 4\n")
        code, _, err = bench.sweep("run", "s.toml", "-o", "$(touch pwned) c")
        self.assertEqual(code, 0, err)
        self.assertFalse(list(bench.folder.glob("**/pwned")))
        self.assertIn(str(bench.folder / graph), bench.campaign("$(touch pwned) c").points[0].argv)


class Kept(BenchCase):
    """What stands in the directory."""

    def swept(self, *words, **behaviour):
        bench = self.bench(**behaviour)
        self.assertEqual(bench.sweep("free", "--scale", "8", "-o", "c", *words)[0], 0)
        return bench

    def test_a_result_cut_anywhere_runs_again(self):
        bench = self.swept()
        point = bench.campaign().points[0]
        path = point.folder / "result.json"
        whole = path.read_bytes()
        for length in range(len(whole)):
            path.write_bytes(whole[:length])
            self.assertFalse(point.done, length)
        for changed in (whole.replace(b"full", b"fuLL"), whole + b" ", b"[" * 100000):
            path.write_bytes(changed)
            self.assertFalse(point.done)
        self.assertEqual(bench.sweep("status", "c")[0], 75)
        self.assertEqual(bench.sweep("resume", "c")[0], 0)
        self.assertTrue(point.done)
        self.assertEqual((point.folder / "try-1" / "result.json").read_bytes(), changed)
        self.assertTrue((point.folder / "try-1" / "outcome.json").exists())
        path.unlink()
        self.assertFalse(point.done)
        self.assertEqual(len(bench.log("begin")), 2)

    def test_a_damaged_campaign_is_said_to_be(self):
        bench = self.swept()
        path = bench.folder / "c" / "campaign.json"
        whole = path.read_text()
        for code, text in ((65, whole[:-20]), (65, whole.replace('"format": 1', '"format": 2')),
                           (65, whole.replace(bench.campaign().points[0].hash, "../../../../tmp/x")),
                           (65, whole.replace('"argv"', '"arg"')), (65, "[" * 200000)):
            path.write_text(text)
            self.assertEqual(bench.sweep("resume", "c")[0], code)
        path.unlink()
        self.assertEqual(bench.sweep("resume", "c")[0], 66)
        self.assertEqual(bench.sweep("resume", "nowhere")[0], 66)

    def swept_under(self, umask, *words):
        old = os.umask(umask)
        try:
            bench = self.swept(*words, once={"8": 70})
        finally:
            os.umask(old)
        self.assertTrue((bench.campaign().points[0].folder / "try-1").is_dir())
        return bench

    def test_the_umask_says_who_can_read_it(self):
        for umask in 0o022, 0o027, 0o077:
            bench = self.swept_under(umask)
            for top, folders, names in os.walk(bench.folder / "c"):
                for name in [top, *(os.path.join(top, f) for f in folders)]:
                    self.assertEqual(stat.S_IMODE(os.stat(name).st_mode), 0o777 & ~umask, name)
                for name in names:
                    self.assertEqual(stat.S_IMODE(os.stat(os.path.join(top, name)).st_mode), 0o666 & ~umask, name)

    def test_nobody_else_can_read_it(self):
        """Variables that are passed by name may be secrets: the directory lets nobody else in."""
        bench = self.swept_under(0, "--pass-environment", "SITE_*")
        self.assertEqual(stat.S_IMODE((bench.folder / "c").stat().st_mode), 0o700)
        bench = self.bench()
        (bench.folder / "c").mkdir(0o755)  # it was there, and empty
        self.assertEqual(bench.sweep("free", "--scale", "8", "-o", "c", "--pass-environment", "SITE_*")[0], 0)
        self.assertEqual(stat.S_IMODE((bench.folder / "c").stat().st_mode), 0o700)

    def test_no_secret_is_in_any_file(self):
        bench = self.bench()
        secret = "planted-7f3a"
        code, out, err = bench.sweep("free", "--scale", "8", "-o", "c", SECRET_TOKEN=secret, AWS_SECRET=secret,
                                     MESHWAY_API_TOKEN=secret, SLURM_JWT=secret, OMP_NUM_THREADS="1")
        self.assertEqual(code, 0, err)
        for path in everything(bench.folder):
            self.assertNotIn(secret.encode(), path.read_bytes(), path)
        self.assertNotIn(secret, out + err)
        point = bench.campaign().points[0]
        seen = (point.folder / "stderr").read_text()
        self.assertIn("OMP_NUM_THREADS", seen)
        self.assertNotIn("SECRET_TOKEN", seen)  # not even its name got through
        self.assertEqual(files.read_json(point.folder / "cmd.json")["environment"]["OMP_NUM_THREADS"], "1")

    def test_variables_may_be_passed_on_by_name(self):
        bench = self.bench()
        bench.sweep("free", "--scale", "8", "-o", "c", "--pass-environment", "SITE_*,OTHER", SITE_A="1", OTHER="2",
                    SITE_TOKEN="3")
        seen = (bench.campaign().points[0].folder / "stderr").read_text()
        self.assertIn("SITE_A", seen)
        self.assertIn("OTHER", seen)
        self.assertNotIn("SITE_TOKEN", seen)

    def test_an_anonymous_campaign_does_not_say_where_things_lie(self):
        for words in [], ["--anonymize"]:
            bench = self.bench()
            code, _, err = bench.sweep("free", "--scale", "8", "-o", "c", *words, HOME="/home/trillian")
            self.assertEqual(code, 0, err)
            environment = files.read_json(bench.campaign().points[0].folder / "cmd.json")["environment"]
            self.assertEqual(environment["HOME"], "" if words else "/home/trillian")

    def test_links_are_not_followed(self):
        bench = self.swept(code={"9": 65})
        folder = bench.campaign().points[0].folder
        (folder / "result.json").unlink()
        victim = bench.folder / "victim"
        victim.write_text("precious")
        (folder / "stdout").unlink()
        (folder / "stdout").symlink_to(victim)
        self.assertEqual(bench.sweep("resume", "c")[0], 0)
        self.assertEqual(victim.read_text(), "precious")
        (bench.folder / "c" / "lock").unlink()
        (bench.folder / "c" / "lock").symlink_to(victim)
        self.assertNotEqual(bench.sweep("resume", "c")[0], 0)
        self.assertEqual(victim.read_text(), "precious")

    def test_an_existing_directory_is_not_written_into(self):
        bench = self.swept()
        code, _, err = bench.sweep("free", "--scale", "9", "-o", "c")
        self.assertEqual(code, 73)
        self.assertIn("resume", err)
        (bench.folder / "full").mkdir()
        (bench.folder / "full" / "thesis").write_text("")
        self.assertEqual(bench.sweep("free", "--scale", "9", "-o", "full")[0], 73)
        self.assertEqual(bench.sweep("free", "--scale", "9", "-o", "no/where/c")[0], 73)

    def test_another_binary_is_not_mixed_in(self):
        bench = self.swept()
        point = bench.campaign().points[0]
        (point.folder / "result.json").unlink()
        with open(bench.folder / "meshway", "a") as f:
            f.write("# another build\n")
        code, _, err = bench.sweep("resume", "c")
        self.assertEqual((code, "--allow-mixed" in err), (78, True))
        self.assertEqual(bench.sweep("resume", "c", "--allow-mixed")[0], 0)
        self.assertTrue(point.done)
        sha = hashlib.sha256((bench.folder / "meshway").read_bytes()).hexdigest()
        self.assertEqual(point.outcome["program_sha256"], sha)

    def test_a_moved_campaign_and_program_go_on(self):
        bench = self.swept()
        (bench.campaign().points[0].folder / "outcome.json").write_text("{")
        os.rename(bench.folder / "c", bench.folder / "d")
        self.assertEqual(bench.sweep("resume", "d")[0], 0)
        self.assertTrue(bench.campaign("d").points[0].done)

    def test_drift_of_the_machine_is_seen(self):
        bench = self.bench()
        bench.sweep("free", "--scale", "1..5", "-o", "c")
        for i, point in enumerate(bench.campaign().points):  # what was measured is this machine's
            path = point.folder / "outcome.json"
            files.write_json(path, {**files.read_json(path), "calibration_s": 2 if i == 2 else 1, "drifted": False})
        drifted = [point.outcome["drifted"] for point in bench.campaign().points]
        self.assertEqual(drifted, [False, False, True, False, False])
        self.assertIn("[machine drifted]", bench.sweep("status", "c")[1])

    def test_a_lock_keeps_the_second_out_and_dies_with_its_holder(self):
        bench = self.bench(delay=HANG)
        first = bench.start("free", "--scale", "8", "-o", "c")
        until(lambda: bench.log("begin"))
        code, _, err = bench.sweep("resume", "c")
        self.assertEqual((code, f"process {first.pid}" in err), (75, True))
        bench.behave()
        first.kill()
        first.communicate()
        self.assertEqual(bench.sweep("resume", "c")[0], 0)


class Ends(BenchCase):
    """Every cause of death leaves a campaign that resume completes."""

    def begun(self, *words, delay=HANG, n=1, **more):
        bench = self.bench(delay=delay, **more)
        sweep = bench.start("free", "--scale", "8,9", "--ranks", "2", "--oversubscribe", "--seed", "1", "--grace",
                            "1", "-o", "c", *words)
        self.addCleanup(sweep.wait)
        self.addCleanup(sweep.kill)
        until(lambda: len(bench.log("begin")) >= n or sweep.poll() is not None)
        return bench, sweep

    def completes(self, bench, tries=None):
        bench.behave()
        code, _, err = bench.sweep("resume", "c", "--wall-limit", str(HANG))
        self.assertEqual(code, 0, err)
        campaign = bench.campaign()
        self.assertTrue(all(p.done for p in campaign.points))
        self.assertEqual(kills.processes_of(bench.folder), [])
        self.assertEqual(sorted(bench.log("end")), sorted(p.hash for p in campaign.points))
        self.assertFalse([p for p in everything(bench.folder / "c") if p.name.startswith(".")])
        if tries is not None:
            self.assertEqual(max(p.outcome["tries"] for p in campaign.points), tries)

    def test_interrupted(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            bench, sweep = self.begun()
            sweep.send_signal(number)
            out, err = sweep.communicate()
            self.assertEqual(sweep.returncode, 75, err)
            self.assertIn("sweep resume", out)
            outcome = [p.outcome for p in bench.campaign().points if p.outcome][0]
            self.assertEqual(outcome["status"], "interrupted")
            self.assertIn(signal.Signals(number).name, outcome["cause"])
            self.assertEqual(bench.sweep("status", "c")[0], 75)
            self.completes(bench, 2)

    def test_interrupted_twice_does_not_wait(self):
        bench, sweep = self.begun("--grace", str(HANG), stubborn=["8", "9"])
        sweep.send_signal(signal.SIGINT)
        time.sleep(0.1)
        sweep.send_signal(signal.SIGINT)
        while sweep.poll() is None:  # ranks that are left get the grace, too
            for pid in kills.processes_of(bench.folder):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.05)
        sweep.communicate()
        self.assertEqual(sweep.returncode, 75)
        self.completes(bench)

    def test_the_runner_is_killed(self):
        bench, sweep = self.begun()
        sweep.kill()
        sweep.communicate()
        until(lambda: not kills.processes_of(bench.folder))  # they do not outlive it
        self.completes(bench, 2)

    def test_the_runner_is_killed_and_its_ranks_are_stubborn(self):
        bench, sweep = self.begun(stubborn=["8", "9"])
        sweep.kill()
        sweep.communicate()
        self.completes(bench, 2)  # resume ends them before it begins anything

    def test_mpiexec_is_killed(self):
        bench, sweep = self.begun("--retries", "0", stubborn=["8"])
        os.kill(kills.one_of(bench.folder, "mpiexec"), signal.SIGKILL)
        until(lambda: len(bench.log("begin")) >= 2)
        os.kill(kills.one_of(bench.folder, "mpiexec"), signal.SIGKILL)
        _, err = sweep.communicate()
        self.assertEqual(sweep.returncode, 70, err)
        self.assertEqual(kills.processes_of(bench.folder), [])
        self.assertIn("killed by SIGKILL", bench.campaign().points[0].outcome["cause"])
        self.completes(bench, 2)

    def test_a_rank_is_killed_and_the_point_is_tried_again(self):
        bench, sweep = self.begun()
        os.kill(kills.one_of(bench.folder, "meshway"), signal.SIGKILL)
        until(lambda: len(bench.log("begin")) >= 2)
        bench.behave()
        sweep.terminate()
        sweep.communicate()
        self.completes(bench)
        self.assertTrue((bench.campaign().points[0].folder / "try-1" / "outcome.json").exists())

    def test_a_run_that_had_ended_is_taken_over(self):
        """Killed after the result was written, before it was taken in."""
        bench = self.bench()
        bench.sweep("free", "--scale", "8", "-o", "c")
        point = bench.campaign().points[0]
        (point.folder / "outcome.json").unlink()
        self.assertEqual(bench.sweep("resume", "c")[0], 0)
        self.assertTrue(point.done and point.outcome["adopted"])
        self.assertEqual(len(bench.log("begin")), 1)
        (point.folder / "outcome.json").unlink()
        text = (point.folder / "result.json").read_text()
        (point.folder / "result.json").write_text(text.replace('"n_ranks": 1', '"n_ranks": 2'))
        self.assertEqual(bench.sweep("resume", "c")[0], 0)  # its own checksum tells
        self.assertEqual(len(bench.log("begin")), 2)

    def test_killed_while_an_earlier_try_is_put_aside(self):
        bench = self.bench(code={"8": 70})
        bench.sweep("free", "--scale", "8", "-o", "c", "--retries", "0")
        folder = bench.campaign().points[0].folder
        (folder / "aside").mkdir(0o700)
        os.rename(folder / "outcome.json", folder / "aside" / "outcome.json")
        (folder / ".cmd.json.0123").write_text("{")
        self.completes(bench, 2)
        self.assertEqual({p.name for p in (folder / "try-1").iterdir()},
                         {"cmd.json", "outcome.json", "stderr", "stdout"})

    def test_the_wall_limit(self):
        bench = self.bench(delay=HANG, stubborn=["9"])
        code, out, err = bench.sweep("free", "--scale", "8,9", "-o", "c", "--wall-limit", "1", "--grace", "0.5")
        self.assertEqual(code, 70, err)
        self.assertRegex(out, "next:      meshway sweep resume .*, with a longer --wall-limit\n$")
        for point in bench.campaign().points:
            self.assertEqual(point.outcome["status"], "timeout", point.outcome)
            self.assertIn("--wall-limit", point.outcome["cause"])
        self.assertEqual(bench.log("end"), [])
        self.completes(bench, 2)

    def test_a_full_disk(self):
        if os.geteuid() != 0:
            return self.skipTest("a small file system needs root")
        bench = self.bench()
        disk = bench.folder / "disk"
        disk.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200k,mode=700", "tmpfs", disk],
                          capture_output=True).returncode != 0:
            return self.skipTest("may not mount")
        self.addCleanup(subprocess.run, ["umount", "-l", disk], capture_output=True)
        ballast = disk / "ballast"
        for left in range(4, 120, 12):  # KiB: it fills up at another place each time
            name = f"disk/c{left}"
            ballast.write_bytes(b"")
            free = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
            ballast.write_bytes(b"x" * max(0, free - (left << 10)))
            code, out, err = bench.sweep("free", "--scale", "8", "--retries", "0", "-o", name)
            ballast.unlink()
            if code == 0:
                break
            self.assertIn(code, (73, 74), err)
            self.assertIn("No space left", err)
            if code == 74:
                self.assertIn("resume", err)
                self.assertEqual(bench.sweep("resume", name)[0], 0)
            else:  # not even begun: the same line works when there is room
                self.assertEqual(bench.sweep("free", "--scale", "8", "-o", name)[0], 0)
            self.assertTrue(all(p.done for p in bench.campaign(name).points))
            subprocess.run(["rm", "-rf", bench.folder / name], check=True)
        self.assertGreater(left, 16)

    def test_files_that_may_not_grow(self):
        """As a full disk, where nothing may be mounted: a run that says that it could not write."""
        bench = self.bench(once={"8": 74})
        code, _, err = bench.sweep("free", "--scale", "8,9", "--seed", "1", "-o", "c")
        self.assertEqual(code, 74, err)
        self.assertIn("resume", err)
        self.completes(bench, 2)

    def test_a_points_directory_vanishes(self):
        bench, sweep = self.begun("--retries", "0")
        point = next(p for p in bench.campaign().points if p.hash in bench.log("begin"))
        subprocess.run(["rm", "-rf", point.folder], check=True)
        os.kill(kills.one_of(bench.folder, "mpiexec"), signal.SIGTERM)
        until(lambda: len(bench.log("begin")) >= 2)
        self.assertEqual(point.outcome["cause"], "its directory has vanished")
        sweep.terminate()
        sweep.communicate()
        self.completes(bench)

    def test_the_campaigns_directory_vanishes(self):
        bench, sweep = self.begun()
        os.rename(bench.folder / "c", bench.folder / "gone")
        os.kill(kills.one_of(bench.folder, "mpiexec"), signal.SIGTERM)
        _, err = sweep.communicate()
        self.assertEqual(sweep.returncode, 74, err)
        self.assertIn("has vanished", err)
        os.rename(bench.folder / "gone", bench.folder / "c")
        self.completes(bench, 2)

    def test_a_bystander_of_the_same_name_survives(self):
        bench = self.bench(delay=HANG, stubborn=["8", "9"])
        bystander = subprocess.Popen([bench.folder / "meshway", "run", "--scale", "8", "--json", "result.json"],
                                     cwd=bench.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(bystander.wait)
        self.addCleanup(bystander.kill)
        sweep = bench.start("free", "--scale", "8", "--ranks", "2", "--oversubscribe", "-o", "c", "--grace", "0.5")
        until(lambda: len(bench.log("begin")) >= 2)
        sweep.kill()
        sweep.communicate()
        self.assertEqual(bench.sweep("resume", "c", "--wall-limit", "1", "--grace", "0.5")[0], 70)
        self.assertIsNone(bystander.poll())
        self.assertEqual(kills.processes_of(bench.folder), [bystander.pid])

    def test_random_kills(self):
        kills.campaigns(self.bench, 3, 8, seed=os.getpid(), say=lambda text: None)


class Runs(BenchCase):
    """What fails, what is refused, what is said."""

    def test_refused_points_are_listed(self):
        bench = self.bench(refuse={"9": "SCALE 9 needs 342.2 GiB per rank"})
        code, out, err = bench.sweep("free", "--scale", "8,9", "--ranks", "1,4096", "-o", "c")
        self.assertEqual(code, 0, err)
        by = {(p.axes["scale"], p.axes["ranks"]): p for p in bench.campaign().points}
        self.assertTrue(by[8, 1].done)
        self.assertEqual(by[8, 1].plan["memory_bytes_per_rank"], round(45.2 * (1 << 20)))
        self.assertGreater(by[8, 1].plan["time_s"], 0)
        self.assertIn("342.2 GiB", by[9, 1].outcome["cause"])
        self.assertIn("--oversubscribe", by[8, 4096].outcome["cause"])
        self.assertEqual({by[k].outcome["status"] for k in by if k != (8, 1)}, {"refused"})
        self.assertIn("3 refused", out)
        self.assertEqual(len(bench.log("begin")), 1)
        bench.behave()  # there is more memory now
        self.assertEqual(bench.sweep("resume", "c")[0], 0)
        self.assertTrue(by[9, 1].done)
        self.assertEqual(bench.sweep("free", "--scale", "8", "--ranks", "4096", "-o", "d")[0], 78)

    def test_more_ranks_than_cores_only_if_asked_for(self):
        bench = self.bench()
        ranks = str(len(os.sched_getaffinity(0)) + 1)
        code, _, err = bench.sweep("free", "--scale", "8", "--ranks", ranks, "--oversubscribe", "-o", "c")
        self.assertEqual(code, 0, err)
        self.assertTrue(bench.campaign().points[0].outcome["oversubscribed"])

    def test_what_failed_is_tried_again_and_what_cannot_work_is_not(self):
        bench = self.bench(code={"1": 65, "2": 70, "3": 76}, once={"4": 71}, no_result=["5"])
        code, out, err = bench.sweep("free", "--scale", "1..5", "--retries", "2", "-o", "c")
        by = {p.axes["scale"]: p.outcome for p in bench.campaign().points}
        self.assertEqual({s: (o["status"], o["tries"]) for s, o in by.items()},
                         {1: ("failed", 1), 2: ("failed", 3), 3: ("failed", 1), 4: ("ok", 2), 5: ("failed", 3)})
        self.assertIn("without a whole result", by[5]["cause"])
        self.assertEqual((by[2]["code"], by[2]["cause"]), (70, "as told"))
        self.assertIn(code, (65, 70, 76))
        self.assertEqual(out.count("failed:"), 4)
        self.assertIn("(trying again)", err)

    def test_each_point_has_the_plan_of_its_ranks(self):
        bench = self.bench()
        for seed in "1", "2", "3":  # which of them is asked about first
            code, _, err = bench.sweep("strong", "--scale", "8", "--ranks", "1,2", "--oversubscribe", "--seed", seed,
                                       "-o", seed)
            self.assertEqual(code, 0, err)
            by = {p.axes["ranks"]: p.plan["memory_bytes_per_rank"] for p in bench.campaign(seed).points}
            self.assertEqual(by, {n: round(45.2 / n * (1 << 20)) for n in (1, 2)})

    def test_a_plan_runs_nothing(self):
        bench = self.bench()
        code, out, err = bench.sweep("plan", "weak", "--per-rank-scale", "8", "--ranks", "1,4096")
        self.assertEqual(code, 0, err)
        self.assertIn("45.2 MiB per rank", out)
        self.assertIn("refused", out)
        self.assertEqual(list(bench.folder.glob("sweep-*")), [])
        self.assertEqual(bench.log("begin"), [])

    def test_the_laptop_preset(self):
        bench = self.bench()
        code, _, err = bench.sweep("weak", "--preset", "laptop", "--routing", "direct,relay", "-o", "c")
        self.assertEqual(code, 0, err)
        campaign = bench.campaign()
        self.assertEqual({(p.axes["scale"], *p.ways) for p in campaign.points},
                         {(16, "direct"), (17, "direct", "relay"), (18, "direct"), (19, "direct", "relay")})
        self.assertEqual([p.axes["scale"] for p in campaign.points].count(19), 3)
        self.assertEqual(bench.sweep("weak", "--preset", "laptop", "--repetitions", "1", "-o", "d")[0], 0)
        self.assertEqual(len(bench.campaign("d").points), 4)
        self.assertTrue(all(p.axes["threads"] == 1 for p in campaign.points))
        self.assertEqual(campaign.options["wall-limit"], 60)

    def test_lines_for_people(self):
        bench = self.bench()
        code, out, err = bench.sweep("free", "--scale", "8", "--routing", "direct,relay", "-o", "c")
        self.assertRegex(err, r"\[1/1\]  ok +ranks=1 scale=8  [0-9.]+ s  direct 1, relay 1 GTEPS")
        self.assertNotIn("\r", err)
        self.assertNotIn("\x1b", err)
        self.assertEqual(bench.sweep("free", "--scale", "8", "-q", "-o", "d")[2].count("\n"), 1)
        status = bench.sweep("status", "c")[1]
        self.assertIn(bench.campaign().points[0].hash, status)

    def test_an_output_for_each_point(self):
        bench = self.bench()
        bench.sweep("free", "--scale", "8", "--csv", "levels.csv", "-o", "c")
        self.assertIn("levels.csv", bench.campaign().points[0].argv)


if __name__ == "__main__":
    BenchCase.meshway = os.path.abspath(sys.argv.pop(1))
    unittest.main()
