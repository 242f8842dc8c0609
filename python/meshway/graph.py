"""graph.py -- graphs of the library.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import ctypes
import functools
import os
import warnings
from typing import Any, Hashable, Sequence

import numpy as np

from . import arrays, files
from .arrays import NO_LEVEL, NO_VERTEX, address, edge_arrays, index_of
from .errors import (DataError, InputError, MeshwayError, MeshwayWarning, UnavailableError, UsageError)
from .library import _DIRECTED, _WEIGHTS, World, world

_MERGES = ("minimum", "first", "sum")  # MESHWAY_WEIGHTS from 1 on
_COUNTED, _IDS = 0, 1  # enum meshway_naming
_SUM_MOST = 1 << 20  # values of one meshway_sum()


class _Handles:
    """What the library holds of a graph. No reference to the Graph: it frees, also after that is gone."""

    def __init__(self, w: World):
        self.world = w
        self.graph = ctypes.c_void_p()
        self.traversals: dict[bytes, ctypes.c_void_p] = {}
        self.tuned: dict[bytes, str] = {}  # keys that a traversal was made with, where a call gives them
        self.settings = w.settings  # of configure(), that all of them were made by

    def free(self) -> None:
        self.forget_all()
        self.world.lib.meshway_graph_free(self.graph)
        self.graph = ctypes.c_void_p()

    def forget(self, algorithm: bytes) -> None:
        self.world.lib.meshway_traversal_free(self.traversals.pop(algorithm, None))
        self.tuned.pop(algorithm, None)

    def forget_all(self) -> None:
        for algorithm in list(self.traversals):
            self.forget(algorithm)

    def catch_up(self) -> None:
        """What was made before configure() has set keys anew goes by the old ones."""
        if self.settings != self.world.settings:
            self.forget_all()
            self.settings = self.world.settings

    def tune(self, algorithm: bytes, keys: str) -> None:
        """For the next runs; other keys are another traversal."""
        self.catch_up()
        if self.tuned.get(algorithm) != keys:
            self.world.tune(keys)
            self.forget(algorithm)
            self.tuned[algorithm] = keys

    def traversal(self, algorithm: bytes) -> ctypes.c_void_p:
        """Made once: its room serves every run, and results are copied out of it."""
        self.catch_up()
        if algorithm not in self.traversals:
            t = ctypes.c_void_p()
            self.world.checked(self.world.lib.meshway_traversal_new(self.graph, algorithm, ctypes.byref(t)))
            self.traversals[algorithm] = t
        return self.traversals[algorithm]


class Graph:
    """A graph in the library's own memory; nothing of what it was made from is kept or changed.

    Made by from_edges(), from_scipy(), from_networkx(), from_table() or from_file(). Vertices are 0 .. n_vertices - 1.
    Self-loops and repeated edges are legal and change no result. Weights are 32-bit floats from 0 on; of repeated
    edges merge says which one they have together: the "minimum", as shortest_paths() wants it, that of the
    "first", or the "sum". The memory is given back when the last
    reference is gone, by close(), or at the end of a `with`.
    """

    n_vertices: int
    n_edges: int  # distinct, between different vertices
    directed: bool
    weighted: bool
    base: int  # what the graph's file calls vertex 0

    def __init__(self) -> None:
        raise TypeError("a Graph is made by Graph.from_edges(), from_scipy(), from_networkx(), from_table() or "
                        "from_file()")

    @classmethod
    def from_edges(cls, u: Any, v: Any = None, *, weights: Any = None, n_vertices: int | None = None,
                   directed: bool = False, merge: str = "minimum") -> "Graph":
        """Edges u[i] -- v[i] of two integer arrays, or the rows of one array of shape (m, 2).

        weights: of each edge one; without them edges have none. n_vertices is the greatest end + 1 where it is not
        given. Under mpiexec each rank gives any edges, all or its share, and n_vertices is given.
        """
        u, v = edge_arrays(u, v)
        if n_vertices is None:
            n_vertices = int(max(u.max(), v.max())) + 1 if u.size else 0
        n = index_of(n_vertices, "n_vertices")

        x = None if weights is None else arrays.weights(weights, u.size)

        def make(w: World, out: Any) -> int:
            if x is None:
                return w.lib.meshway_graph_new(w.handle, n, u.size, address(u), address(v), out)
            return w.lib.meshway_graph_new_weighted(w.handle, n, u.size, address(u), address(v), address(x), out)

        return cls._made(make, directed, x is not None, merge)

    @classmethod
    def from_scipy(cls, matrix: Any, *, weights: bool = False, directed: bool = False,
                   merge: str = "minimum") -> "Graph":
        """A square scipy.sparse matrix or array of any format. Each stored entry (i, j), also one of value 0,
        is an edge from i to j. Its value is the weight if weights is true, and else not looked at; entries of one
        (i, j) are added, as everywhere in SciPy."""
        if not hasattr(matrix, "tocoo"):
            raise TypeError(f"expected a scipy.sparse matrix, not {type(matrix).__name__}")
        if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
            raise UsageError(f"a matrix of shape {matrix.shape} is no graph: it has as many rows as columns")
        if weights:
            matrix = matrix.tocsr(copy=True)
            matrix.sum_duplicates()
        entries = matrix.tocoo()
        return cls.from_edges(entries.row, entries.col, weights=entries.data if weights else None,
                              n_vertices=matrix.shape[0], directed=directed, merge=merge)

    @classmethod
    def from_networkx(cls, G: Any, *, weight: str | None = None) -> "Graph":
        """A NetworkX graph of any kind. Vertex i is nodes[i], in the order of G; a DiGraph is directed.

        weight: the name of the attribute that edges have as their weight, 1 where an edge lacks it, the least one
        of parallel edges: as NetworkX has it. None: no weights.
        """
        from .networkx_graph import MeshwayGraph, adjacency_of, weights_of

        if isinstance(G, MeshwayGraph):  # of a table or a matrix
            G = G.to_networkx()
        nodes, indptr, indices = adjacency_of(G._adj)
        weights = None if weight is None else weights_of(G._adj, weight, 1, G.is_multigraph())
        if weights is not None and (wrong := ~(weights >= 0)).any():
            i = int(np.argmax(wrong))
            ends = nodes[int(np.searchsorted(indptr, i, side="right")) - 1], nodes[indices[i]]
            raise DataError(f"edge {ends[0]!r} -- {ends[1]!r}: its {weight!r} is {weights[i]}; weights are numbers from 0 on")
        return cls._of_adjacency(nodes, indptr, indices, G.is_directed(), weights)

    @classmethod
    def from_table(cls, table: Any, *, source: str | None = None, target: str | None = None, weight: str | None = None,
                   n_vertices: int | None = None, directed: bool = False, merge: str = "minimum") -> "Graph":
        """Edges from the columns of a table: what has __arrow_c_stream__ (Arrow, polars, DuckDB, pandas), Parquet by
        pyarrow.parquet.read_table(path), or a mapping from names to arrays.

        source and target are columns; without both, the pair that titles name as in files: source and target, from
        and to, or another of theirs; without one, the column "source" or "target".
        Columns of integers are vertices, as from_edges() has them. Others are names: nodes has those, in the order in
        which they come, and n_vertices is theirs. weight: the column of weights. UsageError: there is no such column,
        or it has names under mpiexec, where each rank gives any rows. DataError: a value is missing, or a weight is
        negative. Errors count rows from 0.
        """
        if hasattr(table, "__arrow_c_stream__"):
            try:
                import pyarrow

                table = pyarrow.table(table)
            except ImportError:  # most have columns by name without it
                if not hasattr(table, "__getitem__"):
                    raise UnavailableError("this table is a stream of Arrow: pip install pyarrow") from None
        pair = (arrays.pair_of(table) if source is None and target is None else
                ("source" if source is None else source, "target" if target is None else target))
        u, v, *weights = (arrays.column(table, name) for name in (*pair, *([] if weight is None else [weight])))
        what = [f"column {name!r}" for name in (*pair, weight)]
        nodes = None
        if u.size and not (u.dtype.kind in "iuf" and v.dtype.kind in "iuf"):
            if world().n_ranks > 1:
                raise UsageError("columns of names are numbered by one process; give numbers under mpiexec")
            nodes, u, v = arrays.numbered(u, v, what)
            n_vertices = len(nodes)
        u, v = arrays.edge_arrays(u, v, what)
        g = cls.from_edges(u, v, weights=arrays.weights(weights[0], u.size, what[2]) if weights else None, n_vertices=n_vertices, directed=directed,
                           merge=merge)
        if nodes is not None:
            g.nodes = nodes
        return g

    @classmethod
    def from_file(cls, path: str | os.PathLike, *, weights: bool | str = False, n_vertices: int | None = None,
                  directed: bool = False, merge: str = "minimum", names: bool | None = None, compact_ids: bool = False,
                  format: str | None = None, base: int | None = None, header: bool | None = None,
                  separator: str | None = None) -> "Graph":
        """Any format that `meshway run --graph` reads (docs/formats.md), told by its content: GraphML, NumPy's and
        SciPy's, Parquet, too. Also packed by gzip, bzip2 or xz; by zstd or lz4 where a module for it is installed.

        weights: edges have those of the file, 1 where it has none; a text is the title of the column that has them,
        True takes one called weight, w, cost or the like. directed: its edges lead one way, unless each
        stands there for both ways. names: the vertices of an edge list are names; nodes has them, in the order of
        their bytes, and roots are given so. compact_ids: only numbers that occur are vertices, and nodes has them.
        format ("metis"), base (what a list calls its first vertex), header (has the first line titles?) and
        separator (",", ";", "\\t" or " ") are for files that do not tell it themselves.

        A file that counts from 1 (Matrix Market, METIS, DIMACS) has its first vertex at 0, as scipy.io.mmread()
        does; base is 1 then. Warns (MeshwayWarning) of what is no error, such as weights=True without weights.
        NoSuchFileError: the file is not there. DataError: it is wrong. UsageError: it is not what the arguments say.
        Under mpiexec each rank reads its part, and unpacks for itself.
        """
        name = os.fsencode(path)
        if b"\0" in name:
            raise UsageError("a path has no zero byte in it")
        n = 0 if n_vertices is None else index_of(n_vertices, "n_vertices")
        keys = files.keys_of(names=names, compact_ids=compact_ids, format=format, base=base, header=header,
                             separator=separator, weights=weights).encode()

        with _plain(name, format is None) as plain:
            try:
                g = cls._made(lambda w, out: w.lib.meshway_graph_read_by(w.handle, plain.path, n, plain.keys(keys), out), directed,
                              bool(weights), merge)
            except MeshwayError as e:
                raise files.reword(e, plain.path, name) from None
            for note in plain.notes(g._notes()) if world().rank == 0 else ():
                warnings.warn(files.in_python(note, plain.path, name), MeshwayWarning, stacklevel=2)
        return g

    @classmethod
    def _of_adjacency(cls, nodes: Sequence[Hashable], indptr: np.ndarray, indices: np.ndarray,
                      directed: bool, weights: np.ndarray | None = None) -> "Graph":
        rows = np.repeat(np.arange(len(nodes), dtype=np.int64), np.diff(indptr))
        if not directed:  # each edge stands there twice
            once = rows <= indices
            rows, indices = rows[once], indices[once]
            weights = None if weights is None else weights[once]
        g = cls.from_edges(rows, indices, weights=weights, n_vertices=len(nodes), directed=directed)
        g.nodes = nodes
        return g

    @classmethod
    def _made(cls, make: Any, directed: bool, weighted: bool, merge: str) -> "Graph":
        if merge not in _MERGES:
            raise UsageError(f"merge: {merge!r} is none of {', '.join(_MERGES)}")
        w = world()
        g = object.__new__(cls)
        g._number = None

        def work() -> None:
            handles = _Handles(w)
            w.set(_DIRECTED, int(bool(directed)))
            w.set(_WEIGHTS, 1 + _MERGES.index(merge) if weighted else 0)
            w.checked(make(w, ctypes.byref(handles.graph)))
            g._handles, g._number = handles, w.own(handles.free)
            g.n_vertices = w.lib.meshway_graph_n_vertices(handles.graph)
            g.n_edges = w.lib.meshway_graph_n_edges(handles.graph)
            g.directed = bool(w.lib.meshway_graph_is_directed(handles.graph))
            g.weighted = w.lib.meshway_graph_weights(handles.graph) != 0
            g.base = w.lib.meshway_graph_base(handles.graph)
            g._naming = w.lib.meshway_graph_naming(handles.graph)

        w.call(work)
        return g

    @functools.cached_property
    def nodes(self) -> Sequence[Hashable] | None:
        """By vertex what the graph's source calls it: nodes of NetworkX, names of a file (list of str), or its numbers
        with compact_ids (uint64 [n_vertices]). None: vertices are numbers from base on."""
        return None if self._naming == _COUNTED else self._handles.world.call(self._names_of_file)

    @functools.cached_property
    def vertex_of(self) -> dict[Hashable, int]:
        """The vertex of each node, where the graph came with names."""
        nodes = [] if self.nodes is None else self.nodes
        return {node: i for i, node in enumerate(nodes.tolist() if isinstance(nodes, np.ndarray) else nodes)}

    def close(self) -> None:
        """Gives the memory back now. Under mpiexec all ranks do it, in the same order."""
        if self._number is not None:
            self._handles.world.free(self._number)
            self._number = None

    def __enter__(self) -> "Graph":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_number", None) is not None:
            self._handles.world.let_go(self._number)

    def __reduce__(self) -> Any:
        raise TypeError("a Graph is memory of this process's library: make it again from its edges")

    def __repr__(self) -> str:
        kind = ("directed" if self.directed else "undirected") + (", weighted" if self.weighted else "")
        closed = ", closed" if self._number is None else ""
        return f"<meshway.Graph: {self.n_vertices} vertices, {self.n_edges} distinct edges, {kind}{closed}>"

    def _notes(self) -> list[str]:
        lib, notes = self._handles.world.lib, []
        while (note := lib.meshway_graph_note(self._handles.graph, len(notes))) is not None:
            notes.append(note.decode("utf-8", "surrogateescape"))
        return notes

    # On the library's thread from here on.

    def _check_open(self) -> None:
        if not self._handles.graph:
            raise UsageError("the graph is closed")

    def _names_of_file(self) -> Sequence[Hashable]:
        self._check_open()
        lib, handle, ends = self._handles.world.lib, self._handles.graph, np.empty(self.n_vertices, dtype=np.uint64)
        if self._naming == _IDS:
            lib.meshway_graph_numbers(handle, address(ends))
            return ends
        text = ctypes.create_string_buffer(lib.meshway_graph_names(handle, address(ends), None))
        lib.meshway_graph_names(handle, None, text)
        places, names = [0, *ends.tolist()], text.raw
        return [names[a:b].decode("utf-8", "surrogateescape") for a, b in zip(places, places[1:])]

    def _find(self, node: Any, what: str) -> int:
        self._check_open()
        lib, handle = self._handles.world.lib, self._handles.graph
        if self._naming == _IDS:
            vertex = lib.meshway_graph_find_number(handle, index_of(node, what))
        elif isinstance(node, str):
            name = node.encode("utf-8", "surrogateescape")
            vertex = lib.meshway_graph_find_name(handle, name, len(name))
        else:
            raise TypeError(f"{what}: {node!r} is no str, and vertices of this graph's file have names; graph.nodes[i] "
                            "is that of vertex i")
        if vertex == NO_VERTEX:
            raise UsageError(f"{what} {node!r} does not occur in the graph's file")
        return vertex

    def _run(self, algorithm: bytes, key: int, validate: bool, sources: np.ndarray | None = None,
             goal: tuple[int, int] = (NO_LEVEL, NO_VERTEX)) -> ctypes.c_void_p:
        self._check_open()
        w = self._handles.world
        t = self._handles.traversal(algorithm)
        if sources is not None:
            w.checked(w.lib.meshway_traversal_set_sources(t, sources.size, address(sources)))
        if algorithm == b"bfs":
            w.checked(w.lib.meshway_traversal_stop_at(t, *goal))
        w.checked(w.lib.meshway_traversal_run(t, key))
        if validate:
            w.checked(w.lib.meshway_traversal_validate(t))
        return t

    def _filled(self, fill: Any, handle: ctypes.c_void_p, dtype: Any) -> np.ndarray:
        """What the library has by place, by vertex; whole on every rank."""
        w = self._handles.world
        mine = np.empty(w.lib.meshway_graph_n_places(self._handles.graph), dtype=dtype)
        fill(handle, address(mine))
        if w.n_ranks == 1:
            return mine  # one rank owns all vertices, in rising order
        vertex = np.empty(mine.size, dtype=np.uint64)
        w.lib.meshway_graph_vertices(self._handles.graph, address(vertex))
        whole = np.zeros(self.n_vertices, dtype=np.uint64)
        whole[vertex] = mine.view(np.uint64) if dtype is np.float64 else mine  # bits of doubles, each by one rank
        for i in range(0, whole.size, _SUM_MOST):
            piece = whole[i:i + _SUM_MOST]
            w.checked(w.lib.meshway_sum(w.handle, address(piece), piece.size))
        return whole.view(np.float64) if dtype is np.float64 else whole.astype(dtype, copy=False)


def _plain(name: bytes, any_kind: bool) -> files.Plain:
    """Collective: where one rank cannot unpack it, all have an error and nobody waits."""
    w, plain, error = world(), None, None
    try:
        plain = files.Plain(name, (lambda path: w.call(lambda: w.lib.meshway_file_kind(path))) if any_kind else None)
    except MeshwayError as e:
        error = e
    n_failed = np.array([error is not None], dtype=np.uint64)
    w.call(lambda: w.checked(w.lib.meshway_sum(w.handle, address(n_failed), 1)))
    try:
        if n_failed[0] > 0:
            raise error or InputError(f"{os.fsdecode(name)}: another rank cannot unpack it")
        return plain
    finally:
        error = None  # no cycle of frame and traceback


def vertex_of(graph: Graph, root: Any, what: str = "root") -> int:
    if not isinstance(graph, Graph):
        raise TypeError(f"expected a meshway.Graph, not a {type(graph).__name__}: Graph.from_networkx(), from_scipy() "
                        "and from_edges() make one")
    if graph._naming != _COUNTED:
        return graph._handles.world.call(lambda: graph._find(root, what))
    if graph.nodes is None:
        if isinstance(root, str):
            raise TypeError(f"{what}: {root!r} is no integer, and this graph has no names of its vertices")
        return index_of(root, what)
    try:
        return graph.vertex_of[root]
    except KeyError:
        raise UsageError(f"{what} {root!r} is no node of the graph, whose vertices go by their names "
                         "(graph.nodes)") from None
