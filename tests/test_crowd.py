#!/usr/bin/env python3
"""test_crowd.py -- many more threads than cores: whoever waits leaves its core to whoever works.

Usage: test_crowd.py MESHWAY MPIEXEC

Seconds say little on a machine that others use, so switches between threads are counted: threads that wait and
stay runnable take turns without end, and those that sleep for some microseconds wake without end. The first
run below took 8 to 19 million switches where they did so, and takes 0.2 to 1.1 million where they sleep, beside busy programs too.
"""
import os
import resource
import subprocess
import sys
import tempfile

meshway, mpiexec = os.path.abspath(sys.argv[1]), sys.argv[2]
MOST = 4_000_000
failed = 0


def on_two_cores():
    os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[:2]))


def run(*options):
    """Ends with all searches passed, after so many switches of all processes."""
    global failed
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([mpiexec, "-n", "5", meshway, "run", "8", "--threads", "5", "--json", "none", "-q", "--hang-timeout", "10", *options],
                          capture_output=True, text=True, stdin=subprocess.DEVNULL, preexec_fn=on_two_cores)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    switches = after.ru_nvcsw - before.ru_nvcsw + after.ru_nivcsw - before.ru_nivcsw
    print(f"{' '.join(options) or 'plain'}: {switches} switches, "
          f"{after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime:.1f} s of cores")
    if done.returncode != 0 or "64 of 64 searches passed" not in done.stdout or "OVERSUBSCRIBED" not in done.stdout:
        print(f"WRONG: code {done.returncode}: {done.stderr[-600:]}", file=sys.stderr)
        failed = 1
    if switches > MOST:
        print(f"WRONG: {switches} switches between threads, expected at most {MOST}", file=sys.stderr)
        failed = 1


os.chdir(tempfile.mkdtemp())
run()
run("--ranks-per-host", "3", "--routing", "relay", "--tune", "small-input=1Mi")
sys.exit(failed)
