#!/usr/bin/env python3
"""check_result.py SCHEMA MESHWAY [LAUNCHER...] -- runs the program in several ways and
checks each result file: it parses (and has no NaN), fits the schema, which knows every key, its checksum holds,
its numbers agree with each other and with the block on stdout. Standard library only; the
validator below knows the part of JSON Schema that the schema uses, and refuses others.
"""

import csv
import json
import math
import os
import re
import subprocess
import sys
import tempfile

KNOWN = {"$schema", "$id", "$defs", "title", "description", "type", "required", "const",
         "properties", "additionalProperties", "items", "enum", "minimum", "pattern", "$ref"}
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool,
         "integer": int, "number": (int, float), "null": type(None)}


def is_type(value, name):
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, TYPES[name])


def check(value, schema, root, where="result"):
    unknown = set(schema) - KNOWN
    assert not unknown, f"{where}: the schema uses {unknown}"
    if "$ref" in schema:
        check(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, where)
    if "type" in schema:
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        assert any(is_type(value, n) for n in names), f"{where}: {value!r} is not {names}"
    if "const" in schema:
        assert value == schema["const"], f"{where}: {value!r}"
    if "enum" in schema:
        assert value in schema["enum"], f"{where}: {value!r} not in {schema['enum']}"
    if "minimum" in schema and isinstance(value, (int, float)):  # JSON Schema: of numbers only
        assert value >= schema["minimum"], f"{where}: {value}"
    if "pattern" in schema:
        assert re.search(schema["pattern"], value), f"{where}: {value}"
    if isinstance(value, dict):
        for key in schema.get("required", []):
            assert key in value, f"{where}: lacks {key}"
        for key, sub in value.items():
            assert "properties" not in schema or "additionalProperties" in schema or key in schema["properties"], \
                f"{where}: the schema does not know {key}"
            inner = schema.get("properties", {}).get(key, schema.get("additionalProperties"))
            if isinstance(inner, dict):
                check(sub, inner, root, f"{where}.{key}")
    if isinstance(value, list):
        for i, sub in enumerate(value):
            check(sub, schema.get("items", {}), root, f"{where}[{i}]")


