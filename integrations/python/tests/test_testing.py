"""Running a predictor within a test."""

from __future__ import annotations

import unittest
from collections.abc import Iterator
from typing import ClassVar, Literal

from napsim import Action, Answer, Call, Predictor, PredictorError, Suggestion, Usage
from napsim.testing import Answered, answer, answers


class Counting(Predictor):
    def begin(self, trajectory: str, sheet: str, seed: int) -> None:
        self.seen = f"{trajectory}/{sheet}/{seed}"

    def predict(self, call: Call) -> Answer:
        lines: list[str | Suggestion] = [f"{self.seen}/{len(call.history)}/{call.max_actions}", Suggestion("A", 0.5)]
        return Answer(lines, usage=Usage(1, 2), raw="r", intent="i", truncated=True)


class CountingAll(Counting):
    wants_history: ClassVar[Literal["new", "all"]] = "all"


class Testing(unittest.TestCase):
    def test_a_predictor_is_asked_after_each_line(self) -> None:
        for predictor in (Counting(), CountingAll()):
            told = answers(predictor, ["MERGE | S!A1", "MERGE | S!A2"], max_actions=None, trajectory="t", seed=7)
            self.assertEqual(
                [one.suggestions[0] for one in told], [Suggestion("t/S/7/1/None"), Suggestion("t/S/7/2/None")]
            )
            actions = [Suggestion(Action("t/S/7/1/None")), Suggestion(Action("A"), 0.5)]
            self.assertEqual(told[0], Answered(actions, usage=Usage(1, 2), raw="r", intent="i", truncated=True))

    def test_a_predictor_is_asked_once_after_a_whole_history(self) -> None:
        told = answer(Counting(), ["MERGE | S!A1", "MERGE | S!A2"])
        self.assertEqual(told.suggestions[0], Suggestion("test/S/0/2/1"))
        self.assertEqual(answer(Counting(), []).suggestions[0], Suggestion("test/Sheet1/0/0/1"))

    def test_a_failure_is_raised(self) -> None:
        class Failing(Predictor):
            def predict(self, call: Call) -> Iterator[str]:
                raise PredictorError("not today", kind="refusal", raw="no")

        with self.assertRaises(PredictorError) as raised:
            answer(Failing(), [])
        self.assertEqual((raised.exception.message, raised.exception.kind), ("not today", "refusal"))


if __name__ == "__main__":
    unittest.main()
