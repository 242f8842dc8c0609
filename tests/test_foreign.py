"""test_foreign.py MESHWAY -- files of other kinds: the program names them and a command that converts; the
command is run as it stands, and the graph that it makes is the one that was written."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import networkx
import numpy
import scipy.io
import scipy.sparse

MESHWAY = sys.argv[1]
EDGES = [(0, 1), (1, 2), (2, 0), (3, 2)]
NAMES = ["a b", "b", "cé", "d"]
failed = False


def wrong(what: str) -> None:
    global failed
    failed = True
    print("WRONG:", what, file=sys.stderr)


def write_all() -> dict[str, bool]:
    """Each file's name, and whether its vertices have names."""
    numbers, names = networkx.DiGraph(EDGES), networkx.DiGraph([(NAMES[u], NAMES[v]) for u, v in EDGES])
    networkx.write_graphml(names, "g.graphml")
    networkx.write_gexf(names, "g.gexf")
    networkx.write_gml(numbers, "g.gml")
    with open("g.json", "w", encoding="utf-8") as f:
        json.dump(networkx.node_link_data(names), f)
    with open("g.dot", "w", encoding="utf-8") as f:
        f.write("// arcs\ndigraph x {\n" + "".join(f'  "{u}" -> "{v}";\n' for u, v in names.edges) + "}\n")
    rows, columns = zip(*EDGES)
    matrix = scipy.sparse.csc_matrix((numpy.ones(4), (rows, columns)), shape=(4, 4))
    scipy.sparse.save_npz("g.npz", matrix)
    numpy.savez("arrays.npz", numpy.array(EDGES))
    numpy.save("g.npy", numpy.array(EDGES))
    scipy.io.savemat("g.mat", {"A": matrix})
    scipy.io.savemat("suite.mat", {"Problem": {"A": matrix, "title": "x"}})
    found = {"g.graphml": True, "g.gexf": True, "g.gml": False, "g.json": True, "g.npz": False, "arrays.npz": False,
             "g.npy": False, "g.mat": False, "suite.mat": False}
    if shutil.which("gvpr"):
        found["g.dot"] = True
    if write_mat7(matrix):
        found["mat7.mat"] = False
    return found


def write_mat7(matrix: scipy.sparse.csc_matrix) -> bool:
    try:
        import h5py
    except ImportError:
        return False
    with h5py.File("mat7.mat", "w", userblock_size=512) as f:
        group = f.create_group("A")
        group["data"], group["ir"], group["jc"] = matrix.data, matrix.indices, matrix.indptr
        group.attrs["MATLAB_sparse"] = numpy.uint64(4)
    with open("mat7.mat", "r+b") as f:
        f.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64")
    return True


def run(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run([MESHWAY, *arguments], capture_output=True, text=True, check=False)


def levels(graph: str, named: bool) -> dict[str, int]:
    root = NAMES[0] if named else "1" if graph.endswith(".mtx") else "0"
    done = run("run", "--graph", graph, "--directed", "--root", root, "--levels", "l.txt", "--json", "none", "-f",
               *["--names"] * named)
    if done.returncode != 0:
        wrong(f"{graph}: {done.stderr}")
        return {}
    with open("l.txt", encoding="utf-8") as f:
        lines = [line.rstrip("\n").rsplit(" ", 1) for line in f if not line.startswith("#")]
    return {name.strip('"'): int(level) for name, level in lines}


def check(file: str, named: bool) -> None:
    told = run("info", file)
    command = re.search(r"convert it first: (.*?)(; its vertices may be names: --names)?\n", told.stderr)
    if told.returncode != 65 or command is None:
        return wrong(f"{file}: {told.returncode}: {told.stderr}")
    for output in "graph.el", "graph.mtx":
        if os.path.exists(output):
            os.remove(output)
    # The interpreter that runs this test has the modules.
    line = command[1].replace("python3", sys.executable, 1)
    done = subprocess.run(line, shell=True, capture_output=True, text=True, check=False)
    output = "graph.mtx" if os.path.exists("graph.mtx") else "graph.el"
    if done.returncode != 0 or not os.path.exists(output):
        return wrong(f"{file}: {line}: {done.stderr}")
    base = output == "graph.mtx"
    called = [NAMES[v] if named else str(v + base) for v in range(4)]
    want = dict(zip(called, [0, 1, 2, -1]))
    got = levels(output, named)
    if got != want:
        wrong(f"{file}: levels {got}, not {want}")


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["XDG_STATE_HOME"] = folder
        files = write_all()
        for file, named in files.items():
            check(file, named)
        os.chdir("/")
    print(len(files), "kinds of files")
    return int(failed)


sys.exit(main())
