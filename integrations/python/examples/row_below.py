"""Suggests to do the same again one row below: the least that a predictor can be."""

from __future__ import annotations

from napsim import Action, Call, Predictor, serve


class RowBelow(Predictor):
    name = "row-below"

    def predict(self, call: Call) -> list[Action]:
        return [last.moved(rows=1) for last in call.history[-1:] if last.area]


if __name__ == "__main__":
    serve(RowBelow)
