"""Measured by napsim itself, where it is built: ``$NAPSIM_BINARY``, else ``target/release/napsim``."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

from tests.program import PACKAGE
from tests.schema import REPOSITORY

N_TRAJECTORIES = 10
NAMED = os.environ.get("NAPSIM_BINARY")
PROGRAM = Path(NAMED) if NAMED else REPOSITORY / "target" / "release" / "napsim"


def napsim(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs napsim to its end."""
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE / "src")}
    command = [str(PROGRAM), *map(str, arguments)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, encoding="utf-8", check=False)


def external(*command: str | Path) -> str:
    """The predictor that is a program in Python."""
    return f"exec:{shlex.join([sys.executable, *map(str, command)])}"


def is_there() -> bool:
    """Whether there is a program to test with; one that was named has to be."""
    if NAMED:
        return True
    return PROGRAM.is_file() and "exec:" in napsim("list", "predictors").stdout


if not is_there():
    print("SKIPPED: napsim is not asked to measure anything, as it is not built", file=sys.stderr)


@unittest.skipUnless(is_there(), "napsim is not built")
class Measured(unittest.TestCase):
    maxDiff = 10_000

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def corpus(self) -> Path:
        corpus = self.folder / "corpus"
        corpus.mkdir()
        for path in sorted((REPOSITORY / "trajectories" / "data").glob("*.txt"))[:N_TRAJECTORIES]:
            (corpus / path.name).write_bytes(path.read_bytes())
        return corpus

    def units(self, corpus: Path, mode: str, predictor: str) -> dict[str, list[Any]]:
        """The record of each trajectory but for what names the predictor."""
        out = self.folder / f"{mode}-{len(list(self.folder.iterdir()))}"
        run = napsim("run", corpus, "--mode", mode, "--predictor", predictor, "--out", out, "--quiet")
        self.assertEqual(run.returncode, 0, run.stderr)
        return {path.name: self.unit(path) for path in (out / "units").iterdir()}

    def unit(self, path: Path) -> list[Any]:
        header, *events, seal = path.read_text(encoding="utf-8").splitlines()
        told = json.loads(header)
        for field in ("predictor", "fingerprint", "context"):
            del told["setup"][field]
        sealed = json.loads(seal)
        del sealed["seal"]["sha256"]
        return [told, *events, sealed]

    def test_the_independent_online_ngram_is_the_built_in_one(self) -> None:
        corpus = self.corpus()
        ours = external(PACKAGE / "tests" / "independent_online_ngram.py")
        for mode in ("single", "multi"):
            with self.subTest(mode=mode):
                built_in = self.units(corpus, mode, "online-ngram")
                self.assertEqual(len(built_in), N_TRAJECTORIES)
                independent = self.units(corpus, mode, ours)
                self.assertEqual(independent.keys(), built_in.keys())
                for name, unit in built_in.items():
                    for expect, told in zip(unit, independent[name]):
                        self.assertEqual(told, expect, name)
                    self.assertEqual(len(independent[name]), len(unit))

    def test_the_examples_pass_the_checks(self) -> None:
        for name in ("row_below", "ngram"):
            with self.subTest(name):
                check = napsim("check-predictor", external(PACKAGE / "examples" / f"{name}.py"))
                self.assertEqual(check.returncode, 0, check.stdout + check.stderr)


if __name__ == "__main__":
    unittest.main()
