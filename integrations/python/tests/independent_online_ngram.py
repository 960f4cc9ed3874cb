"""The online n-gram predictor, written a second time from its description, to check the built-in one against.

It learns from the running trajectory alone. Measured with ``napsim run --predictor 'exec:python3 PATH'`` it proposes
the same as ``--predictor online-ngram``, call by call.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from napsim import Action, Area, Call, Predictor, column_letters, column_number, serve

CELL = re.compile(r"([A-Za-z]+)(\d+)")
REFERENCE = re.compile(r"(?<![A-Za-z_])(\$?)([A-Z]{1,3})(\$?)([0-9]{1,7})(?![A-Za-z0-9_(])")

TRUTH = {"FONT_BOLD", "FONT_ITALIC", "WRAP_TEXT", "MERGE", "UNMERGE"}
VALUE_TYPES = {
    "ALIGN_HORIZONTAL": "align_h",
    "ALIGN_VERTICAL": "align_v",
    "FONT_COLOR": "color",
    "FILL_COLOR": "color",
    "FONT_NAME": "font_name",
    "FONT_SIZE": "font_size",
    "FONT_UNDERLINE": "underline_style",
    "NUMBER_FORMAT": "number_format",
    "TEXT_ORIENTATION": "orientation",
    "PASTE_FROM": "other",
    "AUTOFILL": "other",
}
UNIT_STEPS = {(0, 0): "same", (0, 1): "right1", (0, -1): "left1", (1, 0): "down1", (-1, 0): "up1"}
CANONICAL_STEPS = {
    **{movement: step for step, movement in UNIT_STEPS.items()},
    "right_n": (0, 2),
    "left_n": (0, -2),
    "down_n": (2, 0),
    "up_n": (-2, 0),
    "diagonal": (1, 1),
    "sheet_change": (0, 0),
}

Symbol = tuple[object, ...]


@dataclass(frozen=True)
class Op:
    """An action as the predictor sees it: where, how big, and how far from the one before."""

    kind: str
    sheet: str
    row: int
    column: int
    height: int
    width: int
    value: str
    value_type: str
    row_delta: int = 0
    column_delta: int = 0
    height_delta: int = 0
    width_delta: int = 0
    sheet_changed: bool = False

    @classmethod
    def read(cls, line: str, before: Op | None) -> Op:
        kind, *rest = line.split(" | ")
        kind = kind.strip()
        sheet, mark, area = (rest[0].strip() if rest else "Sheet1!A1").rpartition("!")
        first, colon, last = area.partition(":")
        top, left = cell(first)
        bottom, right = cell(last if colon else first)
        value = " | ".join(rest[1:]).strip()
        sheet = sheet if mark else "Sheet1"
        height, width = max(1, bottom - top + 1), max(1, right - left + 1)
        steps = (0, 0, 0, 0, False)
        if before is not None:
            steps = (
                top - before.row,
                left - before.column,
                height - before.height,
                width - before.width,
                sheet != before.sheet,
            )
        return cls(kind, sheet, top, left, height, width, value, value_type(kind, value), *steps)

    def symbol(self, range_mode: str) -> Symbol:
        if range_mode == "absolute":
            return (self.kind, self.height, self.width, self.value_type)
        return (self.kind, movement(self.row_delta, self.column_delta, self.sheet_changed), self.value_type)


def cell(text: str) -> tuple[int, int]:
    found = CELL.fullmatch(text.strip())
    return (int(found[2]), column_number(found[1])) if found else (1, 1)


def movement(rows: int, columns: int, sheet_changed: bool) -> str:
    if sheet_changed:
        return "sheet_change"
    if (rows, columns) in UNIT_STEPS:
        return UNIT_STEPS[rows, columns]
    if rows and columns:
        return "diagonal"
    if rows:
        return "down_n" if rows > 0 else "up_n"
    return "right_n" if columns > 0 else "left_n"


def value_type(kind: str, value: str) -> str:
    value = value.strip()
    if value.lower() in ("", "null", "none"):
        return "null"
    if kind in TRUTH:
        return "true" if value.lower() in ("true", "1") else "false"
    if kind.startswith("BORDER_"):
        return "border_spec"
    if kind in VALUE_TYPES:
        return VALUE_TYPES[kind]
    if value.startswith("="):
        return "formula"
    if value.startswith("["):
        return "list"
    try:
        float(value.replace(",", ""))
    except ValueError:
        return "string"
    return "number"


def shifted(formula: str, rows: int, columns: int) -> str:
    """The formula with its relative references moved, never beyond the first row and column."""

    def moved(found: re.Match[str]) -> str:
        column, row = column_number(found[2]), int(found[4])
        column = column if found[1] else max(1, column + columns)
        row = row if found[3] else max(1, row + rows)
        return f"{found[1]}{column_letters(column)}{found[3]}{row}"

    return formula if (rows, columns) == (0, 0) else REFERENCE.sub(moved, formula)


def value_for(kind: str, wanted_type: str, row: int, column: int, history: Sequence[Op]) -> str:
    """The value of the most recent action of the kind, a formula moved along. There always is one: only kinds that have
    occurred are predicted."""
    source = next(op for op in reversed(history) if op.kind == kind)
    if wanted_type == "formula" and source.value.startswith("="):
        return shifted(source.value, row - source.row, column - source.column)
    return source.value


def written(kind: str, sheet: str, area: Area, value: str) -> str:
    line = f"{kind} | {sheet}!{area}"
    return f"{line} | {value}" if value else line


class OnlineNgram(Predictor):
    """Does what followed similar actions earlier, else goes on in steps, else does what most often came next."""

    name = "independent-online-ngram"

    def __init__(
        self,
        range_mode: str = "relative",
        max_n: int = 5,
        min_match: int = 2,
        max_predictions: int = 5,
        stop_on_type_change: bool = True,
    ) -> None:
        self.range_mode = range_mode
        self.max_n = max_n
        self.min_match = min_match
        self.max_predictions = max_predictions
        self.stop_on_type_change = stop_on_type_change
        self.begin("", "Sheet1", 0)

    def begin(self, trajectory: str, sheet: str, seed: int) -> None:
        self.ops: list[Op] = []
        self.symbols: list[Symbol] = []
        # Where each sequence of symbols began, and how often each symbol came after it.
        self.starts: defaultdict[tuple[Symbol, ...], list[int]] = defaultdict(list)
        self.successors: defaultdict[tuple[Symbol, ...], dict[Symbol, int]] = defaultdict(dict)

    def observe(self, actions: Sequence[Action]) -> None:
        for action in actions:
            op = Op.read(action, self.ops[-1] if self.ops else None)
            symbol = op.symbol(self.range_mode)
            for n in range(1, min(self.max_n, len(self.symbols)) + 1):
                counts = self.successors[tuple(self.symbols[-n:])]
                counts[symbol] = counts.get(symbol, 0) + 1
            self.ops.append(op)
            self.symbols.append(symbol)
            for n in range(1, min(self.max_n, len(self.symbols)) + 1):
                self.starts[tuple(self.symbols[-n:])].append(len(self.symbols) - n)

    def predict(self, call: Call) -> list[str]:
        # All of them: napsim leaves out lines that are no actions, and of the others keeps as many as it wants.
        return self.lines()

    def lines(self) -> list[str]:
        if len(self.ops) < 2:
            return []
        return self.continued_match() or self.progression() or self.most_frequent()

    def match(self) -> tuple[int, int] | None:
        """Start and length of the longest, then latest, earlier place of the last symbols; the two do not overlap."""
        n_ops = len(self.ops)
        for length in range(min(self.max_n, n_ops - 1), self.min_match - 1, -1):
            for start in reversed(self.starts[tuple(self.symbols[-length:])]):
                if start + length <= n_ops - length:
                    return start, length
        return None

    def continued_match(self) -> list[str]:
        match = self.match()
        if match is None:
            return []
        first = sum(match)
        imagined = Imagination(self.ops)
        for source in self.ops[first : first + self.max_predictions]:
            last = imagined.ops[-1]
            imagined.add(
                source.kind,
                source.value_type,
                source.sheet if source.sheet_changed else last.sheet,
                last.row + source.row_delta,
                last.column + source.column_delta,
                last.height + source.height_delta,
                last.width + source.width_delta,
            )
        return imagined.lines

    def progression(self) -> list[str]:
        last = self.ops[-1]
        places = [(op.row, op.column) for op in self.ops if op.kind == last.kind][-4:]
        steps = {(after[0] - before[0], after[1] - before[1]) for before, after in zip(places, places[1:])}
        if len(steps) != 1 or steps == {(0, 0)}:
            return []
        rows, columns = steps.pop()
        imagined = Imagination(self.ops)
        for _ in range(self.max_predictions):
            before = imagined.ops[-1]
            place = (before.row + rows, before.column + columns)
            imagined.add(last.kind, last.value_type, before.sheet, *place, before.height, before.width)
        return imagined.lines

    def most_frequent(self) -> list[str]:
        imagined = Imagination(self.ops)
        symbols = list(self.symbols)
        for n_before in count():
            symbol = self.most_frequent_after(symbols) if n_before < self.max_predictions else None
            if symbol is None:
                break
            kind, value_type = str(symbol[0]), str(symbol[-1])
            first_kind = imagined.ops[len(self.ops)].kind if n_before else kind
            if self.stop_on_type_change and kind != first_kind:
                break
            last = imagined.ops[-1]
            height, width = last.height, last.width
            rows, columns = 1, 0
            if self.range_mode == "absolute":
                height, width = int(str(symbol[1])), int(str(symbol[2]))
            else:
                rows, columns = CANONICAL_STEPS[str(symbol[1])]
            imagined.add(kind, value_type, last.sheet, last.row + rows, last.column + columns, height, width)
            symbols.append(imagined.ops[-1].symbol(self.range_mode))
        return imagined.lines

    def most_frequent_after(self, symbols: Sequence[Symbol]) -> Symbol | None:
        for n in range(min(self.max_n, len(symbols)), 0, -1):
            counts = self.successors.get(tuple(symbols[-n:]))
            if counts:
                return max(counts, key=lambda symbol: counts[symbol])  # the first counted of equally frequent ones
        return None


class Imagination:
    """A history that goes on as predicted."""

    def __init__(self, history: Sequence[Op]) -> None:
        self.ops = list(history)
        self.lines: list[str] = []

    def add(self, kind: str, value_type: str, sheet: str, row: int, column: int, height: int, width: int) -> None:
        row, column, height, width = max(1, row), max(1, column), max(1, height), max(1, width)
        value = value_for(kind, value_type, row, column, self.ops)
        line = written(kind, sheet, Area(row, column, row + height - 1, column + width - 1), value)
        self.lines.append(line)
        self.ops.append(Op.read(line, self.ops[-1]))


if __name__ == "__main__":
    serve(OnlineNgram)
