"""The program `napsim`: how it is called and what its exit codes mean."""

from __future__ import annotations

import ctypes
import json
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

COMPLETE, INCOMPLETE, ENVIRONMENT = 0, 20, 30
"""Exit codes: everything was measured, some units failed, the machine stood in the way."""

TERMINATED = (130, 143)
"""Exit codes of a program that was told to stop, as by a node that is taken away."""


class NapsimError(Exception):
    """The program failed, and would fail again."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return self.message or f"napsim ended with exit code {self.code}"


class Interrupted(NapsimError):
    """The program failed by no fault of the experiment: it was killed, or the machine stood in the way."""


@dataclass(frozen=True)
class Unit:
    """A trajectory, a variant and a seed that are still to be measured."""

    id: str
    actions: int


@dataclass(frozen=True)
class Experiment:
    """An experiment file, the store that its units are kept in, and the program that measures them."""

    file: str
    store: str
    settings: Sequence[str] = ()
    """What to set besides the file: `KEY=VALUE`."""
    napsim: str = "napsim"
    folder: str | None = None
    """The folder that paths in the file start from, if it is there; else the one that the program is started in."""

    def command(self, name: str, *arguments: str) -> list[str]:
        settings = [word for setting in self.settings for word in ("--set", setting)]
        return [self.napsim, name, self.file, "--store", self.store, *settings, *arguments]

    def plan(self) -> list[Unit]:
        """The units that are not done, in the order of the plan; one that several variants share comes once.

        Raises NapsimError where the experiment is broken.
        """
        planned = self._run(self.command("plan", "--format", "jsonl"))
        _check(planned.returncode, planned.stderr)
        units = map(json.loads, planned.stdout.splitlines())
        missing = (Unit(unit["unit"], unit["actions"]) for unit in units if unit["state"] != "done")
        return list({unit.id: unit for unit in missing}.values())

    def measure(self, units: Sequence[str], jobs: int) -> bool:
        """Measures the units of these ids; says whether all of them could be.

        Raises Interrupted where trying again may help, and NapsimError where it cannot.
        """
        command = self.command("sweep", "--units", "-", "--quiet", "--jobs", str(jobs))
        measured = self._run(command, "".join(f"{unit}\n" for unit in units))
        if measured.returncode == INCOMPLETE:
            return False
        _check(measured.returncode, measured.stderr)
        return True

    def merge(self, other: Path) -> None:
        """Takes the units of another store into this one."""
        merged = self._run([self.napsim, "merge", str(other), "-o", self.store])
        _check(merged.returncode, merged.stderr)

    def _run(self, command: Sequence[str], stdin: str = "") -> subprocess.CompletedProcess[str]:
        folder = self.folder if self.folder and Path(self.folder).is_dir() else None
        try:
            return subprocess.run(
                command,
                input=stdin,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                cwd=folder,
                preexec_fn=_BEFORE_START,
            )
        except OSError as error:
            raise NapsimError(ENVIRONMENT, f"failed to start {command[0]}: {error}") from None


def _check(code: int, stderr: str) -> None:
    message = stderr.strip()[-4000:]
    if code < 0:
        raise Interrupted(ENVIRONMENT, f"napsim was killed by {signal.Signals(-code).name}\n{message}".strip())
    if code == ENVIRONMENT or code in TERMINATED:
        raise Interrupted(ENVIRONMENT, message)
    if code != COMPLETE:
        raise NapsimError(code, message)


def _die_with_the_worker() -> None:
    """Has the system kill this program when the thread that started it dies, as a worker does that is killed."""
    set_death_signal = 1
    _LIBC.prctl(set_death_signal, signal.SIGKILL)


if sys.platform == "linux":
    # Loaded here, since little may be done between fork and exec.
    _LIBC = ctypes.CDLL(None, use_errno=True)
    _BEFORE_START = _die_with_the_worker
else:
    _BEFORE_START = None
