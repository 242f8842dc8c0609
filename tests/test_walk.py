#!/usr/bin/env python3
"""test_walk.py MESHWAY [MPIEXEC] -- a random walk over the options of `meshway run`: whatever they are together,
a run is validated, or it is refused with a sentence; and its levels and its list of edges are those of a plain run.

The options, and the keys of --tune, come from the program (`meshway --options`). Only what a text or a large number has to be is said
here. Step i is made from the seed i, so a step is repeated by `test_walk.py MESHWAY MPIEXEC i`. 150 steps, with
MW_TEST_LONG=1 a thousand, and 40 with MW_TEST_SHORT=1, which a sanitizer's build sets.
"""
import glob
import gzip
import json
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import tempfile

meshway = os.path.abspath(sys.argv[1])
mpiexec = sys.argv[2] if len(sys.argv) > 2 else ""
STEPS = 1000 if os.environ.get("MW_TEST_LONG") else 40 if os.environ.get("MW_TEST_SHORT") else 150
HANG = 300  # nothing here takes so long

# What says nothing about a run, or takes it away: files in, ends, standard output.
NOT_WALKED = {"scale", "edgefactor", "graph", "help", "version", "print-config", "json", "resume", "results", "levels",
              "root", "force", "roots", "timeout", "hang-timeout", "unpack-limit", "format", "vertices", "base", "names",
              "vertex-file", "separator", "header", "weight-column", "device-memory", "compat", "tune"}  # tune: by its keys
# Numbers that mean that much work or memory here.
MOST = {"threads": 4, "clusters": 4, "ranks-per-host": 5, "heavy": 64, "batch": 1 << 18, "small-input": 1 << 20,
        "connections": 8, "device": 1, "max-depth": 5, "validate": 4, "confirm": 4, "energy": 0.2, "seed1": 9, "seed2": 9}
TEXTS = {"target": ["0", "1", "5", "63"], "hubs": ["auto", "off", "3:5", "12:14", "0:0", "6:2"],
         "groups": ["auto", "node", "1x2", "2x2", "3x2", "5x1"], "layout": ["LAYOUT"], "topology": ["TOPOLOGY"],
         "emul": ["recv_depth=1", "send_depth=0", "recv_depth=8,send_depth=2"], "emul-dot": ["out.dot"],
         "layout-record": ["out.layout"], "traffic-record": ["out.traffic.csv"],
         "csv": ["out.csv"], "graphalytics": ["out.lg"], "tree": ["out.tree", "out.bin"], "trace": ["out.trace"],
         "values": ["parent=out.tree", "component=out.bin", "part=out.x"]}
REFUSED = {64: "usage", 65: "data", 69: "not in this build", 78: "refused"}
OF_FILES, OF_GENERATED = {"directed", "undirected", "compact-ids", "block"}, {"seed1", "seed2"}
# They end a search before all its levels are known.
PARTIAL = {"max-depth", "target"}


def options_of_run():
    table = {}
    for line in subprocess.run([meshway, "--options"], capture_output=True, text=True, check=True).stdout.splitlines():
        command, name, _, kind, _, default, words, repeats, least, most, *_ = line.split("\t")
        if command == "run --tune":
            keys.add(name)
        if command in ("run", "run --tune") and name not in NOT_WALKED:
            table.setdefault(name, (kind, words.split("|"), repeats == "lists", float(least), float(most)))
            of_run.update({name} if command == "run" else ())
    return table


def value_of(rng, name, option):
    """A valid value of an option; None: it has none."""
    kind, words, lists, least, most = option
    if kind == "flag":
        return None
    if kind == "word":
        chosen = rng.sample(words, 2 if lists and len(words) > 2 and rng.random() < 0.15 else 1)
        return ",".join(chosen)
    if kind == "text":
        return rng.choice(TEXTS[name])
    most = MOST.get(name, most)
    if kind == "real":
        return repr(round(rng.choice([rng.uniform(least, min(most, 30)), rng.uniform(least, min(most, 1e6))]), 3))
    return str(int(min(most, least + (most - least + 1) ** rng.random() - 1 + rng.randint(0, 1))))


