"""process.py -- one point's processes: started without a shell in a session of their own, ended for
certain, whoever dies first.

mpiexec puts each rank into a session of its own, so neither a process group nor a session holds them
all. What holds them is a word in their environment, new for each try: a process that has it is ours,
wherever it is in the tree and whatever its name; no other process is ever touched.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import ctypes
import os
import secrets
import select
import signal
import subprocess
import time
from pathlib import Path

TOKEN = "MW_SWEEP_TOKEN"  # not MESHWAY_..., of which the program would say that it does not know it
POLL_S = 0.02
_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None)


class Signals:
    """INT, TERM and HUP as a question that waiting answers: never in the middle of a write."""

    def __init__(self) -> None:
        self.number = 0
        self.n = 0
        self.fd, self.wake_fd = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self.old: dict[int, object] = {}

    def __enter__(self) -> "Signals":
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) != signal.SIG_IGN or number == signal.SIGTERM:  # nohup means it
                self.old[number] = signal.signal(number, self._note)
        self.old_fd = signal.set_wakeup_fd(self.wake_fd, warn_on_full_buffer=False)
        return self

    def _note(self, number: int, _frame: object) -> None:
        self.number = self.number or number
        self.n += 1

    def __exit__(self, *_: object) -> None:
        signal.set_wakeup_fd(self.old_fd)
        for number, handler in self.old.items():
            # Who has been asked to end is ending: asking again must not cut off what is still to be said.
            signal.signal(number, signal.SIG_IGN if self.number else handler)  # type: ignore[arg-type]
        os.close(self.fd)
        os.close(self.wake_fd)

    def drain(self) -> None:
        try:
            os.read(self.fd, 4096)
        except BlockingIOError:
            pass


def _die_with(parent: int) -> None:
    """In the child, before exec: TERM when the runner ends, however it does."""
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(75)


class Child:
    def __init__(self, argv: list[str], folder: Path, environment: dict[str, str], out: int, err: int):
        parent = os.getpid()
        self.token = environment[TOKEN]
        self.begin = time.monotonic()
        self.process = subprocess.Popen(argv, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out,
                                        stderr=err, start_new_session=True, close_fds=True,
                                        preexec_fn=lambda: _die_with(parent))
        self.pidfd = os.pidfd_open(self.process.pid)

    def wait(self, signals: Signals, until: float) -> bool:
        """True when it has ended; False at the time `until`, or when a signal came."""
        poll = select.poll()
        poll.register(self.pidfd, select.POLLIN)
        poll.register(signals.fd, select.POLLIN)
        events = poll.poll(max(0, (until - time.monotonic()) * 1000))
        if any(fd == self.pidfd for fd, _ in events):
            self.process.wait()
            return True
        signals.drain()
        return False

    def end(self, signals: Signals, grace_s: float) -> None:
        """TERM, so that what is finished is saved; KILL after the grace, or when asked twice."""
        self._signal(signal.SIGTERM)
        begin, asked = time.monotonic(), signals.n
        while not self.wait(signals, min(begin + grace_s, time.monotonic() + 1)):
            if time.monotonic() - begin >= grace_s or signals.n > asked:
                self._signal(signal.SIGKILL)
                self.process.wait()
                break

    def _signal(self, number: int) -> None:
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass

    @property
    def elapsed_s(self) -> float:
        return time.monotonic() - self.begin

    def close(self) -> None:
        os.close(self.pidfd)


def run_for(argv: list[str], folder: Path, environment: dict[str, str], limit_s: float) -> tuple[int, bytes]:
    """Code and stderr of something short; whatever it has started is gone afterwards."""
    environment = {**environment, TOKEN: secrets.token_hex(16)}
    parent = os.getpid()
    child = subprocess.Popen(argv, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, start_new_session=True, preexec_fn=lambda: _die_with(parent))
    try:
        said = child.communicate(timeout=limit_s)[1]
    except BaseException as e:
        os.killpg(child.pid, signal.SIGKILL)
        sweep_up(environment[TOKEN], 0)
        child.communicate()
        if isinstance(e, subprocess.TimeoutExpired):
            return 75, f"meshway: took more than {limit_s:g} s".encode()
        raise
    return child.returncode, said


def bearers(token: str) -> list[int]:
    """Pidfds of the processes of this user that have the token. To be closed by the caller."""
    found = []
    word = f"{TOKEN}={token}".encode()
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            fd = os.pidfd_open(int(name))
        except OSError:
            continue
        try:
            # Read after the descriptor was opened: a number that was given to another process in
            # between is seen by what that one's environment says.
            has = word in Path("/proc", name, "environ").read_bytes().split(b"\0")
        except OSError:
            has = False
        if has:
            found.append(fd)
        else:
            os.close(fd)
    return found


def sweep_up(token: str, grace_s: float) -> int:
    """Ends what is left of a try. How many processes that were."""
    left = bearers(token)
    n = len(left)
    number, end = signal.SIGTERM, time.monotonic() + grace_s
    while left:
        for fd in left:
            try:
                signal.pidfd_send_signal(fd, number)
            except ProcessLookupError:
                pass
        limit = end if number == signal.SIGTERM else time.monotonic() + 60  # KILL waits for the disk only
        while left and time.monotonic() < limit:
            poll = select.poll()
            for fd in left:
                poll.register(fd, select.POLLIN)
            for fd, _ in poll.poll(POLL_S * 1000):
                left.remove(fd)
                os.close(fd)
        if number == signal.SIGKILL:
            for fd in left:
                os.close(fd)
            break
        number = signal.SIGKILL
    return n
