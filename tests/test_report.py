#!/usr/bin/env python3
"""test_report.py ROOT MESHWAY [unittest's words] -- reading result files, statistics, the report and the
comparison: numbers against other ways to get them, and files that mean harm. Figures and page are skipped
where matplotlib or Jinja2 are missing, and that is said.

SPDX-License-Identifier: Apache-2.0
"""

import contextlib
import fractions
import hashlib
import html.parser
import importlib.util
import io
import json
import math
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

ROOT, MESHWAY = pathlib.Path(sys.argv[1]).resolve(), os.path.abspath(sys.argv[2])
sys.path.insert(0, str(ROOT / "tools"))
sys.path.insert(1, str(ROOT / "tests"))

import check_result  # noqa: E402
from meshway_sweep import campaign, compare, gnuplot, history, plan, published, report, results, samples, study, tables  # noqa: E402

EVIL = "<img src=x onerror=alert(1)>\x1b[2J\x07\u202e'\"&$x$"
MISSING = [name for name in ("matplotlib", "jinja2") if importlib.util.find_spec(name) is None]
drawn = unittest.skipIf(MISSING, f"{sys.executable} has no {' and no '.join(MISSING)}")


# --- results that nobody has run -----------------------------------------------------------------


def level(number, time_s, parts):
    """`parts`: mean nanoseconds by name."""
    waiting = sum(parts.get(p, 0) for p in ("waiting for batches", "collectives"))
    work = 1e-9 * (sum(parts.values()) - waiting)
    return {"level": number, "direction": ("top-down", "bottom-up")[number % 2], "time_s": time_s,
            "longest_work_s": work * 1.25, "mean_work_s": work, "n_active": 1, "n_active_edges": 2, "n_found": 1,
            "n_unvisited_edges": 3, "n_records": 4, "bytes": 4096, "n_batches": 3, "n_batches_by_size": [2, 0, 1],
            "jobs": {"all": 2, "alone": 2}, "spent_ns": {k: [v // 2, v, 2 * v] for k, v in parts.items()}}


def search(root, time_s, n_edges):
    ns = round(time_s * 1e9)
    levels = [level(0, time_s / 4, {"forward generator": ns // 4}),
              level(1, time_s * 3 / 4, {"heads": ns // 4, "collectives": ns // 4, "rest": ns // 4})]
    return {"root": root, "status": "ok", "time_s": time_s, "n_edges": n_edges, "n_edges_with_self_loops": n_edges,
            "teps": n_edges / time_s, "n_reached": 3, "n_levels": 3, "validate_s": 0.001, "modelled_s": None,
            "modelled_teps": None, "levels": levels}


def result(times, ranks=2, routing="direct", scale=12, host="host", seed=2):
    n_edges = 16 << scale
    return {
        "$schema": "urn:meshway:result:2", "schema_version": 2, "status": "ok", "reason": None, "stamps": [],
        "warnings": [], "validation": {"level": "full", "roots_checked": len(times), "passed": True},
        "graph": {"source": "kronecker", "file": None, "format": None, "not_used": None, "base": 0,
                  "vertex_names": "counted", "scale": scale, "edgefactor": 16, "seeds": [seed, 3],
                  "n_vertices": 1 << scale, "n_edges": n_edges, "n_edges_kept": n_edges, "n_connected": 1 << scale,
                  "digest": f"{scale:016x}-{seed:016x}-{3:016x}", "generation_s": 0.1, "construction_s": 0.2},
        "configuration": {"n_ranks": ranks, "n_hosts": 1, "threads_per_rank": 1, "cores_of_host": 2,
                          "oversubscribed": False, "backend": "openmp", "engine": "mpe", "n_clusters": 0,
                          "layout": None, "routing": routing, "n_groups": ranks, "group_width": 1, "n_peers": ranks - 1,
                          "batch_bytes": 65536, "small_input_bytes": 1024, "hang_timeout_s": 60.0, "placement": "here",
                          "algorithm": "bfs", "key_policy": "reference, distinct and connected", "clock": "monotonic",
                          "options": {"scale": {"value": scale, "origin": "command line"}}},
        "statistics": None,
        "memory": {"predicted_bytes": 100 << 20, "peak_bytes": 110 << 20, "sum_peak_bytes": ranks * 110 << 20,
                   "bytes_per_edge": 1.0},
        "provenance": {"build": {"program": "meshway", "version": "0.1.0", "commit": "0123456789ab", "dirty": False,
                                 "build_type": "Release", "compiler": "GNU", "flags": "-O3", "target": "Linux",
                                 "mpi": "MPICH", "backends": {}},
                       "machine": {"host": host, "user": "u", "kernel": "k", "cpu": "c", "n_cpus": 2, "n_numa": 1,
                                   "governor": "g", "smt": "off", "transparent_hugepage": "always", "cpuset": "0-1",
                                   "cgroup_cpu": None, "cgroup_memory_bytes": None, "memory_bytes": 1, "load_1min": 0.5,
                                   "container": None},
                       "argv": ["meshway"], "environment": {}, "started_utc": "", "ended_utc": "", "elapsed_s": 1.0,
                       "anonymized": False, "ranks": [{"rank": 0, "host": host, "cpus": "0"}]},
        "sent_between_ranks": sent(ranks, len(times)) if ranks > 1 else None,
        "searches": [search(i, t, n_edges) for i, t in enumerate(times)], "checksum": ""}


def sent(ranks, n):
    """Each sends to the next one only: a message and 100 bytes a search."""
    to_next = [[int(k == (i + 1) % ranks) for k in range(ranks)] for i in range(ranks)]
    return {"n_searches": n, "messages": [[n * x for x in row] for row in to_next],
            "bytes": [[100 * n * x for x in row] for row in to_next]}


def sealed(document):
    """As the program writes it: the checksum of all before its own line at the end."""
    text = json.dumps({k: v for k, v in document.items() if k != "checksum"}, indent=1)[:-2] + ",\n"
    value = check_result.fnv1a64(text.encode())
    return (text + f' "checksum": "fnv1a64:{value:016x}"\n}}\n').encode()


def put(path, document):
    path.write_bytes(sealed(document))
    return path


def put_campaign(folder, points, name="test", kind="weak"):
    """`points`: (axes, ways, repetition, results by way or None, outcome, plan)."""
    folder.mkdir()
    (folder / "points").mkdir()
    listed = []
    for i, (axes, ways, repetition, by_way, outcome, plan) in enumerate(points):
        digest = f"{i:016x}"
        listed.append({"hash": digest, "axes": axes, "repetition": repetition, "ways": ways,
                       "argv": ["mpiexec", "-n", str(axes["ranks"]), "meshway", "run", "--out", "a b"]})
        place = folder / "points" / digest
        place.mkdir()
        sums = {}
        for way, document in (by_way or {}).items():
            path = put(place / campaign.way_file(ways, way), document)
            sums[path.name] = hashlib.sha256(path.read_bytes()).hexdigest()
        if outcome is not None:
            (place / "outcome.json").write_text(json.dumps({"results": sums, **outcome}))
        if plan is not None:
            (place / "plan.json").write_text(json.dumps(plan))
    (folder / "campaign.json").write_text(json.dumps({
        "format": 1, "name": name, "kind": kind, "created": "2026-01-01T00:00:00Z",
        "meshway": {"version": "0.1.0", "commit": "0", "sha256": "0"}, "seed": 7, "repetitions": 1, "options": {},
        "points": listed}))
    return folder


def good(wall_s=2.0, calibration_s=0.005):
    return {"status": "ok", "code": 0, "wall_s": wall_s, "calibration_s": calibration_s}


def weak_points(rate=lambda ranks, way: 1e-3, n=16, host="host"):
    """Two ways on 1, 2 and 4 ranks; `rate`: seconds of a search."""
    points = []
    for k, ranks in enumerate((1, 2, 4)):
        by_way = {way: result([rate(ranks, way) * (1 + 0.01 * (i % 3)) for i in range(n)], ranks, way, 12 + k, host)
                  for way in ("direct", "relay")}
        points.append(({"ranks": ranks, "per-rank-scale": 12, "scale": 12 + k}, ["direct", "relay"], 0, by_way, good(),
                       {"code": 0, "time_s": 1.5, "search_s": 1e-3, "memory_bytes_per_rank": 1 << 20}))
    return points


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def quietly(self, run, *words, **more):
        """What it returns, printed, and warned."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(*words, **more)
        return code, out.getvalue(), err.getvalue()


# --- reading ----------------------------------------------------------------------------------------


class Reading(Case):
    def refused(self, data, said):
        path = self.folder / "x.json"
        path.write_bytes(data)
        with self.assertRaisesRegex(results.ResultError, said):
            results.read(path)

    def test_what_the_program_writes_is_read_with_its_own_figures(self):
        path = self.folder / "r.json"
        subprocess.run([MESHWAY, "run", "8", "--roots", "9", "--threads", "1", "--quiet", "--json", str(path)],
                       check=True, capture_output=True)
        r = results.read(path)
        self.assertTrue(results.checksum_holds(path.read_bytes()))
        self.assertEqual((r.scale, r.n_ranks, len(r.searches), r.validated), (8, 1, 9, True))
        s, teps = samples.summarize([x.seconds_per_edge for x in r.searches]), r.statistics["teps"]
        for ours, theirs in ((s.least, "min"), (s.first_quartile, "firstquartile"), (s.median, "median"),
                             (s.third_quartile, "thirdquartile"), (s.most, "max"),
                             (s.harmonic_mean, "harmonic_mean"), (s.harmonic_stddev, "harmonic_stddev")):
            self.assertTrue(math.isclose(ours, teps[theirs], rel_tol=1e-9), theirs)
        for x in r.searches:
            for l in x.levels:
                self.assertTrue(math.isclose(l.mean_s, l.time_s, rel_tol=0.01, abs_tol=1e-6))

    def test_invented_results_fit_the_schema(self):
        schema = json.loads((ROOT / "docs" / "result.schema.json").read_text())
        document = json.loads(sealed(result([1e-3, 2e-3])))
        check_result.check(document, schema, schema)

    def test_half_a_file_is_none(self):
        whole = sealed(result([1e-3]))
        self.assertEqual(len(results.from_document(results.parse(whole, "x"), "x").searches), 1)
        for cut in (0, 1, 100, len(whole) // 2, whole.rindex(b"checksum"), len(whole) - 3):
            self.refused(whole[:cut], "x.json")

    def test_another_version_is_named(self):
        for version in (1, 3, "2", None, True):
            self.refused(sealed({**result([1e-3]), "schema_version": version}), "schema_version")

    def test_depth_and_size_are_limited(self):
        self.refused(b"[" * 100000, "brackets in each other")
        self.refused(b'{"a":' * 40 + b"1" + b"}" * 40, "brackets in each other")
        most = results.BYTES_MOST
        try:
            results.BYTES_MOST = 1000
            self.refused(b" " * 1001, "MiB")
        finally:
            results.BYTES_MOST = most

    def test_who_sent_what_is_a_square(self):
        for change in ({"n_searches": 0}, {"bytes": [[0, 1]]}, {"messages": [[0, 1, 2]] * 3}, {"bytes": [[0, -1], [1, 0]]},
                       {"messages": 7}):
            document = result([0.5])
            document["sent_between_ranks"].update(change)
            with self.assertRaises(results.ResultError):
                results.from_document(document, "x")

    def test_numbers_that_are_none(self):
        for bad in ("NaN", "Infinity", "1e999", "-1", "true", '"1"', "null", "9" * 5000, "[1]"):
            text = sealed(result([0.5])).replace(b'"time_s": 0.5', b'"time_s": ' + bad.encode(), 1)
            if bad == "null":  # there is no time: the search does not count
                self.assertEqual(results.from_document(results.parse(text, "x"), "x").searches, ())
            else:
                self.refused(text, "x.json")

    def test_counts_and_texts_are_what_they_say(self):
        for place, bad in ((("graph", "scale"), "12"), (("graph", "n_edges"), 2**70), (("graph", "n_edges"), 1.5),
                           (("configuration", "routing"), 3), (("configuration", "options"), []),
                           (("memory", "peak_bytes"), None), (("provenance", "argv"), [1]), (("searches",), {}),
                           (("searches", 0, "levels"), 3), (("searches", 0, "levels", 0, "spent_ns"), {"a": [1, 2]}),
                           (("searches", 0, "levels", 0, "n_batches_by_size"), [True]), (("stamps",), [EVIL, 3])):
            document = result([1e-3])
            inner = document
            for key in place[:-1]:
                inner = inner[key]
            inner[place[-1]] = bad
            with self.subTest(place=place):
                self.refused(sealed(document), re.escape(str(place[-1])))

    def test_searches_that_end_early_have_no_rate(self):
        path = self.folder / "r.json"
        subprocess.run([MESHWAY, "run", "8", "--roots", "3", "--max-depth", "1", "--quiet", "--json", str(path)],
                       check=True, capture_output=True)
        r = results.read(path)
        self.assertEqual((r.stamps[0], r.searches), ("PARTIAL", ()))

    def test_a_changed_file_is_seen(self):
        path = put(self.folder / "a.json", result([1e-3]))
        path.write_bytes(path.read_bytes().replace(b'"SCALE"', b'"scale"').replace(b"0123456789ab", b"0123456789ac"))
        with self.assertRaisesRegex(campaign.SweepError, "checksum"):
            study.load(path)

    def test_control_characters_do_not_get_out(self):
        self.assertEqual(results.clean("a b\x1b[2J\n\x7f\u202e\ud800é"), "a b\ufffd[2J\ufffd\ufffd\ufffd\ufffdé")
        self.assertNotIn("\t", tables.cell("a\tb"))


# --- statistics -----------------------------------------------------------------------------------------


class Numbers(Case):
    def test_golden_summary(self):
        """By hand, of seconds per edge 1, 2, 4, 5, 8, and with fractions of any length."""
        s = samples.summarize([4.0, 1.0, 8.0, 2.0, 5.0])
        self.assertEqual((s.n, s.least, s.most, s.median, s.harmonic_mean), (5, 1 / 8, 1.0, 1 / 4, 1 / 4))
        self.assertEqual((s.first_quartile, s.third_quartile), (1 / 5, 1 / 2))
        draw = random.Random(1)
        for n in range(1, 20):
            y = [draw.randint(1, 999) / 64 for _ in range(n)]
            exact = [fractions.Fraction(v) for v in y]
            mean = sum(exact) / n
            variance = sum((v - mean) ** 2 for v in exact) / max(1, n - 1)
            s = samples.summarize(y)
            self.assertAlmostEqual(s.harmonic_mean, float(1 / mean))
            self.assertAlmostEqual(s.harmonic_stddev, math.sqrt(variance) / float(mean) ** 2 / math.sqrt(max(1, n - 1)))

    def test_intervals_are_repeatable_and_cover(self):
        draw = random.Random(5)
        covered = 0
        for trial in range(40):
            runs = [[draw.gauss(10, 1) for _ in range(32)] for _ in range(3)]
            i = samples.bootstrap(runs, resamples=200, seed=trial)
            self.assertEqual(i, samples.bootstrap(runs, resamples=200, seed=trial))
            covered += i.low <= 0.1 <= i.high
        self.assertGreaterEqual(covered, 29)  # 38 are expected of many searches; three runs are few

    def test_paired_roots_cancel(self):
        """Roots differ tenfold, sides by 10 %: only who pairs them sees it."""
        draw = random.Random(3)
        a = [[draw.choice((1.0, 10.0)) for _ in range(64)]]
        b = [[v * 1.1 for v in a[0]]]
        paired, apart = (samples.bootstrap_ratio(a, b, p) for p in (True, False))
        self.assertAlmostEqual(paired.low, 1 / 1.1)
        self.assertAlmostEqual(paired.high, 1 / 1.1)
        self.assertLess(apart.low, 0.9)
        self.assertGreater(apart.high, 1)

    def test_busy_moments_widen_the_interval(self):
        """The same values, once in one stretch and once spread out."""
        slow, n = 16, 64
        stretch = [[5.0] * slow + [1.0] * (n - slow)]
        spread = [[5.0 if i % 4 == 0 else 1.0 for i in range(n)]]
        a, b = (samples.bootstrap(runs) for runs in (stretch, spread))
        self.assertGreater(a.high - a.low, 1.2 * (b.high - b.low))


# --- what figures are drawn from ------------------------------------------------------------------------


class Tables(Case):
    def load(self, points, **more):
        return study.load(put_campaign(self.folder / "c", points, **more))

    def test_golden_rates_and_efficiency(self):
        s = self.load(weak_points(lambda ranks, way: {1: 1e-3, 2: 1.25e-3, 4: 2e-3}[ranks] * (2 if way == "relay" else 1)))
        self.assertTrue(s.weak)
        self.assertEqual([line.label for line in s.series], ["direct", "relay"])
        rate, at = tables.scaling(s), tables.scaling(s).column
        mean = [1 + 0.01 * (i % 3) for i in range(16)]
        for row in rate.rows:
            seconds = {1: 1e-3, 2: 1.25e-3, 4: 2e-3}[row[at("x")]] * (2 if row[0] == "relay" else 1)
            edges = 16 << {1: 12, 2: 13, 4: 14}[row[at("x")]]
            self.assertAlmostEqual(row[at("harmonic_mean_GTEPS")], 1e-9 * edges / (seconds * sum(mean) / 16))
            self.assertLessEqual(row[at("interval_low_GTEPS")], row[at("harmonic_mean_GTEPS")])
        ideal = [r[at("ideal_GTEPS")] / rate.rows[0][at("harmonic_mean_GTEPS")] for r in rate.rows[:3]]
        for x, y in zip(ideal, (1, 2, 4)):
            self.assertAlmostEqual(x, y)
        for row, expected in zip(tables.efficiency(s).rows, (1, 0.8, 0.5)):
            self.assertAlmostEqual(row[2], expected)

    def test_parts_add_up_to_levels(self):
        rows = tables.levels(self.load(weak_points())).rows
        for panel in {r[0] for r in rows}:
            self.assertAlmostEqual(sum(r[5] for r in rows if r[0] == panel), 1.01, delta=0.02)
        self.assertTrue(all(r[4] <= r[5] <= r[6] for r in rows))
        self.assertEqual(tables.levels(study.load(self.folder / "c")).text.count("25%"), 1)

    def test_messages_and_predictions(self):
        s = self.load(weak_points())
        sizes = [r for r in tables.sizes(s).rows if r[0] == "direct"]
        self.assertEqual([r[2:] for r in sizes], [(16, 31, 4.0), (32, 63, 0.0), (64, 127, 2.0)])
        traffic = tables.traffic(s).rows[0]
        self.assertEqual(traffic[3], 8192)
        self.assertAlmostEqual(traffic[4], 8192 / (16 << 12))
        self.assertEqual(traffic[5], 6)
        self.assertAlmostEqual(tables.memory(s).rows[0][5], 1.1)
        between = tables.between(s)
        self.assertEqual(len(between.rows), 2 * 4 * 4)
        self.assertEqual([r[1:] for r in between.rows if r[4] > 0][:4],
                         [(0, 1, 1, 100), (1, 2, 1, 100), (2, 3, 1, 100), (3, 0, 1, 100)])
        self.assertIn("Most: 100 bytes from rank 0 to rank 1, direct, 4 ranks, SCALE 14, 3 times the mean", between.text)
        times = tables.times(s).rows
        self.assertEqual({r[0] for r in times}, {"whole point", "search (median)"})
        self.assertAlmostEqual(times[0][6], 2.0 / 1.5)
        self.assertEqual([sum(r[0] == what for r in times) for what in ("whole point", "search (median)")], [3, 6])

    def test_a_result_brings_its_own_prediction(self):
        one = result([2e-3, 4e-3, 6e-3])
        one["prediction"] = {"generation_s": 0.1, "construction_s": 0.1, "search_s": 5e-3, "validation_s": 1.0,
                             "run_s": 9.0, "measured_rates": True}
        s = self.load([({"ranks": 2, "scale": 12}, [], 0, {"": one}, good(), None)], kind="free")
        rows = {r[0]: r[4:7] for r in tables.times(s).rows}
        self.assertEqual(set(rows), {"construction", "search (median)", "validation (median)"})
        for ours, expected in zip(rows["construction"] + rows["search (median)"], (0.1, 0.2, 2, 5e-3, 4e-3, 0.8)):
            self.assertAlmostEqual(ours, expected)

    def test_plans_with_measured_rates_say_times(self):
        text = ("time        modelled: rates measured on h, 2 ranks of 1 thread\ngeneration  500 ms\nconstruct   1.5 s\n"
                "search      2.5 ms in the middle, quartiles 2 ms and 3 ms; 1 GTEPS\nrun         10 s with 64 roots\n")
        whole, search_s = plan.modelled_times([text, text], 0.25)
        self.assertAlmostEqual(whole, 0.25 + 2 + 2 * 8)
        self.assertAlmostEqual(search_s, 2.5e-3)
        self.assertEqual(plan.modelled_times([text, text.replace("measured on", "of another")], 0), (None, None))

    def test_repetitions_are_pooled(self):
        axes = {"ranks": 2, "scale": 12}
        s = self.load([(axes, [], r, {"": result([t] * 4)}, good(), None) for r, t in enumerate((1e-3, 2e-3))], kind="free")
        (setting,) = s.settings
        self.assertEqual((len(setting.samples), setting.summary.n), (2, 8))
        self.assertAlmostEqual(setting.summary.harmonic_mean, (16 << 12) / 1.5e-3)

    def test_tsv_is_one_line_a_row(self):
        table = tables.Table("t", "", "", ("a", "b"), [("x\ty\nz", None), (EVIL, 1 / 3)])
        lines = table.tsv().split("\n")
        self.assertEqual([len(line.split("\t")) for line in lines], [2, 2, 2, 1])

    def test_gnuplot_reads_what_is_written_for_it(self):
        points = weak_points()
        points[0][0]["placement"] = points[1][0]["placement"] = points[2][0]["placement"] = "x"
        points.append(({"ranks": 2, "scale": 13, "per-rank-scale": 12, "placement": "it's `id` \"$HOME\""}, ["direct"], 0,
                       {"direct": result([1e-3] * 4, scale=13)}, good(), None))
        s = self.load(points)
        made = tables.all_tables(s, published.load())
        text = gnuplot.script(made, tables.x_words(s))
        self.assertIn("'direct, placement it''s `id` \"$HOME\"'", text)
        if shutil.which("gnuplot") is None:
            self.skipTest("there is no gnuplot")
        out = self.folder / "out"
        (out / "data").mkdir(parents=True)
        (out / "figures").mkdir()
        (out / "plot.gp").write_text(text)
        for t in made:
            (out / "data" / f"{t.name}.tsv").write_text(t.tsv())
        done = subprocess.run(["gnuplot", "plot.gp"], cwd=out, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        for line in done.stderr.splitlines():  # one value has no range, and it says so
            self.assertIn("warning: ", line.lower())
        self.assertGreater((out / "figures" / "scaling-gnuplot.svg").stat().st_size, 2000)

    def test_published_has_sources(self):
        for p in published.load():
            self.assertTrue(p.source and p.gteps > 0 and (p.units is None) == (p.unit == ""), p)
            self.assertTrue(p.status == "published" or "Meshway's authors" in p.source, p)


# --- the page -------------------------------------------------------------------------------------------


class Seen(html.parser.HTMLParser):
    """What a browser would find."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.ids, self.words, self.attributes = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *a) for a in attrs]
        self.ids += [v for k, v in attrs if k == "id"]

    def handle_data(self, data):
        self.words.append(data)


class Report(Case):
    def make(self, points, out="out", with_published=False, **more):
        put_campaign(self.folder / "c", points, **more)
        code, said, warned = self.quietly(report.report, str(self.folder / "c"), str(self.folder / out), with_published,
                                          False, False)
        self.assertEqual((code, warned), (0, ""))
        return (self.folder / out / "index.html").read_text(), said

    def check_harmless(self, page):
        seen = Seen(page)
        self.assertFalse({"script", "img", "iframe", "object", "embed", "link", "form", "base", "image"} & set(seen.tags))
        self.assertFalse([a for a in seen.attributes if a[1].startswith("on")])
        for tag, key, value in seen.attributes:
            if key in ("href", "src", "xlink:href", "action"):
                self.assertRegex(value, r"^(#[\w.-]+|(data|figures)/\w+\.(tsv|svg|pdf))$")
            if key == "style" or tag == "style":
                self.assertNotRegex(value or "", r"url\((?!#)|@import|expression")
        self.assertEqual(len(seen.ids), len(set(seen.ids)))
        self.assertNotRegex(page, "[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e]")
        head = page[:page.index("<style>")]
        self.assertIn("default-src 'none'", head)
        self.assertLess(head.index("Content-Security-Policy"), head.index("<title>"))
        return seen

    @drawn
    def test_a_campaign_with_everything(self):
        points = weak_points(lambda ranks, way: 1e-3 * ranks ** 0.3, host=EVIL)
        points[1][3]["direct"]["provenance"]["build"]["commit"] = "ba9876543210"
        points[1][3]["relay"]["warnings"] = [EVIL]
        points[2][4]["calibration_s"] = 0.009
        points.append(({"ranks": 8, "scale": 15, "per-rank-scale": 12, EVIL: EVIL}, [EVIL, "relay"], 0, None,
                       {"status": "failed", "code": 70, "cause": EVIL + "\nsecond line"}, None))
        points.append(({"ranks": 16, "scale": 16, "per-rank-scale": 12}, ["direct"], 0, None,
                       {"status": "refused", "code": 78, "cause": "needs 1 TiB"}, None))
        points.append(({"ranks": 32, "scale": 17, "per-rank-scale": 12}, ["direct"], 0, None, None, None))
        self.addCleanup(os.umask, os.umask(0o027))
        page, said = self.make(points, with_published=True, name=EVIL)
        seen = self.check_harmless(page)
        self.assertIn("3 of 6 with a result", said)
        words = " ".join(" ".join(seen.words).split())
        for text in ("<img src=x onerror=alert(1)>", "needs 1 TiB", "its turn has not come", "ba9876543210",
                     "mpiexec -n 8 meshway run --out 'a b'", "1 item differs", "+80%", "seed 20170529",
                     "Kronecker graphs", "Sunway TaihuLight", "DRIFTED"):
            self.assertIn(text, words)
        charts = [a for a in seen.attributes if a[:2] == ("svg", "aria-labelledby")]
        self.assertEqual(len(charts), 10)
        for _, _, value in charts:
            for name in value.split():
                self.assertIn(name, seen.ids)
        for name in ("scaling", "efficiency", "levels", "traffic", "sizes", "between", "memory", "times", "phases", "published"):
            for file in (f"figures/{name}.svg", f"figures/{name}.pdf", f"data/{name}.tsv"):
                self.assertGreater((self.folder / "out" / file).stat().st_size, 100, file)
            self.assertEqual((self.folder / "out" / "figures" / f"{name}.svg").stat().st_mode & 0o777, 0o640)
        self.assertEqual({(self.folder / "out" / d).stat().st_mode & 0o777 for d in (".", "data", "figures")}, {0o750})
        with_style = (self.folder / "out" / "figures" / "scaling.svg").read_text()
        self.assertIn("stroke-dasharray", with_style)  # series differ by more than colour
        self.assertRegex(with_style, r"font: [^;]*sans-serif[^>]*>GTEPS</text>")  # live text, in any browser
        self.assertRegex((self.folder / "out" / "figures" / "scaling.pdf").read_bytes(), rb"/FontFile2")  # no Type 3

    @drawn
    def test_names_of_points_do_not_lie_on_each_other(self):
        from meshway_sweep import figures
        figure, axes = figures.lines_axes()
        self.addCleanup(figures.plt.close, figure)
        figures.name_apart(axes, [(2, 2, "1"), (2, 2.01, "2"), (2, 3, "4"), (2, 3.02, "8")], 100)
        self.assertEqual([t.get_text() for t in axes.texts], ["8", "1"])

    @drawn
    def test_one_point(self):
        page, _ = self.make([({"ranks": 1, "scale": 12}, [], 0, {"": result([1e-3], 1)}, good(), None)], kind="free")
        self.check_harmless(page)
        self.assertIn("1 of 1", page)
        self.assertIn("None: the one point has a result.", page)
        self.assertIn("The same for the one result.", page)
        self.assertNotRegex(page[:page.index("<main>")] + page[page.index("id=\"results\""):], r"\b1 (points|runs|results|ranks|cores|threads)\b")

    @unittest.skipIf("jinja2" in MISSING, "there is no Jinja2")
    def test_nothing_to_draw(self):
        failed = {"status": "failed", "code": 1, "cause": None, "signal": 9}
        for name, points in (("empty", []), ("failed", [({"ranks": 1}, [], 0, None, failed, None)] * 2)):
            with self.subTest(name):
                folder = put_campaign(self.folder / name, points)
                code, said, _ = self.quietly(report.report, str(folder), None, False, False, False)
                page = (folder / "report" / "index.html").read_text()
                self.assertEqual(code, 0)
                self.check_harmless(page)
                self.assertIn("No point has a result", page)
                self.assertEqual("signal 9" in page, name == "failed")
                code, _, _ = self.quietly(report.report, str(folder), None, False, False, False)
                self.assertEqual(code, 0)  # a report replaces a report

    def test_without_libraries_there_are_numbers(self):
        folder = put_campaign(self.folder / "c", weak_points())
        code = ("import sys; sys.modules['matplotlib'] = sys.modules['jinja2'] = None\n"
                f"sys.path.insert(0, {str(ROOT / 'tools')!r})\n"
                "from meshway_sweep import report, campaign\n"
                "try: report.report(sys.argv[1], None, False, False, False)\n"
                "except campaign.SweepError as e: print(e, file=sys.stderr); sys.exit(e.code)\n")
        done = subprocess.run([sys.executable, "-B", "-c", code, str(folder)], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 69)
        self.assertIn("python3-jinja2", done.stderr)
        self.assertIn("python3-matplotlib", done.stderr)
        self.assertEqual(len(list((folder / "report" / "data").iterdir())), 9)
        self.assertTrue((folder / "report" / "plot.gp").exists())

    def without(self, libraries, *words):
        """The page, and what was warned, where Python has none of these libraries; no other Python is asked."""
        folder = self.folder / "c" if (self.folder / "c").exists() else put_campaign(self.folder / "c", weak_points())
        code = (f"import sys\nfor name in {libraries!r}: sys.modules[name] = None\n"
                f"sys.path.insert(0, {str(ROOT / 'tools')!r})\n"
                "from meshway_sweep import report\n"
                f"sys.exit(report.report(sys.argv[1], None, True, False, {'quiet' in words}))\n")
        done = subprocess.run([sys.executable, "-B", "-c", code, str(folder)], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return (folder / "report" / "index.html").read_text(), done.stderr

    @unittest.skipIf("jinja2" in MISSING, "there is no Jinja2")
    def test_a_page_without_figures_says_so(self):
        for words in (), ("quiet",):
            page, warned = self.without(["matplotlib"], *words)
            self.assertIn("warning: no figures: ", warned)
            self.assertIn("python3-matplotlib", warned)
        seen = self.check_harmless(page)
        text = " ".join(" ".join(seen.words).split())
        self.assertNotIn("svg", seen.tags)
        self.assertEqual(text.count("NO FIGURES: "), 1)
        self.assertEqual(text.count("Not drawn: "), 10)
        self.assertEqual(len([a for a in seen.attributes if a[:2] == ("details", "open")]), 10)
        # Nothing speaks of marks that nobody can see.
        captions = re.findall("<figcaption>(.*?)</figcaption>", page, re.DOTALL)
        self.assertEqual(len(captions), 10)
        for caption in captions:
            self.assertNotRegex(caption.lower(), r"band|dotted|tick|bars?\b|line\b|lines\b|\bthin\b|rows|column")
        self.assertIn("Highest: ", captions[0])

    @drawn
    def test_a_caption_says_what_its_marks_mean(self):
        page, _ = self.make(weak_points())
        for text in ("band: quartiles", "Dotted: ", "Bars: 95% bootstrap", "The tick is the rank", "Rows send", "Band: 10 %"):
            self.assertEqual(page.count(text), 2, text)  # under the drawing, and for who cannot see it
        self.assertNotIn("NO FIGURES", page)
        self.assertNotIn("Not drawn", page)

    @drawn
    def test_drawings_of_an_earlier_report_do_not_stay(self):
        self.make(weak_points(), out="c/report", with_published=True)
        figures, data = (self.folder / "c" / "report" / d for d in ("figures", "data"))
        self.assertTrue((figures / "scaling.svg").exists() and (data / "published.tsv").exists())
        (figures / "mine.svg").touch()
        self.without(["matplotlib"])
        self.assertEqual([p.name for p in figures.iterdir()], ["mine.svg"])
        self.quietly(report.report, str(self.folder / "c"), None, False, False, False)
        self.assertFalse((data / "published.tsv").exists())

    def test_a_library_that_does_not_load_is_a_reason_not_a_crash(self):
        (self.folder / "matplotlib").mkdir()
        (self.folder / "matplotlib" / "__init__.py").write_text("raise AttributeError('_ARRAY_API not found')")
        folder = put_campaign(self.folder / "c", weak_points())
        code = f"import sys; sys.path[:0] = [{str(self.folder)!r}, {str(ROOT / 'tools')!r}]\nfrom meshway_sweep import report\n" \
               "report.report(sys.argv[1], None, False, False, False)"
        done = subprocess.run([sys.executable, "-B", "-c", code, str(folder)], capture_output=True, text=True, check=False)
        self.assertIn("warning: no figures: ", done.stderr)
        self.assertIn("_ARRAY_API not found", done.stderr)

    def example(self, name):
        with tarfile.open(ROOT / "docs" / "examples" / f"{name}.tar.xz") as archive:
            archive.extractall(self.folder)
        return study.load(self.folder / name)

    def test_the_examples_are_whole(self):
        """Results have their checksums, and the numbers that the page about them has."""
        for name, runs, troubles in (("two-cores", 12, 3), ("many-cores", 36, 0)):
            s = self.example(name)
            self.assertEqual((len(s.runs), len(s.troubles)), (runs, troubles))
            self.assertLessEqual({t.status for t in s.troubles}, {"refused"})
        page = (ROOT / "docs" / "examples" / "README.md").read_text()
        rates = {row[:2]: row[7] for row in map(tuple, tables.scaling(s).rows)}
        self.assertIn(f"One rank makes {rates['direct', 1]:.1f} GTEPS\nand 32 make {rates['direct', 32]:.0f} to "
                      f"{rates['relay', 32]:.0f}. So a core keeps {rates['relay', 32] / rates['relay', 1] / 32:.0%}".replace("%", " %"),
                      page)

    @drawn
    def test_an_example_makes_its_page_again(self):
        s = self.example("two-cores")
        self.assertEqual(self.quietly(report.report, str(self.folder / "two-cores"), None, False, False, True)[0], 0)
        page = (self.folder / "two-cores" / "report" / "index.html").read_text()
        self.check_harmless(page)
        for t in s.troubles:
            self.assertIn(t.point, page)
        self.assertEqual((page.count("<figure "), page.count("<svg ")), (9, 9))

    @drawn
    def test_pictures_of_our_pages_are_made_again(self):
        from meshway_sweep import chart
        for name, heading in (("rates", "Search rates"), ("algorithms", "All algorithms")):
            out = self.folder / f"{name}.svg"
            self.assertEqual(self.quietly(chart.chart, str(ROOT / "docs/performance.md"), heading, str(out))[0], 0)
            # Where text ends up depends on the version of matplotlib: what is said, and how long bars are, does not.
            made, committed = (re.findall(r">([^<>\n]+)</text>", p.read_text()) for p in (out, ROOT / f"docs/{name}.svg"))
            self.assertEqual((made, len(made) > 20), (committed, True))
            if importlib.import_module("matplotlib").__version__ == "3.6.3":
                self.assertEqual(out.read_bytes(), (ROOT / f"docs/{name}.svg").read_bytes())

    @drawn
    def test_a_table_of_ones_own(self):
        page = self.folder / "own.md"
        page.write_text("# Mine\n\n| code | ms |\n|---|---|\n| a | 1,200 |\n| b | 3 of 4 |\n")
        for source, heading, code in ((page, "Mine", 0), (page, "Yours", 65), (self.folder / "none", "Mine", 66)):
            done = subprocess.run([MESHWAY, "report", source, "--table", heading], capture_output=True, text=True)
            self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(">1,200</text>", page.with_suffix(".svg").read_text())

    def test_only_reports_are_replaced(self):
        folder = put_campaign(self.folder / "c", [])
        strange = self.folder / "mine"
        strange.mkdir()
        (strange / "thesis.tex").touch()
        (self.folder / "link").symlink_to(strange)
        for out in (strange, self.folder / "link"):
            with self.assertRaises(campaign.SweepError) as e:
                report.report(str(folder), str(out), False, False, True)
            self.assertEqual(e.exception.code, 73)
        self.assertEqual([p.name for p in strange.iterdir()], ["thesis.tex"])

    def test_what_is_no_campaign(self):
        (self.folder / "empty").mkdir()
        for path in (self.folder / "empty", self.folder / "none"):
            with self.assertRaises(campaign.SweepError) as e:
                study.load(path)
            self.assertEqual(e.exception.code, 66)


# --- comparing -------------------------------------------------------------------------------------------


class Compare(Case):
    def noisy(self, name, factor=1.0, seed=0, repetitions=3, sigma=0.03, **more):
        draw = random.Random(seed)
        roots = [math.exp(random.Random(i).gauss(0, 0.3)) for i in range(32)]
        points = []
        for ranks in (1, 2):
            for r in range(repetitions):
                run = math.exp(draw.gauss(0, 0.005))
                times = [1e-3 * factor * run * root * math.exp(draw.gauss(0, sigma)) for root in roots]
                points.append(({"ranks": ranks, "scale": 12}, [], r, {"": result(times, ranks, **more)}, good(), None))
        return str(put_campaign(self.folder / name, points, kind="strong"))

    def run_it(self, a, b, threshold=0.05, statistic="harmonic-mean", as_json=False, floor=0.25):
        return self.quietly(compare.run, a, b, compare.Limits(threshold, floor), statistic, as_json, False)

    def test_a_planted_regression(self):
        a, b = self.noisy("a"), self.noisy("b", factor=1 / 0.9, seed=1)
        for statistic in samples.STATISTICS:
            code, said, warned = self.run_it(a, b, statistic=statistic)
            self.assertEqual(code, 1, said)
            self.assertIn("2 of 2 points became slower", warned)
            self.assertEqual(said.count("slower"), 2)
        code, said, _ = self.run_it(b, a)
        self.assertEqual((code, said.count("faster")), (0, 2))
        one, slow = (put(self.folder / f"{n}.json", result([t] * 16)) for n, t in (("one", 1e-3), ("slow", 3e-3)))
        self.assertIn("the one point became slower", self.run_it(str(one), str(slow))[2])
        self.assertEqual(self.run_it(a, b, threshold=0.2)[0], 0)

    def test_noise_only(self):
        a = self.noisy("a")
        for seed in range(1, 4):
            code, said, _ = self.run_it(a, self.noisy(f"b{seed}", seed=seed))
            self.assertEqual(code, 0, said)
        self.assertIn("same", said)

    def test_little_evidence_is_no_verdict(self):
        """10 % slower, and searches that differ by as much: two searches do not tell."""
        a = put(self.folder / "a.json", result([1e-3, 1.3e-3]))
        b = put(self.folder / "b.json", result([1.5e-3, 1.02e-3]))
        code, said, _ = self.run_it(str(a), str(b))
        self.assertEqual(code, 0)
        self.assertIn("unsure", said)

    def test_one_run_is_no_verdict_below_the_floor(self):
        """15 % slower, and its interval says so: but equal runs may differ by as much."""
        a = self.noisy("a", repetitions=1, sigma=0.001)
        b = self.noisy("b", factor=1 / 0.85, seed=1, repetitions=1, sigma=0.001)
        for before, after in ((a, b), (b, a), (a, a)):
            code, said, warned = self.run_it(before, after)
            self.assertEqual((code, said.count("unsure"), warned), (0, 2, ""))
            self.assertIn("note: one run on a side: the interval covers roots, not what runs differ by, so only a "
                          "change of more than 25.0% (--floor) is called one (2 of 2 points)", said)
        self.assertEqual(self.run_it(a, b, floor=0.1)[0], 1)
        self.assertEqual(self.run_it(a, b, floor=0, threshold=0.2)[0], 0)
        document = json.loads(self.run_it(a, b, as_json=True)[1])
        self.assertEqual((document["floor"], document["regression"]), (0.25, False))
        self.assertTrue(all(p["n_runs"] == [1, 1] and p["high"] < 0.95 for p in document["points"]))
        slow = self.noisy("slow", factor=1 / 0.7, seed=1, repetitions=1)
        self.assertEqual(self.run_it(a, slow)[0], 1)
        # Three runs of one side do not tell what the other's differ by.
        self.assertEqual(self.run_it(self.noisy("three"), b)[0], 0)

    def test_json_says_the_same(self):
        code, said, _ = self.run_it(self.noisy("a"), self.noisy("b", factor=1 / 0.9, seed=1), as_json=True)
        document = json.loads(said)
        self.assertEqual((code, document["regression"], len(document["points"])), (1, True, 2))
        for p in document["points"]:
            self.assertTrue(p["low"] <= p["ratio"] <= p["high"] and p["paired"] and p["n_runs"] == [3, 3], p)
            self.assertAlmostEqual(p["ratio"], 0.9, delta=0.02)

    def test_unmatched_points_are_listed(self):
        a = put_campaign(self.folder / "a", weak_points())
        b = put_campaign(self.folder / "b", weak_points()[:2] + [
            ({"ranks": 8, "scale": 15, "per-rank-scale": 12}, ["direct"], 0, None, {"status": "failed", "cause": EVIL}, None)])
        code, said, _ = self.run_it(str(a), str(b))
        self.assertEqual(code, 0)
        self.assertEqual(said.count("only in A: "), 2)
        self.assertRegex(said, r"no result: B: direct, 8 ranks, .*\([0-9a-f]+\): failed: ")
        self.assertNotIn("\x1b", said)

    def test_provenance_that_differs_is_said(self):
        other = result([1e-3] * 4)
        other["provenance"]["build"]["commit"] = EVIL
        a, b = put(self.folder / "a.json", result([1e-3] * 4)), put(self.folder / "b.json", other)
        code, said, _ = self.run_it(str(a), str(b))
        self.assertEqual(code, 0)
        self.assertIn("differs: program, commit: 0123456789ab -> <img", said)
        self.assertNotIn("\x1b", said)

    def test_other_graphs_are_not_compared(self):
        a = put(self.folder / "a.json", result([1e-3] * 4))
        for name, other in (("seed", result([1e-3] * 4, seed=9)), ("scale", result([1e-3] * 4, scale=13)),
                            ("ranks", result([1e-3] * 4, ranks=4))):
            b = put(self.folder / f"{name}.json", other)
            with self.assertRaises(campaign.SweepError) as e:
                self.run_it(str(a), str(b))
            self.assertEqual(e.exception.code, 65)

    def test_thresholds_are_parts(self):
        a = str(put(self.folder / "a.json", result([1e-3] * 4)))
        for threshold in (-0.1, 1, 5, math.nan):
            with self.assertRaises(campaign.SweepError) as e:
                self.run_it(a, a, threshold=threshold)
            self.assertEqual(e.exception.code, 64)
            with self.assertRaises(campaign.SweepError) as e:
                self.run_it(a, a, floor=threshold)
            self.assertEqual(e.exception.code, 64)


# --- as users start it ------------------------------------------------------------------------------------


class History(Case):
    def put(self, name, times, started, commit, **more):
        document = result(times, **more)
        document["provenance"]["started_utc"] = started
        document["provenance"]["build"]["commit"] = commit
        return put(self.folder / name, document)

    def some(self):
        """Four commits; the third is a fifth slower. Names are in no order, and one folder is a campaign."""
        self.put("z.json", [1e-3] * 8, "2026-01-01T10:00:00Z", "aaa")
        self.put("y.json", [1e-3] * 8, "2026-01-02T10:00:00Z", "bbb")
        self.put("x.json", [3e-3] * 8, "2026-01-02T11:00:00Z", "bbb")
        self.put("a.json", [2.5e-3] * 8, "2026-01-03T10:00:00Z", "ccc")
        self.put("h.json", [1e-3] * 8, "2026-01-03T10:00:00Z", "ccc", host="another")
        self.put("g.json", [1e-3] * 8, "2026-01-03T10:00:00Z", "ccc", seed=7)
        late = result([2.5e-3] * 8)
        late["provenance"]["started_utc"] = "2026-01-04T10:00:00Z"
        put_campaign(self.folder / "late", [({"ranks": 2, "scale": 12}, [], 0, {"": late}, good(), None),
                                            ({"ranks": 4}, [], 0, None, {"status": "refused", "cause": "no"}, None)])

    def test_rows_stand_in_the_order_of_time(self):
        self.some()
        (self.folder / "half.json").write_text("{")
        groups, troubles = history.load(self.folder, "harmonic-mean")
        self.assertEqual([len(g.rows) for g in groups], [1, 4, 1])  # another host; the same; another graph
        rows = next(g.rows for g in groups if len(g.rows) == 4)
        self.assertEqual([(r.date, r.commit, r.n_runs, r.n_searches) for r in rows],
                         [("2026-01-01", "aaa", 1, 8), ("2026-01-02", "bbb", 2, 16), ("2026-01-03", "ccc", 1, 8),
                          ("2026-01-04", "0123456789ab", 1, 8)])
        self.assertIsNone(rows[0].ratio)
        for row, ratio in zip(rows[1:], (0.5, 0.8, 1.0)):
            self.assertAlmostEqual(row.ratio, ratio)
            self.assertTrue(row.low <= row.teps <= row.high)
        self.assertAlmostEqual(rows[0].teps, (16 << 12) / 1e-3)
        self.assertEqual(len(troubles), 1)  # what was refused is none
        self.assertIn("half.json", troubles[0])

    def test_what_was_asked_for_parts_groups_and_defaults_do_not(self):
        for name, value, origin in (("a", "off", "default"), ("b", "auto", "default"), ("c", "off", "command line")):
            document = result([1e-3] * 4)
            document["configuration"]["tune"] = {"hubs": {"value": value, "origin": origin}}
            put(self.folder / f"{name}.json", document)
        groups, _ = history.load(self.folder, "median")
        self.assertEqual([(g.rows[0].n_runs, g.name.split(", ")[-1]) for g in groups], [(2, "direct"), (1, "hubs off")])

    def test_text_and_json_say_the_same(self):
        self.some()
        code, said, _ = self.quietly(history.show, str(self.folder), "harmonic-mean", False, None)
        self.assertEqual(code, 0)
        self.assertIn("-20.0%", said)
        self.assertIn("bfs, kronecker, SCALE 12, edge factor 16, 2x1, openmp, direct (host, c)", said)
        document = json.loads(self.quietly(history.show, str(self.folder), "harmonic-mean", True, None)[1])
        self.assertEqual(sum(len(g["rows"]) for g in document["groups"]), 6)

    @unittest.skipIf("jinja2" in MISSING, "there is no Jinja2")
    def test_the_page_is_harmless_and_replaces_nothing(self):
        self.some()
        self.put("evil.json", [1e-3] * 8, "2026-01-05", EVIL, host=EVIL)
        page = self.folder / "page.html"
        self.assertEqual(self.quietly(history.show, str(self.folder), "median", False, str(page))[0], 0)
        text = page.read_text()
        Report.check_harmless(self, text)
        self.assertEqual((text.count("<table>"), text.count("-20.0%")), (4, 1))
        self.assertIn("&lt;img", text)
        with self.assertRaises(campaign.SweepError) as e:
            history.show(str(self.folder), "median", False, str(page))
        self.assertEqual(e.exception.code, 73)

    def test_where_there_is_nothing(self):
        for folder, code in ((self.folder / "none", 66), (self.folder, 65)):
            with self.assertRaises(campaign.SweepError) as e:
                history.show(str(folder), "median", False, None)
            self.assertEqual(e.exception.code, code)


class Program(Case):
    place = None

    def meshway(self, *words):
        """With the interpreter that runs this test."""
        path = os.pathsep.join((os.path.dirname(self.python()), os.environ.get("PATH", "")))
        return subprocess.run([MESHWAY, *map(str, words)], capture_output=True, text=True, check=False,
                              env={**os.environ, "PATH": path}, cwd=self.folder)

    def python(self):
        place = self.place or self.folder / "bin"
        place.mkdir(exist_ok=True)
        if not (place / "python3").exists():
            (place / "python3").symlink_to(sys.executable)
        return str(place / "python3")

    @unittest.skipIf("jinja2" in MISSING, "there is no Jinja2")
    def test_watts_are_told_where_they_were_measured(self):
        drawn = {}
        for name, watts in (("low", 50.0), ("high", 80.5), ("none", None)):
            drawn[name] = result([1e-3] * 8)
            drawn[name]["energy"] = {"seconds": 10.0, "n_searches": 9, "n_edges": 10**9, "n_packages": int(watts is not None),
                                     "n_devices": 0, "package_joules": watts and 1e3 / watts, "device_joules": None,
                                     "mteps_per_watt": watts}
        for folder in "all", "one":
            (self.folder / folder).mkdir()
        low, high, none = (put(self.folder / "all" / f"{name}.json", document) for name, document in drawn.items())
        put(self.folder / "one" / "none.json", drawn["none"])
        self.assertIn("MTEPS per watt: 50 and 80.5 (1 of 1 point)", self.meshway("compare", low, high).stdout)
        self.assertNotIn("watt", self.meshway("compare", low, none).stdout)
        for folder in "all", "one":
            done = self.meshway("report", folder, "-o", f"page-{folder}")
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('<td class="n">65.25</td>', (self.folder / "page-all" / "index.html").read_text())
        self.assertNotIn("watt", (self.folder / "page-one" / "index.html").read_text())

    def test_compare_by_its_code(self):
        times = [1e-3 * (1 + 0.01 * (i % 5)) for i in range(32)]
        a = put(self.folder / "a.json", result(times))
        b = put(self.folder / "b.json", result([t / 0.7 for t in times]))
        self.assertEqual([self.meshway("compare", *files).returncode for files in ((a, a), (b, a), (a, b))], [0, 0, 1])
        done = self.meshway("compare", "--history", self.folder)
        self.assertEqual((done.returncode, done.stdout.count("GTEPS")), (0, 1), done.stderr)
        done = self.meshway("compare", a, b, "--threshold", "0.35", "--json", "--statistic", "median")
        self.assertEqual((done.returncode, json.loads(done.stdout)["statistic"]), (0, "median"))
        for words, code in ((("compare", a), 64), (("compare", "--history", a, b), 64), (("compare", a, b, "--html", "x"), 64), (("compare", a, b, "--threshold", "x"), 64),
                            (("compare", a, self.folder / "none"), 66), (("report", self.folder / "none"), 66)):
            done = self.meshway(*words)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (code, 1), done.stderr)

    @unittest.skipIf(MISSING or sys.executable != report.SYSTEM, "the system's Python has no matplotlib or no Jinja2")
    def test_a_virtual_environment_leaves_it_to_the_systems_python(self):
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", self.folder / "venv"], check=True)
        self.place = self.folder / "venv" / "bin"
        folder = put_campaign(self.folder / "c", weak_points())
        done = self.meshway("report", folder, "--out", "page here")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("note: ", done.stderr)
        self.assertIn("has no matplotlib and no jinja2; /usr/bin/python3 has, and makes the report", done.stderr)
        page = (self.folder / "page here" / "index.html").read_text()
        self.assertEqual(page.count("<svg "), 9)
        self.assertEqual(self.meshway("report", folder, "-q").stderr, "")

    @unittest.skipIf("jinja2" in MISSING, "there is no Jinja2")
    def test_report_of_a_campaign_that_did_not_run(self):
        folder = put_campaign(self.folder / "c", [({"ranks": 1}, [], 0, None, None, None)])
        done = self.meshway("report", folder, "--out", "page here")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.folder / "page here" / "index.html").exists())
        self.assertIn("page here/index.html", done.stdout)


if __name__ == "__main__":
    if MISSING:
        print(f"skipped: figures and page: {sys.executable} has no {' and no '.join(MISSING)}; "
              "on Debian: apt-get install python3-matplotlib python3-jinja2")
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
