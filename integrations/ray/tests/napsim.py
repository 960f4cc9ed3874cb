"""What the tests have in common: the program, an experiment, drivers as processes, and what is in a store."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Callable

PACKAGE = Path(__file__).resolve().parents[1]
PATIENCE_S = 300.0
"""How long a test waits for what should come soon."""

# Ray's workers have to find the package as well.
os.environ["PYTHONPATH"] = os.pathsep.join([str(PACKAGE / "src"), os.environ.get("PYTHONPATH", "")])

NAPSIM = os.environ.get("NAPSIM", "")
if not NAPSIM:
    print("SKIPPED: nothing is measured, as the environment variable NAPSIM names no program", file=sys.stderr)

EXPERIMENT = """
name = "strides"
first = 12

[base]
corpus = "napsim-52"
predictor = "online-ngram"

[grid]
stride = [1, 2, 3, 4]
policy = ["greedy", "hybrid-1"]
"""


@unittest.skipIf(not NAPSIM, "the environment variable NAPSIM names no program")
class Measured(unittest.TestCase):
    """A test with a folder of its own, an experiment in it, and the store of a single `napsim sweep`."""

    experiment = EXPERIMENT
    folder: Path
    file: Path
    alone: dict[str, bytes]

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory(prefix="napsim ray ")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.file = cls.folder / "strides.toml"
        cls.file.write_text(cls.experiment)
        store = cls.folder / "alone"
        subprocess.run([NAPSIM, "sweep", cls.file, "--store", store, "--quiet"], check=True, capture_output=True)
        cls.alone = units(store)

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(dir=self.folder)
        self.addCleanup(folder.cleanup)
        self.store = Path(folder.name) / "store"

    def driver(self, *arguments: str, file: Path | None = None, napsim: str = NAPSIM) -> subprocess.Popen[str]:
        """Starts a driver with two workers and small batches."""
        few = ("--workers", "2", "--batch-actions", "2000")
        given = (str(file or self.file), "--store", str(self.store), "--napsim", napsim)
        process = subprocess.Popen(
            [sys.executable, "-m", "napsim_ray", *given, *few, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(end, process)
        return process

    def check_driver(self, process: subprocess.Popen[str], code: int = 0) -> tuple[str, str]:
        """Waits for its end and gives what it has written."""
        stdout, stderr = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, code, stdout + stderr)
        return stdout, stderr

    def check_same(self) -> None:
        """The units are those of a single `napsim sweep`, byte by byte, and nothing else lies beside them."""
        found = units(self.store)
        self.assertEqual(sorted(found), sorted(self.alone))
        self.assertEqual(found, self.alone)


def units(store: Path) -> dict[str, bytes]:
    """The files beside which nothing should lie when all is over: those of finished units, by their paths."""
    paths = (path for path in (store / "units").rglob("*") if path.is_file())
    return {str(path.relative_to(store)): path.read_bytes() for path in paths}


def modified(store: Path) -> dict[str, int]:
    """When each finished unit was written, while others may be."""
    paths = (store / "units").glob("*/[!.]*")
    return {str(path.relative_to(store)): path.stat().st_mtime_ns for path in paths}


def end(process: subprocess.Popen[str]) -> None:
    """Ends a driver that a test has left behind."""
    process.kill()
    process.communicate()


def wait_for(what: Callable[[], bool]) -> None:
    """Waits until something is so."""
    deadline = time.monotonic() + PATIENCE_S
    while not what():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.01)


def descendants(pid: int) -> Iterator[tuple[int, str]]:
    """The processes that a process has started, itself or by others, with what they are called."""
    for folder in Path("/proc").glob("[0-9]*"):
        if (found := _process(folder)) and found[0] == pid:
            child = int(folder.name)
            yield child, found[1]
            yield from descendants(child)


def _process(folder: Path) -> tuple[int, str] | None:
    """The parent of a process and what it is called, if it is there still."""
    try:
        after_name = (folder / "stat").read_text().rpartition(")")[2].split()
        return int(after_name[1]), (folder / "cmdline").read_text().replace("\0", " ").strip()
    except OSError:
        return None


def is_alive(pid: int) -> bool:
    """Whether a process is there and not merely waiting for its parent."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