def graphs():
    """Files of several formats: words that choose one, what its vertices may be called, and whether it can be directed."""
    def made(name, *words):
        subprocess.run([meshway, "gen", *words, name, "-q"], check=True, stdin=subprocess.DEVNULL)
        return name
    rng = random.Random(1)
    edges = [(rng.randint(0, 60), rng.randint(0, 60)) for _ in range(90)]
    with open("said.txt", "w") as f:
        f.write("# Directed graph (each unordered pair of nodes is saved once): said.txt\n")
        f.writelines(f"{u}\t{v}\n" for u, v in edges)
    with open("konect.txt", "w") as f:
        f.write("% asym unweighted\n% 90 62 62\n" + "".join(f"{u + 1} {v + 1}\n" for u, v in edges))
    with open("titled.csv", "w") as f:
        f.write("weight,target,source\n" + "".join(f"1.5,{v},{u}\n" for u, v in edges))
    with open("named.csv", "w") as f:
        f.write("source,target\n" + "".join(f"n{u},n{v}\n" for u, v in edges))
    with gzip.open("packed.mtx.gz", "wt") as f:
        lower = sorted({(max(u, v) + 1, min(u, v) + 1) for u, v in edges})
        f.write(f"%%MatrixMarket matrix coordinate pattern symmetric\n62 62 {len(lower)}\n"
                + "".join(f"{u} {v}\n" for u, v in lower))
    with open("iso.mtx", "w") as f:
        f.write("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 0\n")
    files = [["said.txt"], ["konect.txt"], ["titled.csv"], ["named.csv", "--names"], ["packed.mtx.gz"], ["iso.mtx"],
             [made("k7.bin", "7")], [made("k6.sg", "6", "-e8")], [made("k8.el", "8", "-e4")]]
    return files + [[str(scale), str(factor)] for scale, factor in [(4, 16), (5, 2), (6, 16), (7, 16), (8, 8), (9, 16)]]


def root_of(rng, graph):
    if graph[0] == "named.csv":
        return "n" + str(rng.choice([3, 7, 20]))
    if graph[0] == "iso.mtx":
        return "2"
    return str(rng.choice([1, 2, 3]))


def run(words, ranks):
    launcher = [mpiexec, "-n", str(ranks)] if mpiexec else []
    environment = {**os.environ, "XDG_STATE_HOME": os.getcwd()}
    for file in glob.glob("out*") + glob.glob("result*"):
        os.unlink(file)
    for _ in range(3):  # MPICH's mpiexec dies of SIGPIPE now and then, where ranks end at once on busy cores
        done = subprocess.run([*launcher, meshway, "run", *words], capture_output=True, text=True, timeout=HANG,
                              env=environment, stdin=subprocess.DEVNULL, check=False, errors="replace")
        if not launcher or done.returncode != -signal.SIGPIPE:
            break
    return done


def table_of(path):
    """Vertex -> its number, in the words of the file."""
    with open(path) as f:
        return dict(line.split() for line in f if not line.startswith("#"))


def plain(key, words):
    """The answer and the digest of one rank of one core, without any other option; kept by key."""
    if key not in known:
        done = run([*words, "--backend", "serial", "--json", "result.json", "--force"], 1)
        assert done.returncode == 0, f"{shlex.join(words)}: {done.returncode}\n{done.stderr}"
        answer = glob.glob("out.levels") + glob.glob("out.tree")
        known[key] = (table_of(answer[0]) if answer else None, "-".join(json.load(open("result.json"))["graph"]["digest"].split("-")[:3]))
    return known[key]


def step_of(number):
    """The words of a step, how many ranks it has, and the graph's own words."""
    rng = random.Random(number)
    graph = rng.choice(all_graphs)
    names = rng.sample(sorted(options), rng.choice([0, 1, 2, 2, 3, 3, 4, 5, 6, 8]))
    foreign = OF_FILES if graph[0].isdigit() else OF_GENERATED
    names = [name for name in names if name not in foreign or rng.random() < 0.1]
    chosen = {name: value_of(rng, name, options[name]) for name in names}
    if "emul" in chosen and rng.random() < 0.9:
        chosen["backend"] = "emul"
    if "emul" in chosen.get("backend", "") and graph[0] in ("8", "9", "k8.el"):
        graph = ["5", "2"]
    ranks = rng.choice([1, 1, 2, 2, 3, 4, 5]) if mpiexec else 1
    own = [name for name in ("directed", "undirected", "compact-ids") if name in chosen]
    own += [name for name in ("seed1", "seed2") if name in chosen]
    root = root_of(rng, graph) if rng.random() < 0.7 else None
    return rng, graph, chosen, own, ranks, root


def words_of(chosen):
    """Keys by --tune, which takes one or several; those that have an option of their own by either."""
    places = {"LAYOUT": "one-way.layout", "TOPOLOGY": "topology.conf"}
    tuned = [f"{name}={value.replace(',', '+')}" for name, value in chosen.items()
             if name in keys and (name not in of_run or len(chosen) % 2 == 0)]
    words = [f"--tune={','.join(tuned[i:i + 2])}" for i in range(0, len(tuned), 2)]
    named = {word.split("=")[0] for word in tuned}
    for name, value in chosen.items():
        if name in named:
            continue
        words += [f"--{name}"] if value is None else [f"--{name}={places.get(value, value)}"]
    return words


