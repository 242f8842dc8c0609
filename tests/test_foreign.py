"""test_foreign.py MESHWAY -- files of other kinds. Some the program reads with Python's help: they give the graph
that was written, on any number of ranks. Of others it names a command that converts; the command is run as it
stands, and makes that graph, too."""

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
    networkx.write_gexf(names, "g.gexf")
    networkx.write_gml(numbers, "g.gml")
    with open("g.json", "w", encoding="utf-8") as f:
        json.dump(networkx.node_link_data(names), f)
    with open("g.dot", "w", encoding="utf-8") as f:
        f.write("// arcs\ndigraph x {\n" + "".join(f'  "{u}" -> "{v}";\n' for u, v in names.edges) + "}\n")
    rows, columns = zip(*EDGES)
    matrix = scipy.sparse.csc_matrix((numpy.ones(4), (rows, columns)), shape=(4, 4))
    scipy.io.savemat("g.mat", {"A": matrix})
    scipy.io.savemat("suite.mat", {"Problem": {"A": matrix, "title": "x"}})
    found = {"g.gexf": True, "g.gml": False, "g.json": True, "g.mat": False, "suite.mat": False}
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


def unquoted(name: str) -> str:
    return name[1:-1].replace('""', '"') if name.startswith('"') else name


def levels(graph: str, named: bool) -> dict[str, int]:
    root = NAMES[0] if named else "1" if graph.endswith(".mtx") else "0"
    done = run("run", "--graph", graph, "--directed", "--root", root, "--levels", "l.txt", "--json", "none", "-f")
    if done.returncode != 0:
        wrong(f"{graph}: {done.stderr}")
        return {}
    with open("l.txt", encoding="utf-8") as f:
        lines = [line.rstrip("\n").rsplit(" ", 1) for line in f if not line.startswith("#")]
    return {unquoted(name): int(level) for name, level in lines}


# ---- those that are read -----------------------------------------------------------------------


def write_read() -> dict[str, tuple[list[str], bool]]:
    """Each file's name: what its vertices are called, with one that has no edge; and whether it has weights."""
    numbers = [str(v) for v in range(5)]
    graph = networkx.DiGraph([(NAMES[u], NAMES[v]) for u, v in EDGES])
    graph.add_node('"e"')
    networkx.write_graphml(graph, "g.graphml")
    weighted = networkx.DiGraph()
    weighted.add_weighted_edges_from((NAMES[u], NAMES[v], 1.5 + u) for u, v in EDGES)
    weighted.add_node('"e"')
    networkx.write_graphml(weighted, "w.graphml")
    rows, columns = zip(*EDGES)
    matrix = scipy.sparse.csr_matrix(([1.5 + u for u in rows], (rows, columns)), shape=(5, 5))
    for form in "csr", "csc", "coo":
        scipy.sparse.save_npz(f"{form}.npz", matrix.asformat(form))
    numpy.savez("arrays.npz", numpy.array(EDGES))
    numpy.savez("ends.npz", src=rows, dst=columns, weight=[1.5 + u for u in rows])
    numpy.save("g.npy", numpy.array(EDGES).T)
    offsets, order = matrix.indptr.tolist(), matrix.indices.tolist()
    text = "\n".join(map(str, [5, 4, *offsets[:5], *order]))
    with open("g.adj", "w", encoding="ascii") as f:
        f.write("AdjacencyGraph\n" + text + "\n")
    with open("w.adj", "w", encoding="ascii") as f:
        f.write("WeightedAdjacencyGraph\n" + text + "\n" + "\n".join(map(str, matrix.data)) + "\n")
    with open("g.bin", "wb") as f:
        numpy.array([5, 4, 24 + 8 * 6 + 4 * 4, *offsets], "<u8").tofile(f)
        numpy.array(order, "<u4").tofile(f)
    named, four = NAMES + ['"e"'], numbers[:4]
    found = {"g.graphml": (named, False), "w.graphml": (named, True), "csr.npz": (numbers, True), "csc.npz": (numbers, True),
             "coo.npz": (numbers, True), "arrays.npz": (four, False), "ends.npz": (four, True), "g.npy": (four, False),
             "g.adj": (numbers, False), "w.adj": (numbers, True), "g.bin": (numbers, False)}
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        print("no pyarrow here: Parquet is not read in this test")
        return found
    table = pyarrow.table({"weight": [1.5 + u for u in rows], "target": [NAMES[v] for v in columns],
                           "source": [NAMES[u] for u in rows]})
    pyarrow.parquet.write_table(table, "g.parquet")
    pyarrow.parquet.write_table(table.rename_columns(["edge_id", "a", "b"]), "odd.parquet")
    told = run("info", "odd.parquet")
    if told.returncode != 65 or "expected source and target" not in told.stderr:
        wrong(f"odd.parquet: {told.returncode}: {told.stderr}")
    pyarrow.parquet.write_table(pyarrow.table({"city": ["x", "y"], "country": ["p", "q"], "source": [10, 2], "target": [2, 3]}),
                                "late.parquet")
    told = run("info", "late.parquet")
    if "called 0..10" not in told.stdout:
        wrong(f"late.parquet: {told.stdout}{told.stderr}")
    return found | {"g.parquet": (NAMES, True)}


