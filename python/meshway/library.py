"""library.py -- libmeshway.so: where it is, what it has, and the one thread that calls it.

The library wants all calls from the thread that called meshway_start(), as MPI_THREAD_FUNNELED does,
and may bind that thread to a core. So it gets a thread of its own: call() hands it a function and waits.
Functions run one after the other, each as a whole, so Python threads need no lock of their own; while
they wait others run, for ctypes releases the interpreter's lock, and waiting does too. Ctrl-C ends the
waiting, not the call.

Objects are freed by the same thread, when Python drops them. Freeing is collective, so with several
ranks it happens only by close() and at the end, in an order that is the same on all ranks.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import atexit
import ctypes
import itertools
import os
import queue
import shutil
import subprocess
import threading
from ctypes import POINTER, c_char_p, c_int, c_uint32, c_uint64, c_void_p
from pathlib import Path
from typing import Any, Callable

from .errors import LibraryNotFound, MeshwayError, of_status

ABI = 2  # version / 100 of the libraries that this package can call: 0.2.x
SONAME = "libmeshway.so.0.2"

# Name: result, arguments. A result `int` is a status; calls of it go through checked().
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "meshway_version": (c_uint32, []),
    "meshway_error_text": (c_char_p, []),
    "meshway_start": (c_int, [POINTER(c_void_p)]),
    "meshway_finish": (None, [c_void_p]),
    "meshway_rank": (c_uint32, [c_void_p]),
    "meshway_n_ranks": (c_uint32, [c_void_p]),
    "meshway_set": (c_int, [c_void_p, c_int, c_uint64]),
    "meshway_set_backend": (c_int, [c_void_p, c_char_p]),
    "meshway_tune": (c_int, [c_void_p, c_char_p]),
    "meshway_backend": (c_char_p, [c_uint32]),
    "meshway_sum": (c_int, [c_void_p, c_void_p, c_uint32]),
    "meshway_algorithm_load": (c_int, [c_char_p]),
    "meshway_algorithm_name": (c_char_p, [c_char_p]),
    "meshway_graph_new": (c_int, [c_void_p, c_uint64, c_uint64, c_void_p, c_void_p, POINTER(c_void_p)]),
    "meshway_graph_new_weighted": (c_int, [c_void_p, c_uint64, c_uint64, c_void_p, c_void_p, c_void_p,
                                           POINTER(c_void_p)]),
    "meshway_graph_read_by": (c_int, [c_void_p, c_char_p, c_uint64, c_char_p, POINTER(c_void_p)]),
    "meshway_file_kind": (c_char_p, [c_char_p]),
    "meshway_graph_note": (c_char_p, [c_void_p, c_uint32]),
    "meshway_graph_naming": (c_int, [c_void_p]),
    "meshway_graph_numbers": (None, [c_void_p, c_void_p]),
    "meshway_graph_names": (c_uint64, [c_void_p, c_void_p, c_void_p]),
    "meshway_graph_find_number": (c_uint64, [c_void_p, c_uint64]),
    "meshway_graph_find_name": (c_uint64, [c_void_p, c_char_p, c_uint64]),
    "meshway_graph_free": (None, [c_void_p]),
    "meshway_graph_n_vertices": (c_uint64, [c_void_p]),
    "meshway_graph_n_edges": (c_uint64, [c_void_p]),
    "meshway_graph_is_directed": (c_int, [c_void_p]),
    "meshway_graph_base": (c_uint64, [c_void_p]),
    "meshway_graph_weights": (c_uint32, [c_void_p]),
    "meshway_graph_n_places": (c_uint64, [c_void_p]),
    "meshway_graph_vertices": (None, [c_void_p, c_void_p]),
    "meshway_traversal_new": (c_int, [c_void_p, c_char_p, POINTER(c_void_p)]),
    "meshway_traversal_free": (None, [c_void_p]),
    "meshway_traversal_set_sources": (c_int, [c_void_p, c_uint32, c_void_p]),
    "meshway_traversal_stop_at": (c_int, [c_void_p, c_uint32, c_uint64]),
    "meshway_traversal_run": (c_int, [c_void_p, c_uint64]),
    "meshway_traversal_n_reached": (c_uint64, [c_void_p]),
    "meshway_traversal_n_levels": (c_uint32, [c_void_p]),
    "meshway_traversal_numbers": (None, [c_void_p, c_void_p]),
    "meshway_traversal_value_name": (c_char_p, [c_void_p, c_uint32]),
    "meshway_traversal_value_is_real": (c_int, [c_void_p, c_uint32]),
    "meshway_traversal_values": (None, [c_void_p, c_uint32, c_void_p]),
    "meshway_traversal_reals": (None, [c_void_p, c_uint32, c_void_p]),
    "meshway_traversal_levels": (None, [c_void_p, c_void_p]),
    "meshway_traversal_validate": (c_int, [c_void_p]),
}

# enum meshway_option, and the words of the values where they are not numbers.
_OPTIONS: dict[str, tuple[int, tuple[str, ...]]] = {
    "threads": (0, ()),
    "routing": (2, ("auto", "direct", "relay")),
    "groups": (3, ()),
    "group_size": (4, ()),
    "direction": (5, ("auto", "top-down", "bottom-up")),
    "keep_edges": (6, ()),
}
_DIRECTED, _WEIGHTS = 7, 8

# --- finding it -----------------------------------------------------------------------------------


def _beside_the_package() -> list[str]:
    here = Path(__file__).parent
    found = [here / SONAME, here / "libmeshway.so"]
    if here.parent.name in ("dist-packages", "site-packages"):  # of `cmake --install`: PREFIX/lib/python3/...
        lib = here.parents[2]
        found += [lib / SONAME, lib.parent / "lib64" / SONAME, *lib.glob(f"*/{SONAME}")]
    return [str(p) for p in found if p.is_file()]


def _by_pkg_config() -> list[str]:
    program = shutil.which("pkg-config")
    if program is None:
        return []
    said = subprocess.run([program, "--variable=libdir", "meshway"], capture_output=True, text=True, check=False)
    folder = said.stdout.strip()
    return [f"{folder}/{SONAME}"] if said.returncode == 0 and folder else []


def _load() -> ctypes.CDLL:
    """The first that there is. One that is there and cannot be loaded is an error, not passed over,
    except the loader's own, which says no more than that it has none."""
    named = os.environ.get("MESHWAY_LIBRARY")
    tried = []
    for what, found in (("MESHWAY_LIBRARY", lambda: [named] if named else []),
                        ("beside the package", _beside_the_package),
                        ("the loader's path", lambda: [SONAME]),
                        ("pkg-config", _by_pkg_config)):
        for name in found():
            try:
                # Global: MPI libraries load parts of themselves that look for the others.
                return ctypes.CDLL(name, mode=ctypes.RTLD_GLOBAL)
            except OSError as e:
                tried.append(f"{what}: {e}")
                if named:
                    raise LibraryNotFound(f"MESHWAY_LIBRARY names a library that cannot be loaded: {e}") from None
    raise LibraryNotFound(
        f"libmeshway is not there ({'; '.join(tried)}). Build it with `cmake --preset release && cmake --build "
        f"--preset release` in Meshway's source tree, then set MESHWAY_LIBRARY=.../build/release/libmeshway.so, "
        f"or install it with `cmake --install build/release`")


