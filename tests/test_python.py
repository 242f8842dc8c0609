"""test_python.py SOURCE_DIR LIBRARY PROGRAM DEGREES [MPIEXEC] -- the Python package: installed by pip into a folder of
its own, against SciPy's and NetworkX's own answers, with wrong input, threads, forks and many graphs.

Ends with 77, which CTest shows as skipped, where NumPy, SciPy or NetworkX is missing, and says so. What only
newer versions have (NetworkX's dispatch) or what is not installed (pip, pandas) is named when it is left out.

SPDX-License-Identifier: Apache-2.0
"""
import gc
import importlib.util
import os
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
import weakref
from pathlib import Path

SKIPPED = 77
missing = [name for name in ("numpy", "scipy", "networkx") if importlib.util.find_spec(name) is None]
if missing:
    print(f"SKIPPED: {sys.executable} has no {', '.join(missing)}: apt-get install "
          f"{' '.join('python3-' + name for name in missing)}")
    sys.exit(SKIPPED)

import networkx as nx  # noqa: E402
import numpy as np  # noqa: E402
import scipy.io  # noqa: E402
import scipy.sparse as sp  # noqa: E402
from scipy.sparse import csgraph  # noqa: E402

SOURCE, LIBRARY, PROGRAM, DEGREES, MPIEXEC = (sys.argv[1:] + [""] * 5)[:5]  # DEGREES: a library with degrees.c
HAS_DISPATCH = hasattr(nx, "config") and hasattr(nx.config, "backends")


def install(folder: str) -> None:
    """As a user does, but offline; where pip cannot, the files themselves, which have no entry points then."""
    source = f"{folder}/source"
    shutil.copytree(f"{SOURCE}/python", source)  # pip builds in place, and the tree is not ours to write to
    tools = ("pip", "setuptools", "wheel")
    lacks = [name for name in tools if importlib.util.find_spec(name) is None]
    if lacks:
        print(f"left out: pip install, for there is no {', '.join(lacks)} (python3-pip, python3-wheel)")
        shutil.copytree(f"{source}/meshway", f"{folder}/installed/meshway")
    else:
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps",
                        "--no-build-isolation", "--disable-pip-version-check", "--root-user-action", "ignore",
                        "--target", f"{folder}/installed", source], check=True)


def random_graphs(n_graphs: int, seed: int):
    """(n, u, v): sparse and dense, with loops, repeated edges, and vertices that have none."""
    rng = np.random.default_rng(seed)
    for _ in range(n_graphs):
        n = int(rng.integers(1, 200))
        m = int(rng.integers(0, 3 * n))
        yield n, rng.integers(0, n, m), rng.integers(0, n, m), rng


def in_python(code: str, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-B", "-c", code], env={**os.environ, **environment},
                          capture_output=True, text=True, check=False)


# Of a process of its own, for a world has one backend: prints "good".
CENTRALITY = '''if True:
    import sys, meshway, networkx as nx, numpy as np
    backend, per_rank = sys.argv[1], slice(meshway.rank(), None, meshway.n_ranks())
    meshway.configure(threads=2, backend=backend)
    rng = np.random.default_rng(21)

    def most_frequent(labels):
        return min(labels, key=lambda x: (-labels.count(x), x))

    def scores(G, sources, normalized):  # the rule of NetworkX 3.5, of any version's scores of single sources
        n, sums = len(G), np.zeros(len(G))
        for s in sources:
            paths = nx.algorithms.centrality.betweenness._single_source_shortest_path_basic(G, s)[:3]
            one = nx.algorithms.centrality.betweenness._accumulate_basic(dict.fromkeys(G, 0.0), *paths, s)
            one = one[0] if isinstance(one, tuple) else one
            sums += [one[v] for v in range(n)]
        k = np.full(n, len(sources)) - np.isin(range(n), sources)
        with np.errstate(invalid="ignore", divide="ignore"):
            scale = 1 / (k * (n - 2)) if normalized else (n - 1) / (k * (1 if G.is_directed() else 2))
            return np.where(k > 0, sums * scale, np.nan)

    sizes = [(1, 0), (2, 1), (3, 2), (5, 0), (90, 60), (130, 400), (40, 300)]
    for i, (n, m) in enumerate(sizes + sizes):
        directed = i >= len(sizes)
        u, v = rng.integers(0, n, (2, m))
        G = nx.empty_graph(n, create_using=nx.DiGraph if directed else nx.Graph)
        G.add_edges_from((a, b) for a, b in zip(u.tolist(), v.tolist()) if a != b)
        ours = meshway.Graph.from_edges(u[per_rank], v[per_rank], n_vertices=n, directed=directed)
        near = dict(rtol=2e-6, atol=1e-9)

        for normalized in (True, False):
            found = meshway.betweenness_centrality(ours, normalized=normalized, validate=True)
            np.testing.assert_allclose(found, list(nx.betweenness_centrality(G, normalized=normalized).values()), **near)
            for k in (1, 2, 65, n) if n > 2 else ():
                if k <= n:
                    found = meshway.betweenness_centrality(ours, k, normalized=normalized, seed=5)
                    sources = __import__("random").Random(5).sample(list(G), k)
                    np.testing.assert_allclose(found, scores(G, sources, normalized), **near)
                    np.testing.assert_array_equal(found, meshway.betweenness_centrality(
                        ours, normalized=normalized, sources=np.array(sources)))
                    if tuple(map(int, nx.__version__.split(".")[:2])) >= (3, 5):
                        theirs = nx.betweenness_centrality(G, k, normalized=normalized, seed=5)
                        np.testing.assert_allclose(found, list(theirs.values()), **near)

        for improved in (True, False):
            np.testing.assert_array_equal(meshway.closeness_centrality(ours, wf_improved=improved),
                                          list(nx.closeness_centrality(G, wf_improved=improved).values()))
        sources = rng.permutation(n)[:int(rng.integers(1, n + 1))]
        found = meshway.multi_source_bfs(ours, sources, validate=True)
        far = [nx.single_source_shortest_path_length(G, s) for s in sources.tolist()]
        np.testing.assert_array_equal(found.sources, sources)
        np.testing.assert_array_equal(found.eccentricities, [max(d.values()) for d in far])
        np.testing.assert_array_equal(found.distance_sums, [sum(d.get(v, 0) for d in far) for v in range(n)])
        np.testing.assert_array_equal(found.n_reached_by, [sum(v in d for d in far) for v in range(n)])
        assert {a.dtype for a in found} == {np.dtype(np.int64)}
        drawn = meshway.multi_source_bfs(ours, k=1, seed=3).sources.tolist()
        assert drawn == __import__("random").Random(3).sample(range(n), 1)
        if m > 0:  # sources that were given are not those that a run draws
            assert meshway.run(ours, "multi_bfs")["n_sources"].max() <= min(64, n - len(list(nx.isolates(G))))

        labels = list(range(n))
        for rounds in range(4):
            if rounds > 0:
                found = meshway.label_propagation(ours, rounds, validate=True)
                np.testing.assert_array_equal(found, labels)
            heard = [[labels[w] for w in G[x]] + ([labels[w] for w in G.pred[x]] if directed else []) for x in G]
            labels = [most_frequent(h) if h else labels[x] for x, h in enumerate(heard)]
        assert found.dtype == np.int64 and meshway.betweenness_centrality(ours).dtype == np.float64
    print("good\\n", end="")'''


