#!/usr/bin/env python3
"""test_slurm.py MESHWAY [unittest's words] -- campaigns that a real Slurm runs, on this machine as its one node
(slurm_node.sh). Ends with 77, skipped, where Slurm is not installed, without root, on one core, and for
builds with another MPI than MPICH.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from sweep.standin import SOURCE  # noqa: F401 -- and the path of what is tested

from meshway_sweep import campaign as files

NODE = str(Path(__file__).parent / "slurm_node.sh")
MESHWAY = ""
HANG = 900


def reason_to_skip():
    missing = [name for name in ("slurmctld", "slurmd", "munged", "sbatch") if shutil.which(name) is None]
    build = subprocess.run([MESHWAY, "--version", "--json"], capture_output=True, text=True, check=True).stdout
    return (f"{missing[0]} is not installed" if missing else "only root starts its daemons" if os.geteuid() != 0 else
            "one core is too few" if len(os.sched_getaffinity(0)) < 2 else
            "this build's MPI is not MPICH" if "MPICH" not in build else "")


def until(condition):
    end = time.monotonic() + HANG
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.1)
    raise AssertionError("never came true")


def said_by(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


class Slurm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.node = tempfile.mkdtemp(prefix="meshway-slurm-")  # Slurm's files have no quotes
        cls.addClassCleanup(shutil.rmtree, cls.node, ignore_errors=True)
        cls.addClassCleanup(subprocess.run, ["sh", NODE, "stop", cls.node], stderr=subprocess.DEVNULL)
        os.environ["SLURM_CONF"] = cls.node + "/slurm.conf"
        started = subprocess.run(["sh", NODE, "start", cls.node], capture_output=True, text=True)
        for _ in range(300):
            idle = subprocess.run(["sinfo", "-h", "-t", "idle", "-o", "%D"], capture_output=True, text=True)
            if started.returncode != 0 or idle.stdout.strip() == "1":
                break
            time.sleep(0.2)
        else:
            started.returncode = 1
        if started.returncode != 0:  # a container may forbid what daemons want
            logs = "".join(p.read_text(errors="replace")[-2000:] for p in sorted(Path(cls.node).glob("slurm*.log")))
            raise unittest.SkipTest(f"no node comes up on this machine: {started.stderr}{logs}")

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="a campaign "))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.addCleanup(subprocess.run, ["scancel", "--user=root"])

    def sweep(self, code, *words):
        done = subprocess.run([MESHWAY, "sweep", *words], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def submits(self, *words):
        said = self.sweep(0, "free", "--launcher", "slurm", "--submit", "-o", "c", *words)
        jobs = re.findall(r"submitted: Submitted batch job (\d+)", said)
        self.assertTrue(jobs, said)
        return jobs

    def logs(self):
        return "".join(p.read_text() for p in self.folder.glob("c/**/*") if p.suffix == ".log" or p.name == "stderr")

    def collects(self):
        until(lambda: not said_by("squeue", "-h", "-t", "all", "-o", "%T", "--states=PD,R,CG,RQ,S").strip())
        done = subprocess.run([MESHWAY, "sweep", "collect", "c"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr + self.logs())
        return files.load(self.folder / "c").points

    def test_a_campaign_is_what_was_asked_for(self):
        (self.folder / "p").write_text(f'env >"{self.folder}/env.$SLURM_NTASKS"\n')
        jobs = self.submits("--scale", "8,10", "--ranks", "1,2", "--roots", "4", "--node-memory", "1Gi",
                            "--gpus-per-rank", "1", "--ranks-per-node", "2", "--preamble", "p",
                            "--batch-line", "#SBATCH --comment=of-my-own")
        self.assertEqual(len(jobs), 2)  # one for each number of ranks
        points = self.collects()
        self.assertEqual(len(points), 4)
        for point in points:
            result = point.result()
            self.assertEqual((point.done, result["validation"]["passed"]), (True, True))
            used = result["configuration"]
            self.assertEqual((used["n_ranks"], result["graph"]["scale"]), (point.axes["ranks"], point.axes["scale"]))
        for job, ranks in zip(jobs, (1, 2)):
            shown = said_by("scontrol", "show", "job", job)
            for text in (f"NumTasks={ranks}", "Comment=of-my-own", "MinMemoryNode=1G", f"TresPerNode=gres:gpu:{ranks}",
                         "TimeLimit=", "Requeue=1", "JobState=COMPLETED"):
                self.assertIn(text, shown)
            seen = (self.folder / f"env.{ranks}").read_text().splitlines()
            for line in f"SLURM_GPUS_ON_NODE={ranks}", "SLURM_MEM_PER_NODE=1024", "SLURM_CPUS_PER_TASK=1":
                self.assertIn(line, seen)

    def test_a_rank_has_a_core_for_each_thread(self):
        self.submits("--scale", "8", "--ranks", "1", "--threads", "1,2", "--roots", "4")
        for point in self.collects():
            used = point.result()["configuration"]
            self.assertEqual(used["threads_per_rank"], point.axes["threads"])
            self.assertIn(f"x {used['threads_per_rank']} thread", (point.folder / "stderr").read_text())

    def test_a_job_that_is_warned_saves_and_goes_on(self):
        job, = self.submits("--scale", "12", "--ranks", "1", "--roots", "2500")
        point, = files.load(self.folder / "c").points
        until(lambda: (point.folder / "stderr").exists() and "search" in (point.folder / "stderr").read_text())
        self.assertIn(f"1 job of this campaign is still queued ({job})", self.sweep(75, "resume", "c", "--submit"))
        self.assertIn("1 begun, no end", self.sweep(75, "status", "c"))
        said_by("scancel", "--signal=USR1", "--batch", job)  # what --signal=B:USR1@120 does
        point, = self.collects()
        self.assertEqual((point.folder / "try-1" / "ended").read_text().split()[0], "75", self.logs())
        self.assertEqual(point.outcome["tries"], 2)
        self.assertIn("--resume", point.result()["provenance"]["argv"])
        self.assertEqual(len(point.result()["searches"]), 2500)
        self.assertIn("Restarts=1", said_by("scontrol", "show", "job", job))

    def test_what_slurm_refuses_is_said(self):
        points = ("free", "--scale", "8", "--launcher", "slurm", "--submit")
        for more, why in ((("--queue", "nowhere"), "invalid partition specified: nowhere"),
                          (("--batch-line", "#SBATCH --no-such"), "unrecognized option '--no-such'")):
            said = self.sweep(69, *points, *more, "-o", f"c{len(why)}")
            self.assertIn(why, said)


if __name__ == "__main__":
    MESHWAY = os.path.abspath(sys.argv.pop(1))
    if why_not := reason_to_skip():
        print(f"skipped: {why_not}")
        sys.exit(77)
    unittest.main()