def check_read(file: str, called: list[str], weighted: bool) -> None:
    want = dict(zip(called, [0, 1, 2, -1, -1]))
    got = levels(file, called[0] != "0")
    if got != want:
        wrong(f"{file}: levels {got}, not {want}")
    said = run("info", file).stderr
    if "titles" in said or "--format" in said:
        wrong(f"{file}: what the text between says is no news: {said}")
    if not weighted:
        return
    done = run("run", file, "--directed", "--algorithm", "sssp", "--root", called[0], "--values", "distance=d.txt", "--json",
               "none", "-f")
    with open("d.txt", encoding="utf-8") as f:
        far = max(float(x) for x in re.findall(r" ([\d.]+)$", f.read(), re.M))
    if done.returncode != 0 or far != 4.0:
        wrong(f"{file}: the farthest vertex is {far} away, not 4: {done.stderr}")


def check_bad() -> None:
    """What is wrong with a file is said with its name, and what is missing here."""
    with open("cut.adj", "w", encoding="ascii") as f:
        f.write("AdjacencyGraph\n4\n4\n0\n1")
    with open("far.adj", "w", encoding="ascii") as f:
        f.write("AdjacencyGraph\n2\n1\n0\n1\n7\n")
    with open("cut.graphml", "w", encoding="ascii") as f:
        f.write("<graphml><graph edgedefault='directed'><node id='a'/>")
    numpy.savez("odd.npz", a=numpy.zeros(3))
    scipy.sparse.save_npz("wide.npz", scipy.sparse.csr_matrix((2, 3)))
    for file, says in {"cut.adj": "4 numbers, but n = 4 and m = 4 ask for 10", "far.adj": "not in 0..1", "cut.graphml": "ParseError",
                       "odd.npz": "expected row and col", "wide.npz": "a graph's is square"}.items():
        told = run("info", file)
        if told.returncode != 65 or f"{file}: " not in told.stderr or says not in told.stderr:
            wrong(f"{file}: {told.returncode}: {told.stderr}")
    with open("key.graphml", "w", encoding="ascii") as f:
        f.write("<graphml><graph edgedefault='directed'><edge source='1' target='2'/></graph>"
                "<key id='w' for='edge' attr.name='weight'/></graphml>")
    with open("same.graphml", "w", encoding="ascii") as f:
        f.write("<graphml><graph edgedefault='directed'><edge source='1' target='01'/></graph></graphml>")
    numpy.savez("beyond.npz", format="coo", shape=(2, 2), row=[0, 9], col=[1, 1], data=[1, 1])
    numpy.savez("longer.npz", src=[0, 1], dst=[1, 2], weight=[1.0, 2.0, 3.0])
    for file, says in {"key.graphml": "behind the beginning", "same.graphml": "the same number", "beyond.npz": "not in 0..1",
                       "longer.npz": "weights of shape (3,) for 2 edges"}.items():
        told = run("info", file)
        if told.returncode != 65 or says not in told.stderr:
            wrong(f"{file}: {told.returncode}: {told.stderr}")
    # Nodes that are called 1 and 2 are two vertices and not three; a key without `for` is one of all.
    with open("two.graphml", "w", encoding="utf-8") as f:
        f.write("<graphml><key id='w' attr.name='weight'><default/></key><graph edgedefault='directed'>"
                "<edge source='1' target='2'><data key='w'>2.5</data></edge></graph></graphml>")
    told = run("run", "two.graphml", "--algorithm", "sssp", "--root", "1", "--directed", "--values", "distance=d.txt", "-f",
               "--json", "none")
    with open("d.txt", encoding="utf-8") as f:
        said = [line for line in f.read().splitlines() if not line.startswith("#")]
    if told.returncode != 0 or said != ["1 0", "2 2.5"]:
        wrong(f"two.graphml: {said}: {told.stderr}")
    # A list of genes is no Parquet file, and names are UTF-8 wherever the program is started.
    with open("genes.el", "w", encoding="utf-8") as f:
        f.write("PAR1\tF2R\nF2R\tGNAQ\n")
    told = run("run", "genes.el", "--names", "--root", "PAR1", "--json", "none")
    if told.returncode != 0 or "3 of 3" not in told.stdout:
        wrong(f"genes.el: {told.returncode}: {told.stdout}{told.stderr}")
    latin = subprocess.run([MESHWAY, "run", "g.graphml", "--root", NAMES[2], "--json", "none"], capture_output=True, check=False,
                           env=dict(os.environ, LC_ALL="C", PYTHONIOENCODING="latin-1"))
    if latin.returncode != 0:
        wrong(f"another locale: {latin.stderr!r}")
    without = dict(os.environ, PATH="/nowhere")
    told = subprocess.run([MESHWAY, "info", "g.adj"], capture_output=True, text=True, check=False, env=without)
    if told.returncode != 69 or "python3" not in told.stderr:
        wrong(f"without Python: {told.returncode}: {told.stderr}")
    packed = subprocess.run(f"gzip -c g.adj | {MESHWAY} info -", shell=True, capture_output=True, text=True, check=False)
    if packed.returncode != 65 or "not packed" not in packed.stderr:
        wrong(f"packed: {packed.returncode}: {packed.stderr}")


# ---- those that a command converts ---------------------------------------------------------------


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
        os.environ["PATH"] = os.path.dirname(sys.executable) + ":" + os.environ["PATH"]  # it has the modules
        read = write_read()
        for file, (called, weighted) in read.items():
            check_read(file, called, weighted)
        check_bad()
        files = write_all()
        for file, named in files.items():
            check(file, named)
        os.chdir("/")
    print(len(read) + len(files), "kinds of files")
    return int(failed)


sys.exit(main())
