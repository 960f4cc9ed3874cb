"""The examples do what they say, and say what they lack."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Sequence
from pathlib import Path

from examples.ngram import Ngram
from examples.row_below import RowBelow

from napsim import Predictor, Suggestion
from napsim.testing import answer
from tests.program import BEGIN, HELLO, PACKAGE, Program, observe, predict

try:
    import pandas
except ImportError:
    pandas = None
    print("SKIPPED: no run is read into pandas, as it is not installed", file=sys.stderr)


class Predictors(unittest.TestCase):
    def check(self, predictor: Predictor, history: Sequence[str], expect: Sequence[Suggestion]) -> None:
        self.assertEqual(answer(predictor, history).suggestions, expect)

    def test_row_below(self) -> None:
        self.check(RowBelow(), [], [])
        self.check(RowBelow(), ["FONT_BOLD | S!A1:C1 | true"], [Suggestion("FONT_BOLD | S!A2:C2 | true")])
        self.check(RowBelow(), ["FONT_BOLD | S!A:C | true"], [])

    def test_ngram(self) -> None:
        rows = [line for n in (1, 2) for line in (f"INPUT | S!A{n} | 1", f"INPUT | S!B{n} | 2", f"MERGE | S!A{n}:B{n}")]
        self.check(Ngram(), [], [])
        self.check(Ngram(), rows[:1], [])
        self.check(Ngram(), rows[:2], [])
        self.check(Ngram(), [*rows, "INPUT | S!A3 | 7"], [Suggestion("INPUT | S!B3 | 7", 1.0)])
        self.check(Ngram(), [*rows, "INPUT | S!A3 | 7", "INPUT | S!B3 | 8"], [Suggestion("MERGE | S!A3", 1.0)])
        steps = ["INPUT | S!A1 | 1", "INPUT | S!A2 | 1", "INPUT | S!B2 | 1", "INPUT | S!B3 | 1"]
        self.check(Ngram(n_max=1), [*steps, "MERGE | S!B4", "INPUT | S!B5 | 1"], [Suggestion("INPUT | S!C5 | 1", 0.5)])
        self.check(
            Ngram(), ["MERGE | S!A2", "MERGE | S!A1", "MERGE | S!A2", "MERGE | S!A1"], [Suggestion("MERGE | S!A2", 1.0)]
        )

    def test_nothing_is_suggested_off_the_sheet(self) -> None:
        self.check(Ngram(), ["MERGE | S!A3", "MERGE | S!A2", "MERGE | S!A1"], [])

    def test_each_runs_as_a_program(self) -> None:
        for name, told in (("row_below", "row-below"), ("ngram", "python-ngram")):
            with Program([PACKAGE / "examples" / f"{name}.py"]) as program:
                self.assertEqual(program.ask(HELLO)["name"], told)
                program.ask(BEGIN)
                program.send(observe(0, *[f"MERGE | S!A{row}" for row in (1, 2, 3)]))
                action = program.ask(predict(3, 3))["actions"][0]
                self.assertEqual(action if isinstance(action, str) else action["action"], "MERGE | S!A4")
                self.assertEqual((program.end(), program.stderr()), (0, ""))

    def test_what_is_not_installed_is_named(self) -> None:
        for name, missing in (("causal_lm", "torch"), ("causal_lm", "transformers"), ("read_run", "pandas")):
            code = (
                "import runpy, sys; sys.modules[sys.argv[2]] = None; runpy.run_path(sys.argv[1], run_name='__main__')"
            )
            with Program(["-c", code, PACKAGE / "examples" / f"{name}.py", missing]) as program:
                self.assertEqual(program.end(), 30)
                self.assertRegex(program.stderr(), rf"^{name}\.py needs .*pip install.*: .*\n$")


UNIT = [
    {"schema": "napsim-unit/1", "trajectory": {"name": "bakery", "title": "Bakery", "lines": []}},
    {"event": "user_step", "t": 1, "user_steps": 1, "action": "MERGE | S!A1", "future": 9},
    {"event": "empty", "t": 1, "user_steps": 1, "usage": {"input_tokens": 0, "output_tokens": 0}},
    {
        "event": "prediction",
        "t": 2,
        "user_steps": 2,
        "predicted": ["MERGE | S!A2", "INPUT | S!A3 | 1"],
        "confidence": 0.5,
        "accepted": True,
        "metrics": {"tp": 3, "precision": 1.0},
    },
    {"event": "error", "t": 3, "user_steps": 3, "message": "no", "fatal": False},
    {
        "event": "end",
        "name": "bakery",
        "outcome": "failed",
        "actions": 9,
        "predictions": 1,
        "accepted": 1,
        "uas": None,
        "precision": 1.0,
        "counts": {"tp": 3},
    },
    {"seal": {"events": 4, "sha256": ""}},
]


@unittest.skipIf(pandas is None, "pandas is not installed")
class ReadRun(unittest.TestCase):
    def test_a_run_becomes_two_tables(self) -> None:
        from examples.read_run import read_run

        with tempfile.TemporaryDirectory() as folder:
            unit = Path(folder, "units", "0001-bakery.jsonl")
            unit.parent.mkdir()
            unit.write_text("".join(json.dumps(line) + "\n" for line in UNIT), encoding="utf-8")
            calls, trajectories = read_run(folder)
            command = [sys.executable, str(PACKAGE / "examples" / "read_run.py"), folder]
            printed = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.decode()
        self.assertEqual(list(calls["event"]), ["empty", "prediction", "error"])
        self.assertEqual(list(calls["kind"].dropna()), ["MERGE"])
        self.assertEqual(list(calls["metrics.tp"].dropna()), [3])
        self.assertEqual(list(calls["confidence"].dropna()), [0.5])
        self.assertEqual(trajectories.loc["bakery", "title"], "Bakery")
        self.assertEqual(trajectories.loc["bakery", "counts.tp"], 3)
        self.assertRegex(printed, r"bakery +failed +9 +1 +1 ")
        self.assertRegex(printed, r"MERGE +1 +1 +1\.0")

    def test_what_is_no_run_is_named(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for run, content in (("broken", "nonsense"), ("other", "[]\n"), ("empty", ""), ("begun", UNIT[0])):
                unit = folder / run / "units" / "0001-bakery.jsonl"
                unit.parent.mkdir(parents=True)
                unit.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
            for arguments, message in (
                ([], "expected one folder"),
                (["a", "b"], "expected one folder"),
                ([folder], "no units/"),
                ([folder / "missing"], "no units/"),
                ([folder / "broken"], "is not what napsim run has kept"),
                ([folder / "other"], "is not what napsim run has kept"),
                ([folder / "empty"], "is not what napsim run has kept"),
                ([folder / "begun"], "has come to its end yet"),
            ):
                with self.subTest(arguments=arguments):
                    command = [sys.executable, str(PACKAGE / "examples" / "read_run.py"), *map(str, arguments)]
                    read = subprocess.run(command, capture_output=True, text=True, check=False)
                    self.assertEqual((read.returncode, read.stdout), (2, ""))
                    self.assertRegex(read.stderr, rf"\Aread_run\.py: .*{message}.*\n\Z")


if __name__ == "__main__":
    unittest.main()
