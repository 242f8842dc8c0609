#!/usr/bin/env python3
"""test_resume.py SCHEMA MESHWAY [MPIEXEC] -- `meshway run --resume FILE`: a run that is killed is taken up, what
it had finished stays as it was, and what is not of one kind is not put together.

Nothing is timed: a run that would never end is killed once its file is there, and taken up for some roots more
than that holds.
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import check_result  # noqa: E402

HANG = 900  # seconds that nothing here takes
schema = json.load(open(sys.argv[1], encoding="utf-8"))
meshway = os.path.abspath(sys.argv[2])
mpiexec = sys.argv[3] if len(sys.argv) > 3 else ""
n_commands = 0


def run(code, text, *words, ranks=0):
    """Standard output of a run that ends with `code` and says `text` on standard error."""
    global n_commands
    n_commands += 1
    launcher = [mpiexec, "-n", str(ranks)] if ranks else []
    done = subprocess.run([*launcher, meshway, "run", *words], capture_output=True, text=True, timeout=HANG,
                          check=False)
    assert done.returncode == code, f"{words}: {done.returncode}, not {code}\n{done.stderr}"
    assert text in done.stderr, f"{words}: no '{text}' in\n{done.stderr}"
    return done.stdout


def killed(number, file, *words, ranks=0):
    """A run without an end, until `file` is there."""
    launcher = [mpiexec, "-n", str(ranks)] if ranks else []
    run = subprocess.Popen([*launcher, meshway, "run", *words, "--roots", "20000"], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
    end = time.monotonic() + HANG
    while not os.path.exists(file):
        assert run.poll() is None and time.monotonic() < end, f"{words}: no {file}"
        time.sleep(0.01)
    run.send_signal(number)
    run.wait(HANG)
    return load(file)


def load(file):
    with open(file, encoding="utf-8") as text:
        return json.load(text)


def load_checked(file):
    result = check_result.load(file)
    check_result.check(result, schema, schema)
    return result


def block(text):
    return check_result.block(text)


def changed(file, change):
    """The file as a program that thinks otherwise would have written it."""
    result = load(file)
    change(result)
    result["checksum"] = "fnv1a64:" + "0" * 16
    text = json.dumps(result, indent=1)
    at = text.rindex("\n", 0, text.rindex('"checksum"')) + 1
    text = text[:at] + text[at:].replace("0" * 16, f"{check_result.fnv1a64(text[:at].encode()):016x}")
    with open("changed.json", "w", encoding="utf-8") as out:
        out.write(text)
    return "changed.json"


def answers(result):
    return [(s.get("root"), s["n_edges"], s["n_reached"], s["n_levels"]) for s in result["searches"]]


def one_rank():
    before = killed(signal.SIGKILL, "r.json", "10", "--json", "r.json")
    n = len(before["searches"])
    assert before["status"] == "interrupted" and n > 0
    same = ["10", "--resume", "r.json", "--roots", str(n + 12)]
    shown = block(run(0, f"r.json: {n} of {n + 12} searches are kept", *same, "--csv", "r.csv", "--tree", "t.txt"))
    after = load_checked("r.json")
    assert after["status"] == "ok" and after["searches"][:n] == before["searches"], "what was finished has changed"
    assert shown["resumed"] == f"{n} of {n + 12} searches are an earlier run's"
    check_result.check_numbers(after, shown)
    assert [r["n_searches"] for r in after["resumed"]] == [n]
    assert after["resumed"][0]["reason"] == before["reason"]
    assert len([f for f in os.listdir(".") if f.startswith("t.")]) == 12, "trees are of what was searched"
    rows = sum(len(s["levels"]) for s in after["searches"])
    assert len(open("r.csv", encoding="utf-8").readlines()) == rows + 1, "the table has all searches"
    run(0, "", "10", "--roots", str(n + 12), "--json", "whole.json")
    assert answers(after) == answers(load("whole.json")), "other answers than of a run in one go"
    assert load("whole.json")["resumed"] is None

    stamp = os.stat("r.json").st_mtime_ns
    run(0, f"r.json has all {n + 12} searches: nothing to do", *same)
    run(0, "nothing to do", *same, "--json", "r.json", "--timeout", "900", "--hang-timeout", "70", "--verbose")
    assert os.stat("r.json").st_mtime_ns == stamp, "nothing to do, and it was done"
    refused(n + 12)
    assert os.stat("r.json").st_mtime_ns == stamp, "a refused run has written"
    # A complete one goes on for more roots; what was taken up before is still told.
    run(0, "are kept", "10", "--resume", "r.json", "--roots", str(n + 14))
    assert [r["n_searches"] for r in load("r.json")["resumed"]] == [n, n + 12]


def refused(n):
    """Each by its own name, before anything is searched."""
    same = ["10", "--roots", str(n + 1), "--resume"]
    run(64, "with option scale 10, and this run has 11", "11", "--resume", "r.json")
    run(64, "with option seed1 2, and this run has 7", *same, "r.json", "--seed1", "7")
    run(64, "with option direction \"auto\", and this run has \"top-down\"", *same, "r.json", "-d", "top-down")
    run(64, "with option no-validate false, and this run has true", *same, "r.json", "--no-validate")
    run(64, "with key batch 65536, and this run has 4096", *same, "r.json", "--tune", "batch=4096")
    run(64, "with key alpha null, and this run has 3.5", *same, "r.json", "--tune", "alpha=3.5")
    run(64, "with option threads", *same, "r.json", "--threads", "1")
    run(64, f"has {n} searches, but 3 are asked for", "10", "--roots", "3", "--resume", "r.json")
    run(64, "--json o.json: --resume goes on in its own file, r.json", *same, "r.json", "--json", "o.json")
    run(64, "exclude each other", *same, "r.json", "--target", "3")
    run(64, "a run is taken up from a file", *same, "-")
    run(66, "nowhere.json", *same, "nowhere.json")
    data = open("r.json", "rb").read()
    for name, text, says in (("half.json", data[:len(data) // 2], "half.json:"),
                             ("edited.json", data.replace(b'"n_reached"', b'"n_reachee"', 1), "its checksum does not"),
                             ("other.json", b'{"schema_version": 1}\n', "no result with schema_version 2"),
                             ("deep.json", b"[" * 100000, "deep.json:1:"),  # S6
                             ("empty.json", b"", "empty.json:")):
        with open(name, "wb") as out:
            out.write(text)
        run(65, says, *same, name)
    for says, change in {
            "build commit \"c0ffee\"": lambda r: r["provenance"]["build"].update(commit="c0ffee"),
            "machine cpu \"abacus\"": lambda r: r["provenance"]["machine"].update(cpu="abacus"),
            "graph digest \"00": lambda r: r["graph"].update(digest="-".join(["0" * 16] * 3)),
            "graph n_edges 7, and this run has 16384": lambda r: r["graph"].update(n_edges=7),
            "search 2 of changed.json is from root 1023": lambda r: r["searches"][1].update(root=1023),
            "is of a run that failed validation": lambda r: r.update(status="invalid"),
            "searches[0]: time_s: expected a number that is not negative, got \"fast\"":
                lambda r: r["searches"][0].update(time_s="fast"),
            "searches[1]: n_found: missing": lambda r: r["searches"][1]["levels"][0].pop("n_found"),
            "searches[0]: direction: expected one of its words, got \"sideways\"":
                lambda r: r["searches"][0]["levels"][0].update(direction="sideways"),
            "searches[0]: status: expected one of its words": lambda r: r["searches"][0].update(status="invalid"),
            "does not say when it was made": lambda r: r["provenance"].pop("started_utc")}.items():
        run(65, says, *same, changed("r.json", change))
    run(64, "a configuration of n_ranks 3, and this run has 1", *same,
        changed("r.json", lambda r: r["configuration"].update(n_ranks=3)))
    run(64, "a configuration of device \"1: another\", and this run has null", *same,
        changed("r.json", lambda r: r["configuration"].update(device="1: another")))


def goes_on(words, fewer, more):
    """A result of fewer roots grows, whatever was searched by."""
    run(0, "", *words, *fewer, "--json", "g.json", "--force")
    before = load("g.json")
    run(0, "are kept", *words, *more, "--resume", "g.json")
    after = load("g.json")
    n = len(before["searches"])
    assert after["searches"][:n] == before["searches"] and len(after["searches"]) > n, words
    assert after["graph"]["digest"] == before["graph"]["digest"]


def check_sent(results, n_made):
    """Who has sent what to whom is what the levels say, of the searches that were made."""
    for (way, result), n in zip(results.items(), n_made):
        sent = result["sent_between_ranks"]
        made = [level for s in result["searches"][len(result["searches"]) - n:] for level in s["levels"]]
        assert sent["n_searches"] == n
        assert [len(row) for row in sent["messages"] + sent["bytes"]] == [2] * 4
        assert sum(map(sum, sent["messages"])) == sum(level.get("n_batches", 0) for level in made) > 0, way
        assert 0 < sum(map(sum, sent["bytes"])) <= sum(level.get("bytes", 0) for level in made)
        assert all(sent[what][i][i] == 0 for what in ("messages", "bytes") for i in range(2))


def several_ranks():
    # By owner: by classes levels this small are told, without a message.
    ways = ["9", "--routing", "direct,relay", "--ranks-per-host", "1", "--partition", "1d"]
    killed(signal.SIGTERM, "w.direct.json", *ways, "--json", "w.json", ranks=2)
    before = load("w.relay.json")
    n = [len(load(f"w.{way}.json")["searches"]) for way in ("direct", "relay")]
    more = str(max(n) + 5)
    run(64, "with a configuration of n_ranks 2, and this run has 1", *ways, "--resume", "w.json", "--roots", more, ranks=1)
    run(0, "are kept", *ways, "--resume", "w.json", "--roots", more, ranks=2)
    after = {way: load_checked(f"w.{way}.json") for way in ("direct", "relay")}
    assert answers(after["direct"]) == answers(after["relay"]) and len(answers(after["relay"])) == int(more)
    assert after["relay"]["searches"][:len(before["searches"])] == before["searches"]
    check_sent(after, [max(n) + 5 - k for k in n])
    # One of them is lost: that way begins anew, beside the other's new roots.
    os.unlink("w.direct.json")
    more = str(max(n) + 7)
    run(0, "w.direct.json: 0 of", *ways, "--resume", "w.json", "--roots", more, ranks=2)
    assert answers(load("w.direct.json")) == answers(load("w.relay.json"))
    assert load("w.direct.json")["resumed"] is None and load("w.relay.json")["resumed"]
    run(0, "and so have the other ways: nothing to do", *ways, "--resume", "w.json", "--roots", more, ranks=2)


def alone(words, more, graph=None):
    """The file alone says what graph, how, and from which roots; what is said besides wins."""
    run(0, "", *words, "--json", "a.json", "--force")
    before = load("a.json")
    run(0, "nothing to do", "--resume", "a.json")
    run(0, "are kept", "--resume", "a.json", *more)
    after = load_checked("a.json")
    n = len(before["searches"])
    assert after["searches"][:n] == before["searches"] and len(after["searches"]) > n, words
    assert after["graph"]["digest"] == before["graph"]["digest"]
    if graph:
        os.rename(graph, "elsewhere")
        run(66, f"--resume a.json: its graph, {graph}, is not here; say where it is", "--resume", "a.json", *more)
        os.rename("elsewhere", graph)


def elsewhere(file):
    """A rank that does not see the file says so, and nobody waits for it."""
    os.makedirs("empty", exist_ok=True)
    there = ["sh", "-c", 'cd empty && "$0" "$@"; echo "rank ends with $?" >&2', meshway, "run", "--resume", file]
    done = subprocess.run([mpiexec, "-n", "1", meshway, "run", "--resume", file, ":", "-n", "1", *there],
                          capture_output=True, text=True, timeout=HANG, check=False)
    assert f"--resume {file}: no such file" in done.stderr and "rank 1" in done.stderr, done.stderr
    assert "rank ends with 66" in done.stderr, done.stderr


def resumed_alone():
    with open("d.el", "w", encoding="utf-8") as graph:
        graph.write("# Directed graph: d.el\n1 2\n2 3\n3 4\n4 1\n")
    alone(["d.el", "--directed", "--base", "1", "--tune", "alpha=7.25,hubs=off", "-r", "1"], ["--root", "1,3"], graph="d.el")
    alone(["g.el", "--names", "--no-validate", "-r", "ann"], ["--root", "ann", "--root", "cid"], graph="g.el")
    alone(["8", "4", "--seed1", "5", "-n", "2", "-d", "top-down", "--tune", "batch=128Ki"], ["--roots", "4"])
    run(64, "option direction", "--resume", "a.json", "-d", "bottom-up")
    run(66, "--resume none.json: no such file, which could say what graph", "--resume", "none.json")
    if mpiexec:
        run(66, "--resume none.json: no such file", "--resume", "none.json", ranks=2)
        elsewhere("a.json")
    with open("broken.json", "w", encoding="utf-8") as broken:
        broken.write("{}")
    run(65, "broken.json", "--resume", "broken.json")
    with open("g.el", encoding="utf-8") as graph:
        done = subprocess.run([meshway, "run", "-g", "-", "--names", "-r", "ann", "--json", "i.json"], stdin=graph,
                              capture_output=True, timeout=HANG, check=False)
        assert done.returncode == 0, done.stderr
    run(64, "--resume i.json: its graph came from standard input", "--resume", "i.json")


def main():
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        one_rank()
        with open("g.el", "w", encoding="utf-8") as graph:
            graph.write("ann bob\nbob cid\ncid dan\n")
        goes_on(["g.el", "--names"], ["--root", "ann"], ["--root", "ann,cid"])
        resumed_alone()
        goes_on(["8", "--algorithm", "cc"], ["--roots", "2"], ["--roots", "4"])
        goes_on(["6", "--backend", "emul", "-d", "top-down", "--anonymize"], ["--roots", "1"], ["--roots", "2"])
        if mpiexec:
            several_ranks()
    print(f"{n_commands} commands behave")


if __name__ == "__main__":
    main()