def check_refusal(done):
    said = [line for line in done.stderr.splitlines() if line.startswith("meshway: ") and "note:" not in line]
    assert done.returncode in REFUSED, f"ends with {done.returncode}"
    assert said and all(len(line) > 20 for line in said), "refused without a sentence"
    if os.environ.get("MW_TEST_SAY"):
        print(said[-1])


def check_results(done, chosen):
    """Each way's result says that it is validated, or was asked not to; returns the digests."""
    digests = set()
    for file in glob.glob("result*.json"):
        result = json.load(open(file))
        validation = result["validation"]
        if "no-validate" in chosen:
            assert validation["passed"] is not True, f"{file}: validated"
        elif "validate" in chosen:
            assert validation["level"] in ("part", "full") and validation["passed"] is not False, validation
        else:
            assert validation["passed"] is True, f"{file}: {validation}"
        assert result["status"] == "ok", result["status"]
        digests.add("-".join(result["graph"]["digest"].split("-")[:3]))  # without weights, where there are any
    assert digests, "no result"
    return digests


def check_answer(file, expected, chosen):
    """With ids by themselves a file has those that occur, of which none is left out that was reached."""
    found = table_of(file)
    assert all(expected.get(v) == n for v, n in found.items()), f"{file}: other answers than a plain run's"
    missing = set(expected) - set(found)
    assert not missing or ("compact-ids" in chosen and all(expected[v] == "-1" for v in missing)), f"{file}: too short"


def step(number):
    rng, graph, chosen, own, ranks, root = step_of(number)
    cc = chosen.get("algorithm") in ("cc",)
    bfs = chosen.get("algorithm") in (None, "bfs")
    own_words = words_of({name: chosen[name] for name in own})
    words = [*graph, *words_of(chosen)]
    answer = []
    alone = ["--root=2"] if graph[0] == "iso.mtx" else ["--roots=3"]  # a plain run is BFS, which draws no root there
    if bfs and root is not None:
        answer = [f"--root={root}", "--levels=out.levels"]
        words += answer
    elif cc and "tree" not in chosen:
        answer = ["--algorithm=cc", "--tree=out.tree"]
        words += ["--tree=out.tree", "--roots=2"]
    else:
        words += ["--roots=3"]
    words += ["--json=result.json", "--hang-timeout=120"]
    done = run(words, ranks)
    try:
        bad = re.search(r"Sanitizer|runtime error:|Assertion|internal|Segmentation|core dumped", done.stderr)
        assert bad is None, f"says '{bad.group()}'"
        if done.returncode != 0:
            check_refusal(done)
            return False
        digests = check_results(done, chosen)
        files = glob.glob("out*.levels") if bfs else glob.glob("out*.tree")
        whole = answer and not PARTIAL & set(chosen)
        tables = [(file, open(file).read()) for file in files] if whole else []
        expected, digest = plain((*graph, *own_words, *answer), [*graph, *own_words, *(answer or alone)])
        assert digests == {digest}, f"digests {digests}, a plain run's is {digest}"
        for file, text in tables:
            with open("again", "w") as f:
                f.write(text)
            check_answer("again", expected, chosen)
    except AssertionError as wrong:
        print(f"WRONG: step {number}: {wrong}\n  mpiexec -n {ranks} meshway run {shlex.join(words)}\n"
              f"  code {done.returncode}: {done.stderr[-1500:]}", file=sys.stderr, flush=True)
        global failed
        failed += 1
    return done.returncode == 0


keys, of_run = set(), set()
options, known, failed = options_of_run(), {}, 0
unknown = [name for name, option in options.items() if option[0] == "text" and name not in TEXTS]
assert not unknown, f"what may these be? {unknown}: see TEXTS"
layout = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "share", "layouts", "one-way.layout")
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    if os.path.exists(layout):
        os.symlink(layout, "one-way.layout")
    else:
        TEXTS["layout"] = ["no.layout"]
    with open("topology.conf", "w") as f:
        f.write("SwitchName=leaf Nodes=" + os.uname().nodename.split(".")[0] + "\n")
    all_graphs = graphs()
    n, n_ran = 0, 0
    for i in [int(word) for word in sys.argv[3:]] or range(STEPS):
        n_ran += step(i)
        n += 1
    print(f"{n} steps, {n_ran} of them runs that were validated or asked not to be, the others refused; {failed} wrong")
sys.exit(1 if failed else 0)