class AgainstSciPy(unittest.TestCase):
    def check_search(self, matrix, graph, root, directed):
        parents, levels = meshway.bfs(graph, root, validate=True)
        self.assertEqual((parents.dtype, levels.dtype), (np.int64, np.int32))
        far = csgraph.shortest_path(matrix, directed=directed, unweighted=True, indices=root)
        np.testing.assert_array_equal(levels, np.where(np.isinf(far), -1, far))
        reached = np.flatnonzero(levels >= 0)
        np.testing.assert_array_equal(np.flatnonzero(parents >= 0), reached)
        self.assertEqual(parents[root], root)
        below = reached[reached != root]
        np.testing.assert_array_equal(levels[parents[below]], levels[below] - 1)
        way = matrix if directed else matrix + matrix.T
        self.assertTrue(all(way[p, v] != 0 for p, v in zip(parents[below], below)))

    def test_searches_of_random_graphs(self):
        for i, (n, u, v, rng) in enumerate(random_graphs(12, seed=1)):
            matrix = sp.coo_matrix((np.ones(u.size), (u, v)), shape=(n, n)).tocsr()
            directed = i % 2 == 1
            given = [matrix, matrix.tocoo(), matrix.tocsc(), matrix.tolil()][i % 4]
            graph = meshway.Graph.from_scipy(given, directed=directed)
            self.assertEqual((graph.n_vertices, graph.directed), (n, directed))
            self.check_search(matrix, graph, int(rng.integers(n)), directed)

    def test_many_roots_and_searches_that_end_early(self):
        for i, (n, u, v, rng) in enumerate(random_graphs(8, seed=31)):
            graph = meshway.Graph.from_edges(u, v, weights=rng.integers(1, 9, u.size), n_vertices=n, directed=i % 2 == 1)
            roots = rng.integers(0, n, 5)
            many, paths = meshway.bfs_many(graph, roots, validate=True), meshway.shortest_paths_many(graph, roots)
            self.assertEqual([(a.shape, a.dtype) for a in (*many, *paths)],
                             [((5, n), np.dtype(d)) for d in (np.int64, np.int32, np.float64, np.int64)])
            for k, root in enumerate(roots.tolist()):
                levels = meshway.bfs(graph, root).levels
                np.testing.assert_array_equal(many.levels[k], levels)
                np.testing.assert_array_equal(paths.distances[k], meshway.shortest_paths(graph, root).distances)
                for depth in (0, 1, 2, 10**12):
                    some = meshway.bfs(graph, root, max_depth=depth, validate=True)
                    np.testing.assert_array_equal(some.levels, np.where(levels <= depth, levels, -1))
                    np.testing.assert_array_equal(some.parents >= 0, some.levels >= 0)
                target = int(rng.integers(n))
                found = meshway.bfs(graph, root, target=target, validate=True).levels
                last = levels[target] if levels[target] >= 0 else n
                np.testing.assert_array_equal(found, np.where(levels <= last, levels, -1))
            np.testing.assert_array_equal(meshway.run(graph, "bfs", roots[-1])["parent"] >= 0, levels >= 0)
        self.assertEqual(meshway.bfs_many(graph, []).levels.shape, (0, n))
        for arguments, text in (({"max_depth": -1}, "max_depth: -1"), ({"target": n}, f"target {n}: the graph has")):
            with self.assertRaisesRegex(ValueError, text):
                meshway.bfs(graph, 0, **arguments)

    def test_values_have_names(self):
        for n, u, v, rng in random_graphs(4, seed=5):
            graph = meshway.Graph.from_edges(u, v, n_vertices=n)
            root = int(rng.integers(n))
            values = meshway.run(graph, "bfs", root, validate=True)
            self.assertEqual(list(values), ["parent"])
            np.testing.assert_array_equal(values["parent"] >= 0, meshway.bfs(graph, root).levels >= 0)
            np.testing.assert_array_equal(meshway.run(graph, "cc")["component"], meshway.components(graph))
        with self.assertRaisesRegex(ValueError, "'dfs' is not known; did you mean bfs"):
            meshway.run(graph, "dfs")

    def test_a_second_value_is_a_real(self):
        code = ("import meshway, numpy as np\n"
                "mine = slice(meshway.rank(), None, meshway.n_ranks())\n"
                "g = meshway.Graph.from_edges([0, 0, 0, 1][mine], [1, 2, 3, 2][mine], n_vertices=5)\n"
                "x = meshway.run(g, 'degrees')\n"
                "assert list(x) == ['degree', 'share'], x\n"
                "assert x['degree'].dtype == np.int64 and x['degree'].tolist() == [3, 2, 2, 1, 0], x\n"
                "assert x['share'].dtype == np.float64 and np.isnan(x['share'][4]), x\n"
                "np.testing.assert_allclose(x['share'][:4], [.6, .4, .4, .2], rtol=1e-6)\n")
        done = in_python(code, MESHWAY_LIBRARY=DEGREES)
        self.assertEqual(done.returncode, 0, done.stderr)
        if MPIEXEC:
            done = subprocess.run([MPIEXEC, "-n", "2", sys.executable, "-B", "-c", code], capture_output=True, text=True,
                                  env={**os.environ, "MESHWAY_LIBRARY": DEGREES}, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_keys_change_no_answer(self):
        matrix = sp.random(60, 60, 0.05, random_state=4, format="csr")
        for tune in ({"alpha": 1e-3}, {"alpha": 1e9, "beta": 1}, {"partition": "1d", "bottom-up": "bitmap"}):
            meshway.configure(tune=tune)
            self.check_search(matrix, meshway.Graph.from_scipy(matrix), 3, False)
        meshway.configure(tune={"alpha": 15, "beta": 24, "partition": "1.5d", "bottom-up": "auto"})

    def test_keys_set_anew_count_for_a_graph_that_has_run(self):
        graph = meshway.Graph.from_edges([0, 1, 2, 3], [1, 2, 0, 0])
        first = meshway.pagerank(graph, 0.85)
        try:
            meshway.configure(tune={"damping": 0.1})
            np.testing.assert_allclose(meshway.run(graph, "pagerank")["rank"], meshway.pagerank(graph, 0.1), rtol=1e-5)
            meshway.pagerank(graph, 0.85)
            meshway.configure(tune={"damping": 0.1})  # what a call sets of its own stays the call's
            np.testing.assert_allclose(meshway.pagerank(graph, 0.85), first, rtol=1e-4)
            self.assertFalse(np.allclose(meshway.pagerank(graph, 0.1), first, rtol=1e-2))
        finally:
            meshway.configure(tune={"damping": 0.85})
        np.testing.assert_allclose(meshway.run(graph, "pagerank")["rank"], first, rtol=1e-4)

    def test_components_of_random_graphs(self):
        for n, u, v, _ in random_graphs(8, seed=2):
            labels = meshway.components(meshway.Graph.from_edges(u, v, n_vertices=n), validate=True)
            count, theirs = csgraph.connected_components(
                sp.coo_matrix((np.ones(u.size), (u, v)), shape=(n, n)), directed=False)
            first = {c: i for i, c in reversed(list(enumerate(theirs)))}
            np.testing.assert_array_equal(labels, [first[c] for c in theirs])
            self.assertEqual((labels == np.arange(n)).sum(), count)

    def test_ranks_and_core_numbers_are_networkxs(self):
        for n, u, v, rng in random_graphs(8, seed=5):
            directed = bool(rng.integers(2))
            G = nx.empty_graph(n, create_using=nx.DiGraph if directed else nx.Graph)
            G.add_edges_from((a, b) for a, b in zip(u.tolist(), v.tolist()) if a != b)
            ours = meshway.Graph.from_edges(u, v, n_vertices=n, directed=directed)
            for alpha in (0.85, 0.5, 0.85):
                ranks = meshway.pagerank(ours, alpha, tol=1e-9, max_iter=300, validate=True)
                theirs = nx.pagerank(G, alpha, tol=1e-12, max_iter=500)
                np.testing.assert_allclose(ranks, [theirs[i] for i in range(n)], rtol=1e-4, atol=1e-6)
            if not directed:
                numbers = nx.core_number(G)
                np.testing.assert_array_equal(meshway.core_number(ours, validate=True), [numbers[i] for i in range(n)])
                counts, found = meshway.triangles(ours, validate=True), meshway.clustering(ours)
                self.assertEqual((counts.dtype, found.dtype), (np.int64, np.float64))
                np.testing.assert_array_equal(counts, [nx.triangles(G)[i] for i in range(n)])
                np.testing.assert_allclose(found, [nx.clustering(G)[i] for i in range(n)], rtol=1e-6)
        ours.close()
        with self.assertRaises(meshway.UsageError):
            meshway.pagerank(ours)

    def test_centrality_and_communities_on_every_backend(self):
        for name in [b for b in ("serial", "openmp", "kokkos") if b in meshway.backends()]:
            for launch in [[]] + [[MPIEXEC, "-n", "2"]] * (MPIEXEC != "" and name == "openmp"):
                said = subprocess.run([*launch, sys.executable, "-B", "-c", CENTRALITY, name], capture_output=True,
                                      text=True, check=False)
                self.assertEqual((said.returncode, said.stdout.count("good")), (0, 2 if launch else 1),
                                 (name, launch, said.stderr))

    def check_paths(self, graph, matrix, root, directed):
        distances, parents = meshway.shortest_paths(graph, root, validate=True)
        self.assertEqual((distances.dtype, parents.dtype), (np.float64, np.int64))
        np.testing.assert_array_equal(distances, csgraph.dijkstra(matrix, directed=directed, indices=root))
        np.testing.assert_array_equal(parents >= 0, np.isfinite(distances))
        self.assertEqual(parents[root], root)
        for v in np.flatnonzero(parents >= 0).tolist():
            if v != root:
                p = int(parents[v])
                ways = [matrix[p, v]] + ([] if directed else [matrix[v, p]])
                self.assertIn(distances[v] - distances[p], ways)

    def test_paths_of_random_graphs(self):
        for i, (n, u, v, rng) in enumerate(random_graphs(8, seed=11)):
            # Whole numbers, which floats of 32 bits add without a loss; SciPy adds those of equal entries.
            matrix = sp.coo_matrix((rng.integers(1, 100, u.size), (u, v)), shape=(n, n))
            summed, directed, root = matrix.tocsr(), i % 2 == 1, int(rng.integers(n))
            for given in (matrix, summed, matrix.tocsc(), (summed / 4).tolil() * 4):
                graph = meshway.Graph.from_scipy(given, weights=True, directed=directed)
                self.assertTrue(graph.weighted)
                self.check_paths(graph, summed, root, directed)
            entries = summed.tocoo()
            for dtype in (np.float32, np.float64, np.int16, ">f8"):
                graph = meshway.Graph.from_edges(entries.row, entries.col, weights=entries.data.astype(dtype),
                                                 n_vertices=n, directed=directed)
                self.check_paths(graph, summed, root, directed)
            np.testing.assert_array_equal(meshway.bfs(graph, root).levels >= 0,
                                          meshway.shortest_paths(graph, root).parents >= 0)

    def test_weights_of_files(self):
        n, u, v, rng = next(random_graphs(1, seed=13))
        matrix = sp.coo_matrix((rng.integers(1, 50, u.size) / 2, (u, v)), shape=(n, n)).tocsr()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "graph.mtx"
            with path.open("wb") as f:
                scipy.io.mmwrite(f, matrix, field="real", symmetry="general")
            graph = meshway.Graph.from_file(path, weights=True, directed=True)
            self.assertIn("directed, weighted", repr(graph))
            self.check_paths(graph, matrix, int(u[0]), True)
            self.assertFalse(meshway.Graph.from_file(path).weighted)
            path.write_text("0 1\n1 2\n")
            with self.assertWarnsRegex(meshway.MeshwayWarning, "has no weights; all are 1$"):
                graph = meshway.Graph.from_file(path, weights=True)
            np.testing.assert_array_equal(meshway.shortest_paths(graph, 0).distances, [0, 1, 2])
            path.write_text("0 1 1.56\n1 2 16777217\n2 3 0.5\n")
            with self.assertWarnsRegex(meshway.MeshwayWarning, "weights are kept as 32-bit floats .7 digits., and 2 were rounded"):
                meshway.Graph.from_file(path, weights=True)
            path.write_text("# from\tto\tweight\n0\t1\t2\n")
            self.assertEqual(meshway.shortest_paths(meshway.Graph.from_file(path, weights=True), 1).distances.tolist(), [2, 0])
            path.write_text("0 1 3\n1 2 -4\n")
            with self.assertRaisesRegex(meshway.DataError, ":2: a negative weight"):
                meshway.Graph.from_file(path, weights=True)

    def test_what_repeated_edges_have_together(self):
        u, v, w = [0, 1, 0, 2], [1, 0, 1, 3], [5, 3, 4, 0]
        graph = meshway.Graph.from_edges(u, v, weights=w)
        distances, parents = meshway.shortest_paths(graph, 1, validate=True)
        np.testing.assert_array_equal(distances, [3, 0, np.inf, np.inf])
        np.testing.assert_array_equal(parents, [1, 1, -1, -1])
        np.testing.assert_array_equal(meshway.shortest_paths(graph, 2, validate=True).distances, [np.inf, np.inf, 0, 0])
        for merge in ("first", "sum"):
            graph = meshway.Graph.from_edges(u, v, weights=w, merge=merge)
            self.assertTrue(graph.weighted)
            with self.assertRaisesRegex(meshway.RefusedError, "sssp wants the least of the weights"):
                meshway.shortest_paths(graph, 0)

    def test_stored_zeros_are_edges(self):
        matrix = sp.coo_matrix(([0.0, np.nan], ([0, 1], [1, 2])), shape=(3, 3))
        np.testing.assert_array_equal(meshway.bfs(meshway.Graph.from_scipy(matrix), 0).levels, [0, 1, 2])

    def test_files_are_read_as_scipy_reads_them(self):
        n, u, v, _ = next(random_graphs(1, seed=3))
        matrix = sp.coo_matrix((np.ones(u.size), (u, v)), shape=(n, n))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "graph \N{SNOWMAN}.mtx"
            with path.open("wb") as f:
                scipy.io.mmwrite(f, matrix, field="pattern", symmetry="general")
            graph = meshway.Graph.from_file(path, directed=True)
        self.assertEqual((graph.base, graph.directed, graph.n_vertices), (1, True, n))
        self.check_search(matrix.tocsr(), graph, int(u[0]), True)

    def test_a_comment_does_not_hinder_a_direction(self):
        snap = "# Directed graph (each unordered pair of nodes is saved once): web-Google.txt\n0 1\n1 2\n"
        for text, base in [(snap, 0), ("# Undirected graph: x\n0 1\n1 2\n", 0), ("% asym unweighted\n1 2\n2 3\n", 1)]:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "graph.txt"
                path.write_text(text)
                for directed, levels in [(True, [-1, -1, 0]), (False, [2, 1, 0]), (None, [2, 1, 0])]:
                    graph = meshway.Graph.from_file(path, directed=directed)
                    self.assertEqual((graph.base, graph.directed), (base, bool(directed)))
                    np.testing.assert_array_equal(meshway.bfs(graph, 2).levels, levels)


# Of a process of its own, under mpiexec too: prints "good".
FILES = '''if True:
    import bz2, gzip, importlib.util, lzma, os, pathlib, sys, warnings, meshway, numpy as np
    meshway.configure(threads=1)
    path = pathlib.Path(sys.argv[1]) / "towns"
    Graph = meshway.Graph

    def put(text, pack=lambda data: data):
        meshway.Graph.from_edges([0], [1], n_vertices=2).close()
        if meshway.rank() == 0:
            path.write_bytes(pack(text.encode()))
        meshway.components(meshway.Graph.from_edges([0], [1], n_vertices=2))  # nobody reads before it is written
        return path

    warnings.simplefilter("error")
    put("Oslo;B\u00e5t\\nB\u00e5t;Ag\\n")
    graph = Graph.from_file(path, names=True)
    assert graph.nodes == ["Ag", "B\u00e5t", "Oslo"] and graph.vertex_of["Oslo"] == 2, graph.nodes
    assert meshway.bfs(graph, "Oslo").levels.tolist() == [2, 1, 0]
    for root, kind, text in (("Rom", ValueError, "'Rom' does not occur"), (2, TypeError, "2 is no str, and vertices of this graph's file have names; graph.nodes[i] is")):
        try:
            meshway.bfs(graph, root)
        except kind as e:
            assert text in str(e), e
        else:
            raise AssertionError(root)
    for pack in (gzip.compress, bz2.compress, lzma.compress):
        graph = Graph.from_file(put("900000000000 7\\n7 8\\n", pack), compact_ids=True, separator=" ")
        assert graph.nodes.tolist() == [7, 8, 900000000000] and graph.nodes.dtype == np.uint64
        assert meshway.bfs(graph, 8).levels.tolist() == [1, 0, 2] and meshway.bfs(graph, np.int64(7)).levels[0] == 0
    assert Graph.from_file(put("5 6\\n"), base=1, n_vertices=9).n_vertices == 9
    assert Graph.from_file(put("a b\\n3 4\\n"), header=True, format="edges").n_vertices == 5
    text = "from,to,km\\n0,1,5\\n"
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        Graph.from_file(put(text), weights=True)
    assert len(said) == (meshway.rank() == 0), said
    for note in said:
        assert note.category is meshway.MeshwayWarning and "has no weights; all are 1 (under titles" in str(note.message)
        assert str(path) in str(note.message)
    Graph.from_file(put(text.replace("km", "weight")), weights=True)
    graph = Graph.from_file(put("from,to,km\\n0,1,5\\n1,2,2\\n3,4,1\\n"), weights="km")
    found = meshway.shortest_paths(graph, 0)
    assert found.distances.tolist()[:3] == [0, 5, 7] and meshway.path_to(graph, found.parents, 2) == [0, 1, 2]
    assert meshway.path_to(graph, found.parents, 3) == [] and meshway.path_to(graph, found.parents, 0) == [0]
    Graph.from_file(put(text))

    def noted(path, text):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            graph = Graph.from_file(path)
        assert [n.category for n in said] == [meshway.MeshwayWarning] * (meshway.rank() == 0), said
        assert all(text in str(n.message) and str(path) in str(n.message) for n in said), said
        return graph

    put("Oslo;Bod\u00f8\\nBod\u00f8;Ag\\n")
    assert noted(path, 'names; format="edges" reads numbers only').nodes == ["Ag", "Bod\u00f8", "Oslo"]
    put("<graphml><graph edgedefault='undirected'><node id='5'/><node id='0'/><edge source='0' target='1'/></graph></graphml>")
    graph = noted(path, "1 of its nodes have no edge")
    assert graph.nodes.tolist() == [0, 1, 5] and meshway.bfs(graph, 0).levels.tolist() == [0, 1, -1]
    put("AdjacencyGraph\\n3\\n2\\n0\\n1\\n2\\n1\\n0\\n")
    graph = Graph.from_file(path)
    assert graph.n_vertices == 3 and meshway.components(graph).tolist() == [0, 0, 2]

    def refused(kind, texts, **arguments):
        try:
            Graph.from_file(path, **arguments)
        except kind as e:
            assert all(text in str(e) for text in texts) and "--" not in str(e) and str(path) in str(e), e
        else:
            raise AssertionError(texts)

    put("a b\\nc d\\n")
    refused(ValueError, ("header=True",), names=False)
    put("from,to,km\\n0,1,5\\n")
    refused(ValueError, ("no column has the title 'miles'",), weights="miles")
    put("AdjacencyGraph\\n3\\n2\\n0\\n")
    refused(ValueError, ("ask for 7",))
    put("1 2\\nx 3\\n")
    refused(ValueError, ("names=True", "header=True"))
    put("1 2\\n3 9000000000\\n", gzip.compress)
    refused(ValueError, ("n_vertices=9000000001", "compact_ids=True"))
    put("%%MatrixMarket matrix coordinate pattern general\\n1 1 1\\n1 1\\n", gzip.compress)
    refused(ValueError, ("leave base out",), base=1)
    refused(ValueError, ("compact_ids=True is for lists",), compact_ids=True)
    put("1 2\\n", lambda data: gzip.compress(data)[:-9])
    refused(ValueError, ("cannot be unpacked into",))
    if all(importlib.util.find_spec(name) is None for name in ("zstandard", "compression")):
        put("", lambda data: bytes.fromhex("28b52ffd00"))
        refused(RuntimeError, ("zstd file: pip install zstandard",))
    for arguments in ({"names": True, "compact_ids": True}, {"separator": "|"}, {"base": 2}, {"format": "a,b"},
                      {"weights": 3}, {"weights": ""}):
        try:
            Graph.from_file(path, **arguments)
        except meshway.UsageError:
            continue
        raise AssertionError(arguments)
    print("good\\n", end="")'''


class Files(unittest.TestCase):
    def test_the_example_of_names(self):
        text = Path(f"{SOURCE}/docs/python.md").read_text()
        code = re.search(r'(    graph = .*"links.tsv"(?:.*\n)(?:    .*\n)+)', text)[1]
        with tempfile.TemporaryDirectory() as folder:
            Path(f"{folder}/links.tsv").write_text("Oslo\tVoss\nVoss\tBergen\nFlåm\tVoss\nBergen\tVoss\n")
            said = in_python(f"import os, meshway\nos.chdir({folder!r})\nif True:\n{code}")
        lines = said.stdout.splitlines()
        self.assertEqual([line.split()[0] for line in lines[:2]], ["Voss", "Bergen"], said.stderr)
        self.assertEqual(lines[4], "['Oslo', 'Voss', 'Bergen']")

    def test_names_ids_packed_ones_and_errors_in_pythons_words(self):
        for launch in [[]] + [[MPIEXEC, "-n", "2"]] * (MPIEXEC != ""):
            with tempfile.TemporaryDirectory() as folder:
                said = subprocess.run([*launch, sys.executable, "-B", "-c", FILES, folder], capture_output=True, text=True,
                                      check=False)
                self.assertEqual((said.returncode, said.stdout.count("good")), (0, 2 if launch else 1), said.stderr)


class Tables(unittest.TestCase):
    def check(self, make):
        numbers = {"source": [0, 1, 5], "to": [1, 2, 4], "km": [2.0, 0.5, 1.0]}
        graph = meshway.Graph.from_table(make(numbers), target="to", weight="km", n_vertices=7)
        self.assertEqual((graph.n_vertices, graph.nodes, graph.weighted), (7, None, True))
        np.testing.assert_array_equal(meshway.shortest_paths(graph, 0).distances, [0, 2, 2.5] + [np.inf] * 4)
        self.assertTrue(meshway.Graph.from_table(make(numbers), target="to", directed=True).directed)
        graph = meshway.Graph.from_table(make({"source": ["Oslo", "Voss"], "target": ["Voss", "Bergen"]}))
        self.assertEqual(graph.nodes, ["Oslo", "Voss", "Bergen"])
        np.testing.assert_array_equal(meshway.bfs(graph, "Bergen").levels, [2, 1, 0])
        for columns, text in ((("source",), "no column 'target', but source, to, km"), ((), "columns source, to, km, and no pair")):
            with self.assertRaisesRegex(meshway.UsageError, text):
                meshway.Graph.from_table(make(numbers), **{end: end for end in columns})
        for pair in (("from", "to"), ("Tail", "HEAD"), ("From_Node ID", "to-node-id"), ("u", "v")):
            graph = meshway.Graph.from_table(make({"km": [1, 1], pair[1]: [1, 2], pair[0]: [0, 0]}), directed=True)
            np.testing.assert_array_equal(meshway.bfs(graph, 0).levels, [0, 1, 1])
        for ends, km, text in (([0, 1], [1.0, -2.0], "^column 'km', row 1: is -2.0; weights are numbers"),
                               ([0, -4], [1.0, 1.0], "^column 'from', row 1: is -4; vertices count from 0"),
                               (["a", None], [1.0, 1.0], "^column 'from', row 1: an end of an edge is missing")):
            with self.assertRaisesRegex(meshway.DataError, text):
                meshway.Graph.from_table(make({"from": ends, "to": ends[:1] * 2, "km": km}), weight="km")
        with self.assertRaisesRegex((ValueError, TypeError), "missing"):
            meshway.Graph.from_table(make({"source": ["a", None], "target": ["b", "c"]}))
        with self.assertRaisesRegex((ValueError, TypeError), "missing"):
            meshway.Graph.from_table(make({"source": [1, None], "target": [2, 3]}))

    def test_mappings(self):
        self.check(lambda columns: columns)
        with self.assertRaisesRegex(meshway.UsageError, "column 'source' has 1 ends and column 'target' has 2"):
            meshway.Graph.from_table({"source": [1], "target": [2, 3]})

    def test_titles_are_those_of_files(self):
        words = set(re.findall(r'"([a-z0-9]+)"', Path(f"{SOURCE}/src/io/titles.c").read_text().split("pairs[]")[1].split("};")[0]))
        from meshway import _read
        self.assertEqual(words, {word for pair in _read.TITLES for words in pair for word in words.split()})

    def test_pandas(self):
        if importlib.util.find_spec("pandas") is None:
            self.skipTest("pandas is not installed")
        import pandas

        self.check(pandas.DataFrame)

    def test_arrow_and_parquet(self):
        if importlib.util.find_spec("pyarrow") is None:
            self.skipTest("pyarrow is not installed")
        import pyarrow.parquet

        class Stream:  # and nothing else
            def __init__(self, columns):
                self.table = pyarrow.table(columns)

            def __arrow_c_stream__(self, schema=None):
                return self.table.__arrow_c_stream__(schema)

        with tempfile.TemporaryDirectory() as folder:
            def stored(columns):
                pyarrow.parquet.write_table(pyarrow.table(columns), f"{folder}/t.parquet")
                return pyarrow.parquet.read_table(f"{folder}/t.parquet")

            for make in (pyarrow.table, Stream, stored):
                self.check(make)


class Arrays(unittest.TestCase):
    LEVELS = [0, 1, 2, -1]

    def test_every_form_of_the_same_edges(self):
        u, v = [0, 1], [1, 2]
        strided = np.array([0, 9, 1, 9])[::2]
        for edges in [(u, v), (np.array(u, dtype=np.int8), np.array(v, dtype=np.uint32)),
                      (np.array(u, dtype=np.uint64), np.array(v, dtype=">i8")), (strided, v),
                      ([[0, 1], [1, 2]],), (np.array([[0, 1], [1, 2]], dtype=np.int16, order="F"),)]:
            graph = meshway.Graph.from_edges(*edges, n_vertices=4)
            np.testing.assert_array_equal(meshway.bfs(graph, 0).levels, self.LEVELS)

    def test_the_arrays_stay_as_they_were_and_are_not_kept(self):
        u, v = np.array([0, 1]), np.array([1, 2])
        u.flags.writeable = False
        graph = meshway.Graph.from_edges(u, v, n_vertices=4)
        v[:] = 0
        parents, levels = meshway.bfs(graph, 0)
        np.testing.assert_array_equal(levels, self.LEVELS)
        parents[:] = 77  # the caller's own
        np.testing.assert_array_equal(meshway.bfs(graph, 0).parents, [0, 0, 1, -1])

    def test_no_edges(self):
        graph = meshway.Graph.from_edges([], n_vertices=3)
        np.testing.assert_array_equal(meshway.components(graph), [0, 1, 2])
        self.assertEqual(meshway.Graph.from_edges([0, 5], [1, 2]).n_vertices, 6)

    def refused(self, kind, text, make):
        with self.assertRaisesRegex(kind, text):
            make()

    def test_wrong_input(self):
        Graph, square = meshway.Graph, sp.eye(3)
        for kind, text, make in [
                (ValueError, r"shape \(2, 3\) is no graph", lambda: Graph.from_scipy(sp.coo_matrix((2, 3)))),
                (TypeError, "scipy.sparse", lambda: Graph.from_scipy(np.eye(3))),
                (ValueError, r"u\[1\]: is -1", lambda: Graph.from_edges([0, -1], [1, 1])),
                (TypeError, "dtype float64, expected integers .a missing value", lambda: Graph.from_edges([0.0, np.nan], [1, 2])),
                (TypeError, "dtype bool", lambda: Graph.from_edges([True], [False])),
                (ValueError, r"shape \(2, 3\)", lambda: Graph.from_edges(np.zeros((2, 3), dtype=int))),
                (ValueError, "one dimension", lambda: Graph.from_edges(np.zeros((2, 2), dtype=int), [1, 2])),
                (ValueError, "u has 2 ends and v has 1", lambda: Graph.from_edges([0, 1], [1])),
                (meshway.DataError, "edge 0: 0 -- 9: the graph has vertices 0..2",
                 lambda: Graph.from_edges([0], [9], n_vertices=3)),
                (meshway.RefusedError, "owns at most", lambda: Graph.from_edges([0], [2**62])),
                (TypeError, "n_vertices: 3.5", lambda: Graph.from_edges([0], [1], n_vertices=3.5)),
                (TypeError, "n_vertices: nan", lambda: Graph.from_edges([0], [1], n_vertices=float("nan"))),
                (ValueError, "at least 1 vertex", lambda: Graph.from_edges([])),
                (OSError, "no/such.el", lambda: Graph.from_file("no/such.el")),
                (FileNotFoundError, "no/such.el", lambda: Graph.from_file("no/such.el")),
                (TypeError, "pandas.factorize", lambda: Graph.from_edges(["a"], ["b"])),
                (TypeError, "expected a meshway.Graph, not a Graph", lambda: meshway.bfs(nx.path_graph(3), 0)),
                (TypeError, "'a' is no integer, and this graph has no names",
                 lambda: meshway.bfs(Graph.from_scipy(square), "a")),
                (ValueError, r"core_number\(\) is of graphs whose edges count both ways",
                 lambda: meshway.core_number(Graph.from_scipy(square, directed=True))),
                (ValueError, r"clustering\(\) is of graphs whose edges count both ways",
                 lambda: meshway.clustering(Graph.from_scipy(square, directed=True))),
                (ValueError, "edge 'b' -- 'c': its 'd' is -2; weights are numbers from 0 on",
                 lambda: Graph.from_networkx(nx.Graph([("a", "b", {"d": 1}), ("b", "c", {"d": -2})]), weight="d")),
                (ValueError, "zero byte", lambda: Graph.from_file("a\0b")),
                (ValueError, "root 3: the graph has vertices 0..2", lambda: meshway.bfs(Graph.from_scipy(square), 3)),
                (ValueError, "root: -1", lambda: meshway.bfs(Graph.from_scipy(square), -1)),
                (TypeError, "root: 0.0", lambda: meshway.bfs(Graph.from_scipy(square), 0.0)),
                (ValueError, r"components\(\) is of graphs whose edges count both ways.*make it without directed=True",
                 lambda: meshway.components(Graph.from_scipy(square, directed=True))),
                (ValueError, "before the first graph", lambda: meshway.configure(threads=2)),
                (ValueError, "sideways", lambda: meshway.configure(direction="sideways")),
                (ValueError, "abacus", lambda: meshway.configure(backend="abacus")),
                (ValueError, "did you mean alpha", lambda: meshway.configure(tune={"alhpa": 3})),
                (ValueError, "known once it is loaded", lambda: meshway.configure(tune={"spokes": 3})),
                (meshway.InputError, "./nothing.so: No such file", lambda: meshway.load("nothing.so")),
                (ValueError, "hubs: '12' is not known", lambda: meshway.configure(tune={"hubs": 12})),
                (ValueError, "before the first graph", lambda: meshway.configure(tune={"batch": "4Ki"})),
                (TypeError, "no option 'thread'", lambda: meshway.configure(thread=2)),
                (ValueError, r"wants weights, and the graph has none: Graph.from_edges\(u, v, weights=w\)",
                 lambda: meshway.shortest_paths(Graph.from_edges([0], [1]), 0)),
                (ValueError, "wants weights, and the graph has none; MESHWAY_WEIGHTS 1",
                 lambda: meshway.run(Graph.from_edges([0], [1]), "sssp", 0)),
                (ValueError, r"weights\[1\]: is -2; weights are numbers from 0 on",
                 lambda: Graph.from_edges([0, 1], [1, 2], weights=[1, -2])),
                (ValueError, r"weights\[0\]: is nan", lambda: Graph.from_edges([0], [1], weights=[np.nan])),
                (ValueError, r"weights\[0\]: is inf; the greatest", lambda: Graph.from_edges([0], [1], weights=[np.inf])),
                (ValueError, r"weights\[0\]: is 1e\+39; the greatest 32-bit",
                 lambda: Graph.from_edges([0], [1], weights=[1e39])),
                (TypeError, "weights: has dtype bool", lambda: Graph.from_edges([0], [1], weights=[True])),
                (ValueError, r"weights: has shape \(2,\), expected one of each edge, \(1,\)",
                 lambda: Graph.from_edges([0], [1], weights=[1, 2])),
                (ValueError, "k: 3 of 2 vertices", lambda: meshway.betweenness_centrality(Graph.from_edges([0], [1]), 3)),
                (ValueError, "k: 0 of 2", lambda: meshway.multi_source_bfs(Graph.from_edges([0], [1]), k=0)),
                (TypeError, "k: 1.5", lambda: meshway.multi_source_bfs(Graph.from_edges([0], [1]), k=1.5)),
                (ValueError, "given, or k of them",
                 lambda: meshway.multi_source_bfs(Graph.from_edges([0], [1]), [0], k=1)),
                (ValueError, "sources: there are none", lambda: meshway.multi_source_bfs(Graph.from_edges([0], [1]), [])),
                (ValueError, "sources: 1 is there twice",
                 lambda: meshway.multi_source_bfs(Graph.from_edges([0], [1]), [1, 0, 1])),
                (ValueError, "source 2: the graph has vertices 0..1",
                 lambda: meshway.betweenness_centrality(Graph.from_edges([0], [1]), sources=[2])),
                (ValueError, "source 'x' is no node",
                 lambda: meshway.multi_source_bfs(Graph.from_networkx(nx.path_graph(2)), ["x"])),
                (ValueError, "^max_iter: 0 is less than 1", lambda: meshway.label_propagation(Graph.from_edges([0], [1]), 0)),
                (ValueError, "^alpha: 1.5 is out of range 0..1", lambda: meshway.pagerank(Graph.from_edges([0], [1]), 1.5)),
                (ValueError, "^alpha: nan", lambda: meshway.pagerank(Graph.from_edges([0], [1]), np.nan)),
                (ValueError, "^max_iter: 0 is less", lambda: meshway.pagerank(Graph.from_edges([0], [1]), max_iter=0)),
                (ValueError, "merge: 'least' is none of minimum", lambda: Graph.from_edges([0], [1], weights=[1], merge="least")),
                (ValueError, "root 2: the graph has vertices 0..1",
                 lambda: meshway.shortest_paths(Graph.from_edges([0], [1], weights=[1]), 2)),
                (ValueError, "an edge has 'far' as its 'length'",
                 lambda: Graph.from_networkx(nx.Graph([(0, 1, {"length": "far"})]), weight="length")),
                (TypeError, "from_edges", Graph)]:
            with self.subTest(text):
                self.refused(kind, text, make)

    def test_closed_graphs_say_so(self):
        with meshway.Graph.from_edges([0], [1]) as graph:
            meshway.bfs(graph, 0)
        self.assertIn("closed", repr(graph))
        graph.close()
        for call in (lambda: meshway.bfs(graph, 0), lambda: meshway.betweenness_centrality(graph),
                     lambda: meshway.label_propagation(graph)):
            self.refused(ValueError, "closed", call)
        self.refused(TypeError, "memory of this process", lambda: pickle.dumps(graph))


class AgainstNetworkX(unittest.TestCase):
    KINDS = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)

    def graphs(self, n_graphs, seed):
        for n, u, v, rng in random_graphs(n_graphs, seed):
            name = {i: (i, f"node {i}", (i, "pair"))[i % 3] for i in range(n)}
            for kind in self.KINDS:
                G = kind()
                G.add_nodes_from(name[i] for i in rng.permutation(n).tolist())
                G.add_edges_from((name[a], name[b]) for a, b in zip(u.tolist(), v.tolist()))
                yield G, name[int(rng.integers(n))]

    def test_functions_answer_as_networkx_does(self):
        # With limits below 1 and between two numbers the functions of 2.8 do not agree with each other.
        limits = (None, 1, 2, 10**9) + ((0, -1, 1.5) if HAS_DISPATCH else ())
        for G, source in self.graphs(4, seed=4):
            ours = backend.convert_from_nx(G)
            for limit in limits:
                for reverse in (False, True):
                    expected = list(nx.bfs_edges(G, source, reverse, limit))
                    self.assertEqual(list(backend.bfs_edges(ours, source, reverse, limit)), expected)
                self.assertEqual(list(backend.bfs_predecessors(ours, source, limit)),
                                 list(nx.bfs_predecessors(G, source, limit)))
                self.assertEqual(list(backend.bfs_successors(ours, source, limit)),
                                 list(nx.bfs_successors(G, source, limit)))
                self.assertEqual(backend.single_source_shortest_path_length(ours, source, limit),
                                 nx.single_source_shortest_path_length(G, source, limit))
                self.assertEqual(list(backend.single_source_shortest_path(ours, source, limit).items()),
                                 list(nx.single_source_shortest_path(G, source, limit).items()))
            tree, theirs = backend.bfs_tree(ours, source), nx.bfs_tree(G, source)
            self.assertIs(type(tree), type(theirs))
            self.assertEqual((list(tree), list(tree.edges)), (list(theirs), list(theirs.edges)))
            self.assertEqual(list(backend.bfs_layers(ours, source)), list(nx.bfs_layers(G, source)))
            self.assertEqual(list(backend.bfs_layers(ours, [source])), list(nx.bfs_layers(G, [source])))
            for distance in (0, 1, 2, 3, 1000, -1, 1.5):
                self.assertEqual(backend.descendants_at_distance(ours, source, distance),
                                 nx.descendants_at_distance(G, source, distance))
            self.assertEqual(backend.shortest_path_length(ours, source), dict(nx.shortest_path_length(G, source)))
            for target in list(G)[:20]:
                self.assertIs(backend.has_path(ours, source, target), nx.has_path(G, source, target))
                self.assertEqual(self.outcome(backend.shortest_path_length, ours, source, target),
                                 self.outcome(nx.shortest_path_length, G, source, target))
            simple = nx.Graph(G)
            simple.remove_edges_from(list(nx.selfloop_edges(simple)))
            self.assertEqual(list(backend.core_number(simple).items()), list(nx.core_number(simple).items()))
            for name in ("triangles", "clustering"):
                self.assertEqual(list(getattr(backend, name)(simple).items()), list(getattr(nx, name)(simple).items()))
            self.assertAlmostEqual(backend.transitivity(simple), nx.transitivity(simple), 14)
            for zeros in (True, False) if nx.transitivity(simple) else (True,):
                self.assertAlmostEqual(backend.average_clustering(simple, count_zeros=zeros),
                                       nx.average_clustering(simple, count_zeros=zeros), 14)
            for other in (nx.DiGraph(simple), nx.MultiGraph(simple), nx.Graph([(0, 0), (0, 1)])):
                for form in (other, backend.convert_from_nx(other)):
                    for name in ("core_number", "triangles", "clustering", "average_clustering", "transitivity"):
                        self.assertIn(name, left(name, (form,), {}))
                        self.assertRaises(NotImplementedError, getattr(backend, name), form)
            self.assertIn("nodes", left("triangles", (simple, [0]), {}))
            self.assertIn("weight", left("clustering", (simple,), {"weight": "weight"}))
            if G.is_directed():
                self.assertEqual(list(backend.weakly_connected_components(ours)),
                                 list(nx.weakly_connected_components(G)))
                self.assertEqual(backend.number_weakly_connected_components(ours),
                                 nx.number_weakly_connected_components(G))
                self.assertIs(backend.is_weakly_connected(ours), nx.is_weakly_connected(G))
            else:
                self.assertEqual(list(backend.connected_components(ours)), list(nx.connected_components(G)))
                self.assertEqual(backend.number_connected_components(ours), nx.number_connected_components(G))
                self.assertIs(backend.is_connected(ours), nx.is_connected(G))
                self.assertEqual(backend.node_connected_component(ours, source),
                                 nx.node_connected_component(G, source))

    LENGTHS = ("single_source_dijkstra_path_length", "single_source_bellman_ford_path_length")

    def weigh(self, G, rng, weights):
        """Of some edges, for what an edge lacks is 1."""
        for *_, data in G.edges(data=True):
            if rng.random() < 0.8:
                data["cost"] = weights(rng)

    def test_lengths_are_those_of_networkx(self):
        rng = np.random.default_rng(15)
        for G, source in self.graphs(4, seed=14):
            for weights, whole in ((lambda r: int(r.integers(0, 100)), True), (lambda r: int(r.integers(0, 9)) / 2, False)):
                self.weigh(G, rng, weights)
                ours = backend.convert_from_nx(G, edge_attrs={"cost": 1, "none": 1})
                for attribute in ("cost", "none"):
                    for name in self.LENGTHS:
                        expected = dict(getattr(nx, name)(G, source, weight=attribute))
                        found = getattr(backend, name)(ours, source, weight=attribute)
                        self.assertEqual(found, expected)
                        self.assertEqual(list(found.values()), sorted(found.values()))
                        if whole:
                            self.assertEqual({type(x) for x in found.values()}, {int})
                for cutoff in (0, 1, 17.5, -1):
                    self.assertEqual(backend.single_source_dijkstra_path_length(ours, source, cutoff, "cost"),
                                     nx.single_source_dijkstra_path_length(G, source, cutoff, "cost"))
                for target in list(G)[:4] if whole else ():  # else an edge without a weight counts as a whole 1
                    self.check_paths(G, ours, source, target)
                graph = meshway.Graph.from_networkx(G, weight="cost")
                distances = meshway.shortest_paths(graph, source, validate=True).distances
                self.assertEqual({v: d for v, d in zip(graph.nodes, distances) if d < np.inf},
                                 nx.single_source_dijkstra_path_length(G, source, weight="cost"))

    def check_paths(self, G, ours, source, target):
        """By all functions of paths: of several shortest ones only ends and lengths agree."""
        least = nx.DiGraph() if G.is_directed() else nx.Graph()
        for u, v, cost in G.edges(data="cost", default=1):
            least.add_edge(u, v, cost=min(cost, least.get_edge_data(u, v, {"cost": cost})["cost"]))

        def measured(value, weight):
            if isinstance(value, dict):
                return {key: measured(x, weight) for key, x in value.items()}
            if isinstance(value, list):
                return value[0], value[-1], nx.path_weight(least, value, weight) if weight else len(value)
            return tuple(measured(x, weight) for x in value) if isinstance(value, tuple) else value

        def outcome(module, name, graph, arguments):
            try:
                return measured(getattr(module, name)(graph, **arguments), arguments["weight"])
            except nx.NetworkXException as e:
                return type(e), "".join(map(str, e.args))

        one, both = {"source": source, "weight": "cost"}, {"source": source, "target": target, "weight": "cost"}
        calls = [(name, both) for name in ("dijkstra_path", "dijkstra_path_length", "bellman_ford_path", "single_source_dijkstra",
                                           "bellman_ford_path_length", "single_source_bellman_ford", "bidirectional_dijkstra")]
        calls += [(f"single_source_{name}", one) for name in ("dijkstra", "dijkstra_path", "bellman_ford", "bellman_ford_path")]
        for name in ("shortest_path", "shortest_path_length"):
            calls += [(name, {**ends, "weight": weight, "method": method}) for ends in (one, both)
                      for weight in (None, "cost") for method in ("dijkstra", "bellman-ford")]
            calls += [(name, {"target": source, "weight": weight}) for weight in ((None,) if G.is_directed() else (None, "cost"))]
        for name, arguments in calls:
            self.assertEqual(outcome(backend, name, ours, arguments), outcome(nx, name, G, arguments), name)

    def test_pagerank_is_near_that_of_networkx(self):
        for G, _ in self.graphs(3, seed=41):
            G.remove_edges_from(list(nx.selfloop_edges(G)))
            if G.is_multigraph():
                self.assertIn("twice", left("pagerank", (G,), {}))
                continue
            for alpha in (0.85, 0.3):
                found, theirs = backend.pagerank(G, alpha, tol=1e-9, max_iter=500), nx.pagerank(G, alpha, tol=1e-9, max_iter=500)
                self.assertEqual(list(found), list(theirs))
                np.testing.assert_allclose(list(found.values()), list(theirs.values()), rtol=1e-5, atol=1e-7)
            with self.assertRaises(nx.PowerIterationFailedConvergence):
                backend.pagerank(nx.star_graph(9), max_iter=1)
        self.assertEqual(backend.pagerank(nx.Graph()), {})
        for arguments in ({"personalization": {0: 1}}, {"dangling": {0: 1}}, {"nstart": {0: 1}}):
            self.assertIn("alike", left("pagerank", (nx.path_graph(3),), arguments))
        with self.assertRaisesRegex(NotImplementedError, "different weights"):
            backend.pagerank(nx.Graph([(0, 1, {"weight": 2}), (1, 2)]))

    def test_graphs_of_tables_and_matrices(self):
        rng = np.random.default_rng(43)
        for kind in (nx.Graph, nx.DiGraph):
            A = sp.random(40, 40, 0.05, random_state=1, format="csr")
            for form in (A, A.tocsc(), A.tocoo()):
                self.same_graph(backend.from_scipy_sparse_array(form, create_using=kind),
                                nx.from_scipy_sparse_array(form, create_using=kind), "weight")
        with self.assertRaises(NotImplementedError):
            backend.from_scipy_sparse_array(A, create_using=nx.MultiGraph)
        with self.assertRaisesRegex(nx.NetworkXError, "not square"):
            backend.from_scipy_sparse_array(sp.coo_matrix((2, 3)))
        if importlib.util.find_spec("pandas") is None:
            self.skipTest("tables: pandas is not installed")
        import pandas

        for name in (lambda i: i, lambda i: f"town {i}"):
            table = pandas.DataFrame({"a": [name(i) for i in rng.integers(30, size=90)],
                                      "b": [name(i) for i in rng.integers(30, size=90)], "km": rng.integers(1, 9, 90)})
            for kind in (nx.Graph, nx.DiGraph):
                for attribute in (None, "km", ["km"], True):
                    self.same_graph(backend.from_pandas_edgelist(table, "a", "b", attribute, kind),
                                    nx.from_pandas_edgelist(table, "a", "b", attribute, kind), "km")
        with self.assertRaisesRegex(nx.NetworkXError, "Invalid edge_attr argument: x"):
            backend.from_pandas_edgelist(table, "a", "b", "x")

    def same_graph(self, ours, G, attribute):
        again = ours.to_networkx()
        self.assertEqual(str(ours), f"<MeshwayGraph: {len(G)} nodes, {G.number_of_edges()} edges, "
                         f"{'directed' if G.is_directed() else 'undirected'}>")
        self.assertEqual((ours.number_of_nodes(), ours.number_of_edges()), (len(G), G.number_of_edges()))
        self.assertEqual(meshway.Graph.from_networkx(ours).n_vertices, len(G))
        self.assertEqual((type(again), list(again), {*again.edges(data=attribute)} if again.is_directed() else None),
                         (type(G), list(G), {*G.edges(data=attribute)} if G.is_directed() else None))
        for source in list(G)[:3]:
            self.assertEqual(list(backend.bfs_edges(ours, source)), list(nx.bfs_edges(G, source)))
            self.assertEqual(list(backend.bfs_edges(ours, source, True)), list(nx.bfs_edges(G, source, True)))
            found = backend.single_source_dijkstra_path_length(ours, source, weight=attribute)
            theirs = nx.single_source_dijkstra_path_length(G, source, weight=attribute)
            self.assertEqual(set(found), set(theirs))
            np.testing.assert_allclose([found[v] for v in theirs], list(theirs.values()), rtol=1e-5)

    def test_lengths_of_real_weights_are_near(self):
        rng = np.random.default_rng(17)
        for G, source in self.graphs(2, seed=16):
            self.weigh(G, rng, lambda r: r.random())
            found = backend.single_source_dijkstra_path_length(G, source, weight="cost")
            expected = nx.single_source_dijkstra_path_length(G, source, weight="cost")
            self.assertEqual(set(found), set(expected))
            for node, length in expected.items():
                self.assertAlmostEqual(found[node], length, delta=1e-5 * length)

    def test_weights_that_are_left_to_networkx(self):
        for weight, text in ((-1, "negative"), (-0.5, "negative"), (float("nan"), "no number"), (2**24, "greater than"),
                             (10**400, "greater than"), (1e39, "greater than"), (float("inf"), "greater than"),
                             (1e-60, "too small"), (None, "neither"), ("1", "neither"), (1j, "neither")):
            for kind in (nx.Graph, nx.MultiDiGraph):
                G = kind([(0, 1, {"weight": weight}), (1, 2, {"weight": 1})])
                for name in self.LENGTHS:
                    with self.subTest(weight=weight, name=name), self.assertRaisesRegex(NotImplementedError, text):
                        getattr(backend, name)(backend.convert_from_nx(G, edge_attrs={"weight": 1}), 0)
        G = nx.path_graph(3)
        nx.set_edge_attributes(G, 2**23, "weight")
        with self.assertRaisesRegex(NotImplementedError, "as long as 16777216"):
            backend.single_source_dijkstra_path_length(G, 0)
        for weight in (None, lambda u, v, data: 1):
            with self.assertRaisesRegex(NotImplementedError, "name of an attribute"):
                backend.single_source_dijkstra_path_length(G, 0, weight=weight)
            self.assertIn("attribute", left("single_source_dijkstra_path_length", (G, 0, None, weight), {}))
        self.assertIsNone(left("single_source_bellman_ford_path_length", (G, 0), {"weight": "x"}))
        with self.assertRaisesRegex(NotImplementedError, "by their names"):
            backend.convert_from_nx(G, preserve_edge_attrs=True)
        with self.assertRaisesRegex(nx.NetworkXError, "without the attribute 'weight'"):
            backend.single_source_dijkstra_path_length(backend.convert_from_nx(G), 0)

    def test_errors_are_those_of_networkx(self):
        nothing = nx.Graph()
        for G in (nx.path_graph(3), nx.path_graph(3, nx.DiGraph), nx.Graph(), nx.path_graph(3, nx.MultiGraph)):
            ours = backend.convert_from_nx(G, edge_attrs={"weight": 1})
            for name, arguments in [("bfs_edges", ("x",)), ("bfs_tree", (9,)), ("bfs_predecessors", (None,)),
                                    ("single_source_shortest_path_length", (9,)), ("bfs_edges", ([],)),
                                    ("connected_components", ()), ("is_connected", ()),
                                    ("single_source_dijkstra_path_length", (9,)), ("dijkstra_path_length", (9, 9)),
                                    ("single_source_dijkstra_path_length", ([],)), ("dijkstra_path_length", (9, 0)),
                                    ("single_source_bellman_ford_path_length", (9,)),
                                    ("single_source_bellman_ford_path_length", ([],)),
                                    ("dijkstra_path_length", (0, 9)), ("bellman_ford_path_length", (0, 9)),
                                    ("bellman_ford_path_length", (9, 0)), ("bellman_ford_path_length", (9, 9)),
                                    ("number_connected_components", ()),
                                    ("single_source_shortest_path", (9,)), ("bfs_layers", (9,)), ("bfs_layers", ([9],)),
                                    ("descendants_at_distance", (9, 1)), ("has_path", (9, 0)), ("has_path", (0, 9)),
                                    ("shortest_path_length", (9,)), ("shortest_path_length", (0, 9)),
                                    ("shortest_path_length", (9, 0)), ("weakly_connected_components", ()),
                                    ("number_weakly_connected_components", ()), ("is_weakly_connected", ())]:
                with self.subTest(name=name, kind=type(G)):
                    self.assertEqual(self.outcome(getattr(backend, name), ours, *arguments),
                                     self.outcome(getattr(nx, name), G, *arguments))
        self.assertEqual(list(backend.connected_components(nothing)), [])
        with self.assertRaises(NotImplementedError):
            list(backend.bfs_edges(nx.path_graph(3), 0, sort_neighbors=sorted))
        for name, arguments in (("bfs_layers", ([0, 1],)), ("bfs_layers", ((0, 1),)), ("bfs_layers", ("01",)), ("shortest_path_length", ()), ("has_path", (None, 1)), ("shortest_path", ()),
                                ("shortest_path", (0, 1, len)), ("shortest_path_length", (0, 1, None, "?"))):
            with self.subTest(name=name), self.assertRaises(NotImplementedError):
                self.assertIsNotNone(list(getattr(backend, name)(nx.path_graph(3), *arguments)))

    @staticmethod
    def outcome(function, *arguments):
        try:
            value = function(*arguments)
            return list(value) if hasattr(value, "__next__") else str(value)
        except Exception as e:
            return type(e), "".join(map(str, e.args))  # 2.8 has a text in two pieces

    def test_centrality_is_that_of_networkx(self):
        for G, source in self.graphs(3, seed=24):
            ours = backend.convert_from_nx(G)
            for improved in (True, False):
                self.assertEqual(backend.closeness_centrality(ours, wf_improved=improved),
                                 nx.closeness_centrality(G, wf_improved=improved))
                self.assertEqual(backend.closeness_centrality(ours, source, wf_improved=improved),
                                 nx.closeness_centrality(G, source, wf_improved=improved))
            samples = left("betweenness_centrality", (G, 1), {}) is None
            for k in (None, len(G), 1, (len(G) + 1) // 2)[:4 if samples else 1]:
                for normalized in (True, False):
                    found = backend.betweenness_centrality(ours if k != 1 else G, k, normalized, seed=7)
                    theirs = nx.betweenness_centrality(G, k, normalized, seed=7)
                    self.assertEqual(list(found), list(theirs))
                    np.testing.assert_allclose(list(found.values()), list(theirs.values()), rtol=2e-6, atol=1e-9)
        for G in (nx.Graph(), nx.DiGraph(), nx.path_graph(1), nx.path_graph(3)):
            for name, arguments in (("betweenness_centrality", ()), ("closeness_centrality", ()),
                                    ("closeness_centrality", (9,)), ("closeness_centrality", ([],))):
                with self.subTest(name=name, n=len(G)):
                    self.assertEqual(self.outcome(getattr(backend, name), G, *arguments),
                                     self.outcome(getattr(nx, name), G, *arguments))
        for name, arguments, text in (("betweenness_centrality", {"weight": "w"}, "weight: "),
                                      ("betweenness_centrality", {"endpoints": True}, "endpoints: "),
                                      ("betweenness_centrality", {"k": 0}, "k: "),
                                      ("closeness_centrality", {"distance": "w"}, "distance: ")):
            self.assertIn(text, left(name, (G,), arguments))
            with self.assertRaisesRegex(NotImplementedError, text):
                getattr(backend, name)(G, **arguments)

    def test_views_and_graphs_that_came_back(self):
        G = nx.gnm_random_graph(60, 90, seed=5)
        view = G.subgraph(range(0, 60, 2))
        self.assertEqual(list(backend.connected_components(view)), list(nx.connected_components(view)))
        for kind in self.KINDS:
            again = backend.convert_to_nx(backend.convert_from_nx(kind(G)))
            self.assertIs(type(again), kind)
            self.assertEqual(sorted(map(sorted, again.edges())), sorted(map(sorted, kind(G).edges())))
        self.weigh(G, np.random.default_rng(18), lambda r: int(r.integers(9)))
        again = backend.convert_to_nx(backend.convert_from_nx(G, edge_attrs={"cost": 1}))
        self.assertEqual(nx.single_source_dijkstra_path_length(again, 0, weight="cost"),
                         nx.single_source_dijkstra_path_length(G, 0, weight="cost"))

    def test_a_class_with_neighbours_of_its_own_is_left_to_networkx(self):
        from networkx.algorithms.approximation.kcomponents import _AntiGraph

        G = _AntiGraph(nx.path_graph(4))
        for name, arguments in (("core_number", ()), ("bfs_edges", (0,)), ("has_path", (0, 3))):
            self.assertIn("neighbours", left(name, (G, *arguments), {}))
            self.assertIsNone(left(name, (nx.path_graph(4), *arguments), {}))
        self.assertRaises(NotImplementedError, lambda: list(backend.bfs_edges(G, 0)))

    def test_nodes_that_are_integers(self):
        """Numbers in order, out of order, far apart, too large for 64 bits, and what is equal to one."""
        for name in (lambda i: i, lambda i: 99 - i, lambda i: 10**15 * (i - 50), lambda i: 2**64 + i,
                     lambda i: i if i % 2 else float(i), lambda i: i > 0 if i < 2 else i):
            G = nx.Graph()
            G.add_nodes_from(name(i) for i in range(100) if i % 3)
            edges = np.random.default_rng(9).integers(100, size=(150, 2)).tolist()
            G.add_edges_from((name(u), name(v)) for u, v in edges)
            G.add_edge(float(name(4)), name(5))  # an equal key, whatever its type
            self.assertEqual(list(backend.bfs_edges(G, name(4))), list(nx.bfs_edges(G, name(4))))
        G = nx.Graph([(0, 1), (1, 2)])
        G.add_edge(True, 2.0)
        G.add_edge(3, 1 + 0j)
        self.assertEqual(list(backend.bfs_edges(G, 0)), list(nx.bfs_edges(G, 0)))

    def test_names_are_kept(self):
        G = nx.Graph([("a", "b"), ("b", "c"), ("d", "d")])
        graph = meshway.Graph.from_networkx(G)
        parents, levels = meshway.bfs(graph, "b")
        self.assertEqual(dict(zip(graph.nodes, levels.tolist())), {"a": 1, "b": 0, "c": 1, "d": -1})
        self.assertEqual(graph.nodes[parents[0]], "b")
        with self.assertRaisesRegex(meshway.UsageError, "'z' is no node"):
            meshway.bfs(graph, "z")

    def test_dispatch(self):
        if not HAS_DISPATCH or "meshway" not in nx.config.backends:
            self.skipTest(f"NetworkX {nx.__version__} has no dispatch, or pip has not installed the entry points")
        G = nx.gnm_random_graph(50, 60, seed=6)
        self.assertEqual(list(nx.bfs_edges(G, 0, backend="meshway")), list(nx.bfs_edges(G, 0)))
        self.assertEqual(list(nx.bfs_tree(G, 0, backend="meshway").edges), list(nx.bfs_tree(G, 0).edges))
        self.assertEqual(list(nx.connected_components(G, backend="meshway")), list(nx.connected_components(G)))
        for arguments in ({}, {"k": 9, "seed": 4}) if left("betweenness_centrality", (G, 9), {}) is None else ({},):
            found = nx.betweenness_centrality(G, backend="meshway", **arguments)
            np.testing.assert_allclose(list(found.values()), list(nx.betweenness_centrality(G, **arguments).values()), 2e-6)
        self.assertEqual(nx.closeness_centrality(G, 3, backend="meshway"), nx.closeness_centrality(G, 3))
        for name, arguments in (("has_path", (0, 7)), ("shortest_path_length", (0,)), ("core_number", ()),
                                ("single_source_shortest_path", (0,)), ("descendants_at_distance", (0, 2))):
            self.assertEqual(getattr(nx, name)(G, *arguments, backend="meshway"), getattr(nx, name)(G, *arguments))
        self.assertEqual(list(nx.bfs_layers(G, 0, backend="meshway")), list(nx.bfs_layers(G, 0)))
        self.assertEqual(nx.number_weakly_connected_components(nx.DiGraph(G), backend="meshway"),
                         nx.number_connected_components(G))
        np.testing.assert_allclose([*nx.pagerank(G, backend="meshway").values()], [*nx.pagerank(G).values()], atol=1e-4)
        made = nx.from_scipy_sparse_array(nx.to_scipy_sparse_array(G), backend="meshway")
        self.assertEqual((type(made).__name__, list(nx.bfs_edges(made, 0))), ("MeshwayGraph", list(nx.bfs_edges(
            nx.from_scipy_sparse_array(nx.to_scipy_sparse_array(G)), 0))))
        with self.assertRaises(NotImplementedError):
            nx.betweenness_centrality(G, endpoints=True, backend="meshway")
        for weight in (3, 2, -1):
            nx.set_edge_attributes(G, weight, "weight")
            G.add_edge("new", weight)  # so that what was converted is not used again
            for name in self.LENGTHS:
                if weight > 0:
                    self.assertEqual(getattr(nx, name)(G, 0, backend="meshway"), getattr(nx, name)(G, 0))
                else:
                    with self.assertRaises(NotImplementedError):
                        getattr(nx, name)(G, 0, backend="meshway")
        with self.assertRaises(NotImplementedError):
            nx.single_source_dijkstra_path_length(G, 0, weight=lambda u, v, data: 1, backend="meshway")
        with self.assertRaises(nx.NodeNotFound):
            nx.single_source_shortest_path_length(G, "x", backend="meshway")
        self.check_reasons()
        with self.assertRaises(nx.NetworkXNotImplemented):
            nx.is_connected(nx.DiGraph(G), backend="meshway")
        with self.assertRaises(NotImplementedError):
            list(nx.bfs_edges(G, 0, sort_neighbors=sorted, backend="meshway"))
        said = in_python("""if True:
            import networkx as nx, meshway, meshway.networkx_backend as b
            meshway.configure(threads=1)
            ran = []
            b.backend.number_connected_components = lambda G: ran.append(type(G).__name__) or 7
            G = nx.path_graph(4)
            print(nx.number_connected_components(G), ran, list(nx.bfs_edges(G, 0, sort_neighbors=sorted)))
            D = nx.DiGraph([(0, 1, {"weight": 5}), (0, 2, {"weight": 7}), (2, 1, {"weight": -3})])
            print(nx.single_source_bellman_ford_path_length(D, 0))""",
                         NETWORKX_BACKEND_PRIORITY="meshway")
        self.assertEqual(said.stdout, "7 ['MeshwayGraph'] [(0, 1), (1, 2), (2, 3)]\n{0: 0, 1: 4, 2: 7}\n", said.stderr)


    def check_reasons(self):
        """Where nobody else can follow, NetworkX's exception says why."""
        loops, differ = nx.Graph([(0, 1), (1, 1)]), nx.Graph([(0, 1, {"weight": 2}), (1, 2)])
        ours = [backend.from_scipy_sparse_array(nx.to_scipy_sparse_array(G)) for G in (loops, differ)]
        negative = backend.from_scipy_sparse_array(sp.coo_matrix(([-1.0], ([0], [1])), shape=(2, 2)))
        for forms, kind, named, remedy in (((loops, differ), NotImplementedError, {"backend": "meshway"}, "leave the backend out"),
                                           (ours, nx.NetworkXNotImplemented, {}, r"NetworkX takes graph\.to_networkx\(\)")):
            for function in (nx.pagerank, nx.core_number):
                with self.assertRaisesRegex(kind, f"loops or edges twice; remove nx.selfloop_edges.*{remedy}"):
                    function(forms[0], **named)
            with self.assertRaisesRegex(kind, f"different weights, or 0; weight=None ignores them: {remedy}"):
                nx.pagerank(forms[1], **named)
            self.assertEqual(len(nx.pagerank(forms[1], weight=None, **named)), 3)
        with self.assertRaisesRegex(nx.NetworkXNotImplemented, "a weight is negative: NetworkX takes"):
            nx.dijkstra_path(negative, 0, 1)
        far = nx.path_graph(2000)
        far.edges[1500, 1501]["weight"] = 2  # beyond those that are looked at without a conversion
        with self.assertRaises(NotImplementedError) as raised:
            nx.pagerank(far, backend="meshway")
        self.assertIn("different weights", str(raised.exception.__cause__))
        nx.config.backend_priority.algos = ["meshway"]
        try:  # now NetworkX itself follows
            for G in (loops, differ, far):
                self.assertEqual(nx.pagerank(G), nx.pagerank(G, backend="networkx"))
        finally:
            nx.config.backend_priority.algos = []


class Process(unittest.TestCase):
    def test_memory_comes_back(self):
        rng = np.random.default_rng(7)
        u, v = rng.integers(0, 1 << 12, (2, 1 << 15))

        def rounds(n):
            for _ in range(n):
                graph = meshway.Graph.from_edges(u, v, n_vertices=1 << 12)
                meshway.bfs(graph, 0)
                meshway.components(graph)
                try:
                    meshway.bfs(graph, 1 << 12)
                except meshway.UsageError:
                    pass
            del graph
            meshway.rank()
            library.world().call(lambda: None)  # all that was dropped before it is freed
            fields = Path("/proc/self/statm").read_text().split()
            return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")

        before = rounds(20)
        grown = rounds(100) - before
        self.assertLess(grown, 16 << 20)  # a hundred graphs take some 100 MiB

    def test_what_an_error_has_seen_is_freed_with_it(self):
        graph = meshway.Graph.from_edges([0], [1])
        gone = weakref.ref(graph)
        gc.disable()  # which would find cycles, some time later
        try:
            try:  # assertRaises() would clear the frames
                meshway.bfs(graph, 2)
            except meshway.UsageError:
                del graph
            self.assertIsNone(gone())
        finally:
            gc.enable()

    def test_python_threads(self):
        G = nx.gnm_random_graph(300, 500, seed=8)
        graph = meshway.Graph.from_networkx(G)
        expected = [meshway.bfs(graph, root).levels for root in range(8)]
        wrong = []

        def search(root):
            for i in range(20):
                own = meshway.Graph.from_edges([0], [1 + i], n_vertices=30)
                if not np.array_equal(meshway.bfs(graph, root).levels, expected[root]) or \
                        meshway.bfs(own, 0).levels[1 + i] != 1:
                    wrong.append(root)

        threads = [threading.Thread(target=search, args=(root,)) for root in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(wrong, [])

    def test_a_fork_is_told(self):
        graph = meshway.Graph.from_edges([0], [1])
        child = os.fork()
        if child == 0:
            try:
                meshway.bfs(graph, 0)
                os._exit(1)
            except meshway.MeshwayError as e:
                del graph  # not to hang on
                os._exit(0 if "spawn" in str(e) else 2)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        np.testing.assert_array_equal(meshway.bfs(graph, 0).levels, [0, 1])

    def test_the_callers_cores_stay_its_own(self):
        said = in_python("""if True:
            import os, meshway
            before = os.sched_getaffinity(0)
            meshway.bfs(meshway.Graph.from_edges([0], [1]), 0)
            print(os.sched_getaffinity(0) == before)""")
        self.assertEqual(said.stdout, "True\n", said.stderr)

    def test_a_library_that_is_not_there_or_does_not_fit(self):
        # By the system's own name for it: any library that is none of ours.
        other = "libm.so.6"
        for code, environment, text in [
                ("import meshway; meshway.version()", {"MESHWAY_LIBRARY": "/no/such.so"}, "/no/such.so"),
                ("import meshway; meshway.version()", {"MESHWAY_LIBRARY": other}, "lacks a function"),
                ("import meshway.library as l; l.ABI = 99; l.version()", {}, "is version 0.2.0; this package calls"),
                ("import meshway.library as l; l.SONAME = 'libmeshway.so.none'; l.version()",
                 {"MESHWAY_LIBRARY": "", "PATH": ""}, "cmake --preset release")]:
            said = in_python(code, **environment)
            self.assertNotEqual(said.returncode, 0)
            self.assertIn("LibraryNotFound", said.stderr)
            self.assertIn(text, said.stderr)
        said = in_python("import meshway; print(len(meshway.results.__all__) > 0)", MESHWAY_LIBRARY="/no/such.so")
        self.assertEqual(said.stdout, "True\n")  # results need none

    def test_ranks_have_the_whole_result(self):
        if not MPIEXEC:
            self.skipTest("built without MPI")
        code = """if True:
            import meshway, numpy as np
            meshway.configure(threads=1)
            edges = np.array([[0, 1], [1, 2], [2, 3], [5, 6]])
            graph = meshway.Graph.from_edges(edges[meshway.rank()::meshway.n_ranks()], n_vertices=8)
            parents, levels = meshway.bfs(graph, 1, validate=True)
            assert meshway.n_ranks() in (2, 3)
            assert parents.tolist() == [1, 1, 1, 2, -1, -1, -1, -1], parents
            assert levels.tolist() == [1, 0, 1, 2, -1, -1, -1, -1], levels
            assert meshway.bfs(graph, 1, max_depth=1, validate=True).levels.tolist() == [1, 0, 1] + [-1] * 5
            assert meshway.bfs_many(graph, [1, 5], target=0).levels.tolist() == [[1, 0, 1] + [-1] * 5, [-1] * 5 + [0, 1, -1]]
            assert meshway.components(graph).tolist() == [0, 0, 0, 0, 4, 5, 5, 7]
            mine = slice(meshway.rank(), None, meshway.n_ranks())
            roads = meshway.Graph.from_edges(edges[mine], weights=np.array([2, .5, 4, 0])[mine], n_vertices=8)
            distances, parents = meshway.shortest_paths(roads, 1, validate=True)
            assert distances.tolist() == [2, 0, .5, 4.5] + [np.inf] * 4, distances
            assert parents.tolist() == [1, 1, 1, 2, -1, -1, -1, -1], parents
            print("good\\n", end="")"""
        for n in (2, 3):
            said = subprocess.run([MPIEXEC, "-n", str(n), sys.executable, "-B", "-c", code], capture_output=True,
                                  text=True, check=False)
            self.assertEqual((said.returncode, said.stdout.count("good")), (0, n), said.stderr)


class Results(unittest.TestCase):
    def test_result_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/r.json"
            subprocess.run([PROGRAM, "run", "8", "--roots", "4", "--json", path, "--quiet"], check=True,
                           capture_output=True)
            result = meshway.results.read(path)
            Path(path).write_text("{}")
            with self.assertRaisesRegex(meshway.results.ResultError, "schema_version"):
                meshway.results.read(path)
        self.assertEqual((result.scale, result.n_ranks, result.status, result.validated), (8, 1, "ok", True))
        self.assertEqual(len(result.searches), 4)
        if importlib.util.find_spec("pandas") is None:
            with self.assertRaisesRegex(ImportError, "python3-pandas"):
                meshway.results.searches_frame(result)
            self.skipTest("frames: pandas is not installed")
        searches = meshway.results.searches_frame([result, result])
        levels = meshway.results.levels_frame(result)
        self.assertEqual((len(searches), set(searches.scale)), (8, {8}))
        self.assertEqual(len(levels), sum(len(s.levels) for s in result.searches))
        self.assertEqual(searches.teps[0], result.searches[0].teps)


if __name__ == "__main__":
    if "MW_TEST_INSTALLED" not in os.environ:
        with tempfile.TemporaryDirectory() as where:
            install(where)
            # Started anew, so that NetworkX finds the entry points when it is imported.
            environment = {**os.environ, "MW_TEST_INSTALLED": where, "MESHWAY_LIBRARY": LIBRARY,
                           "PYTHONPATH": f"{where}/installed", "PYTHONDONTWRITEBYTECODE": "1"}
            sys.exit(subprocess.run([sys.executable, *sys.argv], env=environment, check=False).returncode)
    import meshway
    from meshway import library
    from meshway.networkx_backend import backend
    from meshway.networkx_rules import left

    assert meshway.__file__.startswith(os.environ["MW_TEST_INSTALLED"]), meshway.__file__
    print(f"Python {sys.version.split()[0]}, NumPy {np.__version__}, SciPy {scipy.__version__}, "
          f"NetworkX {nx.__version__}" + ("" if HAS_DISPATCH else ", which has no dispatch: its part is left out"))
    meshway.configure(threads=1)
    unittest.main(argv=sys.argv[:1], verbosity=2)