def fnv1a64(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def load(path):
    with open(path, "rb") as file:
        data = file.read()
    line = data.rindex(b"\n", 0, data.rindex(b'"checksum"')) + 1

    def refuse(text):
        raise AssertionError(f"{path}: {text} is no number of JSON")

    result = json.loads(data, parse_constant=refuse)
    assert result["checksum"] == f"fnv1a64:{fnv1a64(data[:line]):016x}", "checksum"
    return result


def block(text):
    pairs = (line.split(":", 1) for line in text.splitlines())
    return {key: value.strip(" !") for key, value in pairs}


def near(a, b):
    return math.isclose(float(a), float(b), rel_tol=1e-5)


def check_spent(level, emulated):
    """Nothing is counted twice: what ranks spent on rows and on waiting is their time, and without
    the waiting it is their work, which the program takes from its clock by itself."""
    spent = {name: n if isinstance(n, list) else [n] * 3 for name, n in level["spent_ns"].items()}
    assert spent and all(least <= mean <= most and most > 0 for least, mean, most in spent.values())
    waiting = {"waiting for batches", "collectives"}
    mean = sum(n[1] for name, n in spent.items() if name not in waiting)
    assert emulated or math.isclose(mean, 1e9 * level["mean_work_s"], rel_tol=1e-4,
                                    abs_tol=50 * len(spent)), f"{spent}: {level['mean_work_s']} s"
    modules = [name for name in spent if name.split()[-1] in ("generator", "relay", "handler")]
    assert bool(modules) == ("all" in level.get("jobs", {})), f"{spent}: jobs"


def check_numbers(result, shown):
    stats = result["statistics"]
    counted = [s for s in result["searches"] if s["n_edges"] > 0]
    assert stats["n_searches"] == len(counted) == int(shown["NBFS"])
    mean = len(counted) / sum(s["time_s"] / s["n_edges"] for s in counted)
    assert near(mean, stats["teps"]["harmonic_mean"])
    assert near(mean, shown["bfs  harmonic_mean_TEPS"])
    assert near(stats["time_s"]["median"], shown["bfs  median_time"])
    emulated = result["configuration"]["backend"] == "emul"
    always = ("level", "n_active", "n_active_edges", "n_unvisited_edges", "n_found", "n_records")
    for s in result["searches"]:
        levels = s["levels"]
        # The last level may have nothing to look at, and of very many the first are kept.
        assert s["n_levels"] - len(levels) in (0, 1) or len(levels) == 256, "levels"
        assert 1 + sum(level["n_found"] for level in levels) == s["n_reached"], "vertices"
        for level in levels:
            by_size = level.get("n_batches_by_size", [])
            assert sum(by_size) == level.get("n_batches", 0), "messages by size"
            jobs = level.get("jobs", {})
            in_place = sum(jobs.get(key, 0) for key in ("small", "all_busy", "alone"))
            assert in_place <= jobs.get("all", 0), "jobs"
            assert ("modelled_s" in jobs) == emulated, "modelled jobs"
            check_spent(level, emulated)
            assert all(value not in (0, None, [], {}) or key in always for key, value in level.items()
                       if not isinstance(value, float)), "a key that says nothing"
        assert (s["modelled_s"] is not None) == emulated, "modelled"
        assert (s["modelled_teps"] is not None) == (emulated and s["n_edges"] > 0)
        loops = s["n_edges_with_self_loops"]
        assert (loops is None) == (s["validate_s"] is None)
        assert loops is None or loops >= s["n_edges"]


def check_partial(result, shown):
    """Of searches that ended early there are no figures, but paths."""
    assert "PARTIAL" in result["stamps"] and shown["stamp"] == "PARTIAL"
    assert result["statistics"] is None and "bfs  harmonic_mean_TEPS" not in shown
    target, depth = (result["configuration"][key] for key in ("target", "max_depth"))
    for s in result["searches"]:
        assert s["teps"] is None and s["modelled_teps"] is None
        assert (s["n_edges"] is None) == (s["validate_s"] is None)
        assert depth is None or s["n_levels"] <= depth + 1
        path = s.get("path")
        assert path is None or (path[0], path[-1], len(path)) == (s["root"], target,
                                                                  s["n_levels"])
        assert ("path" in s) == (target is not None)
        assert f"root {s['root']}" in shown


def check_components(result, shown):
    """Of components all vertices are reached and all edges counted; facts stand in the block as well."""
    s = result["searches"][0]
    graph, levels = result["graph"], s["levels"]
    assert "root" not in s and s["n_reached"] == graph["n_vertices"] and s["n_levels"] == len(levels)
    assert s["n_edges_with_self_loops"] == graph["n_edges"]
    assert near(shown["cc   min_time"], min(s["time_s"] for s in result["searches"]))
    for key in ("n_components", "n_isolated", "n_largest", "n_searched", "n_search_levels", "n_left", "n_rounds"):
        assert int(shown[key]) == s[key], key
    assert int(shown["search_cut"]) == s["search_cut"]
    assert s["n_components"] > s["n_isolated"] == graph["n_vertices"] - graph["n_connected"]
    assert [level["direction"] for level in levels] == ["search"] + ["round"] * s["n_rounds"]


def main():
    schema_path, meshway, *launcher = sys.argv[1:]
    meshway = os.path.abspath(meshway)
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    runs = [["8"], ["10", "--roots", "5", "--no-validate"], ["9", "4", "--seed1", "7"],
            ["10", "--root", "126,458"], ["8", "--direction", "top-down", "--anonymize"],
            ["8", "--backend", "emul", "--roots", "3"],
            ["8", "--roots", "3", "--target", "5"],
            ["8", "--max-depth", "1", "--no-validate"], ["9", "--roots", "8", "--validate", "3"],
            ["8", "--algorithm", "cc", "--roots", "2"]]
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        for i, words in enumerate(runs):
            command = [*launcher, meshway, "run", *words, "--json", f"{i}.json",
                       "--csv", f"{i}.csv"]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{command}: {done.returncode}\n{done.stderr}"
            result = load(f"{i}.json")
            check(result, schema, schema)
            assert result["status"] == "ok"
            assert result["provenance"]["argv"][1:] == ["run", *words, "--json",
                                                        f"{i}.json", "--csv", f"{i}.csv"]
            skipped = "--no-validate" in words
            some = "--validate" in words
            assert result["validation"]["passed"] is (None if skipped or some else True)
            assert ("NOT VALIDATED" in result["stamps"]) == skipped
            assert ("PARTLY VALIDATED" in result["stamps"]) == some
            assert result["validation"]["level"] == ("none" if skipped else "part" if some else "full")
            partial = "--target" in words or "--max-depth" in words
            numbers = check_partial if partial else check_components if "cc" in words else check_numbers
            numbers(result, block(done.stdout))
            with open(f"{i}.csv", newline="", encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            assert len(rows) == sum(len(s["levels"]) for s in result["searches"])
            assert {r["validated"] for r in rows} == \
                ({"yes", "NOT VALIDATED"} if some else {"NOT VALIDATED" if skipped else "yes"})
    print(f"{len(runs)} results fit")


if __name__ == "__main__":
    main()
