"""Suggests what most often followed the last actions, at the same distance as then: an n-gram in forty lines."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from napsim import Action, Call, Predictor, Suggestion, serve

Symbol = tuple[str, int, int]  # the kind, and the step in rows and columns from the action before


class Ngram(Predictor):
    name = "python-ngram"

    def __init__(self, n_max: int = 3) -> None:
        self.n_max = n_max

    def begin(self, trajectory: str, sheet: str, seed: int) -> None:
        self.last: Action | None = None
        self.symbols: list[Symbol] = []
        self.followers: defaultdict[tuple[Symbol, ...], Counter[Symbol]] = defaultdict(Counter)
        self.values: dict[str, Action] = {}  # the last action of each kind

    def observe(self, actions: Sequence[Action]) -> None:
        for action in actions:
            here, before = action.area, self.last.area if self.last else None
            step = (here.top - before.top, here.left - before.left) if here and before else (0, 0)
            symbol = (action.kind, *step)
            for n in range(1, min(self.n_max, len(self.symbols)) + 1):
                self.followers[tuple(self.symbols[-n:])][symbol] += 1
            self.symbols.append(symbol)
            self.values[action.kind] = self.last = action

    def predict(self, call: Call) -> list[Suggestion]:
        for n in range(min(self.n_max, len(self.symbols)), 0, -1):
            followers = self.followers.get(tuple(self.symbols[-n:]))
            if followers and self.last and self.last.area:
                (kind, rows, columns), n_times = followers.most_common(1)[0]
                area = self.last.area
                if area.top + rows < 1 or area.left + columns < 1:
                    return []
                return [Suggestion(self.values[kind].at(area.moved(rows, columns)), n_times / sum(followers.values()))]
        return []


if __name__ == "__main__":
    serve(Ngram)
