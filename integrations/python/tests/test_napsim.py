"""Checked by napsim itself, where it is built: ``$NAPSIM_BINARY``, else ``target/release/napsim``."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from napsim import Action
from tests.program import PACKAGE
from tests.schema import REPOSITORY

NAMED = os.environ.get("NAPSIM_BINARY")
BINARY = Path(NAMED) if NAMED else REPOSITORY / "target" / "release" / "napsim"


def napsim(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs napsim to its end."""
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE / "src")}
    command = [str(BINARY), *map(str, arguments)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, encoding="utf-8", check=False)


def external(path: Path) -> str:
    """The predictor that is a program in Python."""
    return f"exec:{shlex.join([sys.executable, str(path)])}"


def is_there() -> bool:
    """Whether there is a napsim that knows of programs; one that was named has to."""
    return bool(NAMED) or (BINARY.is_file() and "exec:" in napsim("list", "predictors").stdout)


if not is_there():
    print("SKIPPED: napsim is not asked about the examples, as it is not built", file=sys.stderr)


@unittest.skipUnless(is_there(), "napsim is not built")
class Checked(unittest.TestCase):
    def test_the_examples_pass_the_checks(self) -> None:
        for name in ("row_below", "ngram"):
            with self.subTest(name):
                check = napsim("check-predictor", external(PACKAGE / "examples" / f"{name}.py"))
                self.assertEqual(check.returncode, 0, check.stdout + check.stderr)

    def test_an_example_suggests_what_comes_next(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            history = Path(folder, "history.txt")
            history.write_text('INPUT | Sheet1!A1 | "Größe 😀"\n', encoding="utf-8")
            predictor = external(PACKAGE / "examples" / "row_below.py")
            suggestion = napsim("suggest", "--history", history, "--predictor", predictor, "--json")
        self.assertEqual(suggestion.returncode, 0, suggestion.stderr)
        actions = json.loads(suggestion.stdout)["actions"]
        self.assertEqual([action["action"] for action in actions], [Action.input("A2", "Größe 😀")])


if __name__ == "__main__":
    unittest.main()
