"""The independent online n-gram: worked examples, and the golden vectors where they are."""

from __future__ import annotations

import json
import os
import sys
import unittest
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from napsim.testing import answer
from tests.independent_online_ngram import OnlineNgram, Op, movement, shifted
from tests.schema import REPOSITORY

GOLDEN = Path(os.environ.get("NAPSIM_SHARED") or REPOSITORY.parent / "shared") / "golden"
if not GOLDEN.is_dir():
    print("SKIPPED: no golden vectors of the online n-gram, as they are not there", file=sys.stderr)


class Worked(unittest.TestCase):
    def check(self, history: Sequence[str], *expect: str, **options: Any) -> None:
        told = answer(OnlineNgram(**options), history, max_actions=None)
        self.assertEqual([suggestion.action for suggestion in told.suggestions], list(expect))

    def test_one_action_is_not_enough(self) -> None:
        self.check([])
        self.check(["INPUT | S!A1 | 1"])

    def test_it_goes_on_as_it_went_on_before(self) -> None:
        rows = [
            *["INPUT | S!A1 | 1", "FONT_BOLD | S!A1 | true", "INPUT | S!A2 | 2", "FONT_BOLD | S!A2 | true"],
            *["INPUT | S!A3 | 3", "FILL_COLOR | S!A1:A3 | #FFFFFF", "INPUT | S!B1 | 4", "FONT_BOLD | S!B1 | true"],
        ]
        # Bold in place and a number one down: last seen on A2 and A3. A fill of the column came next, then the top of
        # the next one, both as far away and as much larger as then, but not above the first row.
        table = ["INPUT | S!C1 | 5", "FONT_BOLD | S!C1 | true", "INPUT | S!C2 | 5"]
        self.check([*rows, "INPUT | S!B2 | 5"], "FILL_COLOR | S!B1:B3 | #FFFFFF", *table)

    def test_it_goes_on_in_steps(self) -> None:
        self.check(["INPUT | S!A1 | 1", "INPUT | S!C2 | 2"], "INPUT | S!E3 | 2", "INPUT | S!G4 | 2", max_predictions=2)
        self.check(["MERGE | S!A1:B2", "MERGE | S!A3:B4"], "MERGE | S!A5:B6", max_predictions=1)
        self.check(["INPUT | S!A3 | 1", "INPUT | S!A2 | 1"], *["INPUT | S!A1 | 1"] * 2, max_predictions=2)

    def test_it_does_what_most_often_came_next(self) -> None:
        before = ["INPUT | S!A1 | 1", "FONT_BOLD | S!A1 | true", "INPUT | S!A1 | 1", "FONT_BOLD | S!A1 | true"]
        self.check([*before, "INPUT | S!A1 | 1"], "FONT_BOLD | S!A1 | true", min_match=3, max_predictions=1)

    def test_formulas_move_along(self) -> None:
        self.assertEqual(shifted("=$A1+B$2+LOG10(C3)+_D4+XFD9", 1, 1), "=$A2+C$2+LOG10(D4)+_D4+XFE10")
        self.check(["FORMULA | S!A1 | =B1", "FORMULA | S!A2 | =B2"], "FORMULA | S!A3 | =B3", max_predictions=1)


def vectors(name: str, kind: str) -> Iterator[dict[str, Any]]:
    with (GOLDEN / f"{name}.jsonl").open(encoding="utf-8") as lines:
        yield from (vector for vector in map(json.loads, lines) if vector["kind"] == kind)


@unittest.skipUnless(GOLDEN.is_dir(), "the golden vectors are not there")
class Golden(unittest.TestCase):
    def test_predictions(self) -> None:
        n_vectors = 0
        for vector in vectors("online_ngram", "predict"):
            with self.subTest(vector["id"]):
                config = vector["config"]
                predictor = OnlineNgram(
                    config["range_mode"],
                    config["max_ngram_n"],
                    config["min_match_length"],
                    config["max_predictions"],
                    config["stop_on_type_change"],
                )
                told = answer(predictor, vector["history"], max_actions=None)
                self.assertEqual([suggestion.action for suggestion in told.suggestions], vector["raw"])
                if vector["strategy"] == "suffix":
                    self.assertEqual(predictor.match(), tuple(vector["match"]))
            n_vectors += 1
        self.assertGreater(n_vectors, 0)

    def test_features(self) -> None:
        names = {
            "kind": "op_type",
            "sheet": "sheet",
            "row": "start_row",
            "column": "start_col",
            "height": "height",
            "width": "width",
            "value": "raw_value",
            "value_type": "value_type",
            "row_delta": "row_delta",
            "column_delta": "col_delta",
            "height_delta": "height_delta",
            "width_delta": "width_delta",
            "sheet_changed": "sheet_changed",
        }
        for vector in vectors("featurize", "sequence"):
            before = None
            for line, features in zip(vector["ops"], vector["features"]):
                before = Op.read(line, before)
                with self.subTest(vector["id"], line=line):
                    told = {golden: getattr(before, ours) for ours, golden in names.items()}
                    self.assertEqual(told, {golden: features[golden] for golden in told})
                    moved = movement(before.row_delta, before.column_delta, before.sheet_changed)
                    self.assertEqual(moved, features["movement_class"])

    def test_formulas(self) -> None:
        for vector in vectors("featurize", "shift_formula"):
            with self.subTest(vector["id"]):
                told = shifted(vector["formula"], vector["row_delta"], vector["col_delta"])
                self.assertEqual(told, vector["expect"])


if __name__ == "__main__":
    unittest.main()