def _declare(lib: ctypes.CDLL) -> None:
    try:
        lib.meshway_version.restype = c_uint32
        said = lib.meshway_version()
        if said // 100 != ABI:
            raise LibraryNotFound(f"{lib._name} is version {said // 10000}.{said // 100 % 100}.{said % 100}; this "
                                  f"package calls versions 0.{ABI}.x: install the one that belongs to the library")
        for name, (result, arguments) in _FUNCTIONS.items():
            f = getattr(lib, name)
            f.restype, f.argtypes = result, arguments
    except AttributeError as e:
        raise LibraryNotFound(f"{lib._name} lacks a function that this package calls: {e}") from None


# --- the thread that calls it ---------------------------------------------------------------------


class _Call:
    __slots__ = ("work", "done", "value", "error")

    def __init__(self, work: Callable[[], Any]):
        self.work, self.done, self.value, self.error = work, threading.Event(), None, None

    def run(self) -> None:
        try:
            self.value = self.work()
        except BaseException as e:  # noqa: BLE001 -- raised again by who waits
            self.error = e
        self.work = None  # what it holds is not held longer than needed
        self.done.set()


class World:
    """The library after meshway_start(); `lib` and `handle` are for the thread of call() only."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self.lib = _load()
        _declare(self.lib)
        self.handle = c_void_p()
        self.rank, self.n_ranks = 0, 1
        self.settings = 0  # how often configure() has set keys
        self._queue: queue.SimpleQueue[_Call | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name="meshway", daemon=True)
        self._live: dict[int, Callable[[], None]] = {}  # frees, by number; older first
        self._numbers = itertools.count()
        self._thread.start()
        try:
            self.call(self._start)
        except BaseException:
            self._queue.put(None)
            raise
        atexit.register(self._finish)

    def _serve(self) -> None:
        while (job := self._queue.get()) is not None:
            job.run()
            del job  # an idle thread holds nothing

    def _start(self) -> None:
        self.checked(self.lib.meshway_start(ctypes.byref(self.handle)))
        self.rank = self.lib.meshway_rank(self.handle)
        self.n_ranks = self.lib.meshway_n_ranks(self.handle)

    def _finish(self) -> None:
        if os.getpid() == self.pid:
            self.call(self._end)
            self._queue.put(None)
            self._thread.join()

    def _end(self) -> None:
        for number in list(self._live):
            self._free(number)
        self.lib.meshway_finish(self.handle)
        self.handle = c_void_p()

    def call(self, work: Callable[[], Any]) -> Any:
        """Runs it on the library's thread; its value or its exception."""
        if os.getpid() != self.pid:
            raise MeshwayError(f"libmeshway was started by process {self.pid} and does not outlive a fork: start "
                               f"processes that use it with multiprocessing.get_context('spawn')")
        if threading.current_thread() is self._thread:
            return work()
        job = _Call(work)
        self._queue.put(job)
        job.done.wait()
        if job.error is not None:
            error, job.error = job.error, None  # whose traceback has the frame that has the job
            try:
                raise error
            finally:
                error = None  # no cycle of frame and traceback
        return job.value

    def checked(self, status: int) -> None:
        """On the library's thread: raises what a status says."""
        if status != 0:
            raise of_status(status, self.lib.meshway_error_text().decode("utf-8", "replace"))

    # Objects of the library: own() when made; let_go() when Python drops the owner, from any thread and
    # also from within another call; free() when the user says so.

    def own(self, free: Callable[[], None]) -> int:
        number = next(self._numbers)
        self._live[number] = free
        return number

    def let_go(self, number: int) -> None:
        if self.n_ranks == 1 and os.getpid() == self.pid:
            self._queue.put(_Call(lambda: self._free(number)))

    def free(self, number: int) -> None:
        self.call(lambda: self._free(number))

    def _free(self, number: int) -> None:
        free = self._live.pop(number, None)
        if free is not None and self.handle:
            free()

    def set(self, option: int, value: int) -> None:
        self.checked(self.lib.meshway_set(self.handle, option, value))

    def set_backend(self, name: str) -> None:
        self.checked(self.lib.meshway_set_backend(self.handle, name.encode()))

    def tune(self, keys: str) -> None:
        self.checked(self.lib.meshway_tune(self.handle, keys.encode()))


_world: World | None = None
_world_lock = threading.Lock()


def world() -> World:
    """Loads and starts the library with the first call."""
    global _world
    with _world_lock:
        if _world is None:
            _world = World()
        return _world


def configure(**options: Any) -> None:
    """Sets options of the library, before the first graph is made:

    threads     of this process; 0, the default: all cores that it may use (divided among its ranks)
    backend     one of backends(), or "auto", the best of them for the host's cores
    direction   "auto", "top-down" or "bottom-up"
    keep_edges  True, the default: results can be validated, for 8 to 16 bytes an edge
    routing     "auto", "direct" or "relay", between the ranks under mpiexec; groups, group_size: its shape
    tune        keys of algorithms and of runs, {"alpha": 30, "follow": "off"}: `meshway run --tune help` lists
                them. Those of an algorithm may be set at any time, and those of a plug-in once load() knows it
    """
    from .arrays import index_of

    chosen = []
    backend, tune = options.pop("backend", None), options.pop("tune", {})
    if backend is not None and backend != "auto" and backend not in backends():
        raise ValueError(f"backend: {backend!r} is none of auto, {', '.join(backends())}")
    for name, value in options.items():
        if name not in _OPTIONS:
            raise TypeError(f"configure() has no option {name!r}, but backend, tune, {', '.join(_OPTIONS)}")
        number, words = _OPTIONS[name]
        if words:
            if value not in words:
                raise ValueError(f"{name}: {value!r} is none of {', '.join(words)}")
            value = words.index(value)
        chosen.append((number, index_of(value, name)))
    w = world()

    def work() -> None:
        for number, value in chosen:
            w.set(number, value)
        if backend is not None:
            w.set_backend(backend)
        if tune:
            w.tune(",".join(f"{key}={value}" for key, value in tune.items()))
            w.settings += 1

    w.call(work)


def load(path: str | os.PathLike[str]) -> str:
    """Loads a plug-in, an algorithm from outside; its name, for run(). From then on configure(tune=...) knows
    its keys. Under mpiexec all ranks call it."""
    w, file = world(), os.fsencode(path)
    file = file if b"/" in file else b"./" + file

    def work() -> str:
        w.checked(w.lib.meshway_algorithm_load(file))
        return w.lib.meshway_algorithm_name(file).decode()

    return w.call(work)


def backends() -> tuple[str, ...]:
    """Those that the library was built with: "openmp", "serial", "kokkos", ..."""
    w = world()

    def work() -> tuple[str, ...]:
        found = []
        while (name := w.lib.meshway_backend(len(found))) is not None:
            found.append(name.decode())
        return tuple(found)

    return w.call(work)


def version() -> str:
    """Of the library."""
    w = world()
    v = w.call(w.lib.meshway_version)
    return f"{v // 10000}.{v // 100 % 100}.{v % 100}"


def rank() -> int:
    """Of this process under mpiexec; 0 without."""
    return world().rank


def n_ranks() -> int:
    """How many processes mpiexec has started; 1 without."""
    return world().n_ranks
