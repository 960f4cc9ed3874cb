"""Actions: one line of the text notation each, and the area of a sheet that they act on."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

SEPARATOR = " | "
"""What stands between the fields of a line."""

ROWS_MAX = 1_048_576
"""The last row of a sheet."""

COLUMNS_MAX = 16_384
"""The last column of a sheet, ``XFD``."""

_CELL = r"\$?([A-Za-z]{1,3})\$?([0-9]{1,9})"
_AREA = re.compile(rf"{_CELL}(?::{_CELL})?", re.ASCII)


class Area(NamedTuple):
    """A rectangle of cells. Rows and columns count from 1; the last ones belong to it."""

    top: int
    left: int
    bottom: int
    right: int

    @classmethod
    def parse(cls, text: str) -> Area | None:
        """The area that ``A1`` or ``A1:C4`` names; ``None`` for anything else, such as ``A:C``."""
        found = _AREA.fullmatch(text)
        if found is None:
            return None
        left, top, right, bottom = found.groups()
        first = (int(top), column_number(left))
        last = first if right is None else (int(bottom), column_number(right))
        return cls(*first, *last)

    @property
    def n_rows(self) -> int:
        """How many rows it has; none or less where it is written from the bottom up."""
        return self.bottom - self.top + 1

    @property
    def n_columns(self) -> int:
        """How many columns it has; none or less where it is written from right to left."""
        return self.right - self.left + 1

    @property
    def on_sheet(self) -> bool:
        """Whether all of it lies between ``A1`` and ``XFD1048576``."""
        rows, columns = (self.top, self.bottom), (self.left, self.right)
        return min(rows + columns) >= 1 and max(rows) <= ROWS_MAX and max(columns) <= COLUMNS_MAX

    def moved(self, rows: int = 0, columns: int = 0) -> Area:
        """The area so many rows further down and columns further right.

        :raises ValueError: if it does not lie on the sheet any more.
        """
        moved = Area(self.top + rows, self.left + columns, self.bottom + rows, self.right + columns)
        if not moved.on_sheet:
            raise ValueError(f"{self} moved by {rows} rows and {columns} columns is no longer on the sheet")
        return moved

    def __str__(self) -> str:
        first = f"{column_letters(self.left)}{self.top}"
        last = f"{column_letters(self.right)}{self.bottom}"
        return first if first == last else f"{first}:{last}"


class Action(str):
    """An action: text that is a line of the notation, ``KIND | Sheet!Range | value``.

    Any text can be made an action, as napsim is the one to judge; what a line lacks is empty, and its sheet ``Sheet1``.
    ``str(action)`` and the action itself are the line exactly as it came.
    """

    __slots__ = ()

    @classmethod
    def of(cls, kind: str, range: str, value: str = "", *, sheet: str = "Sheet1") -> Action:
        """Puts a line together from its fields: ``Action.of("FONT_BOLD", "A1:C1", "true")``.

        :raises ValueError: if kind, sheet or range hold a separator, so that they would be read as something else.
        """
        place = f"{sheet}!{range}"
        action = cls(SEPARATOR.join((kind, place, value) if value else (kind, place)))
        if (action.kind, action.sheet, action.range) != (kind, sheet, range):
            raise ValueError(f"kind {kind!r}, sheet {sheet!r} and range {range!r} cannot be told apart in a line")
        return action

    @classmethod
    def input(cls, range: str, content: object, *, sheet: str = "Sheet1") -> Action:
        """The typing of a text, number, truth value, formula (a text beginning with ``=``) or list of rows of them.

        It is written as napsim writes it, so that it equals the same action in a history.

        :raises TypeError: if the content is something else.
        :raises ValueError: if a number is not finite.
        """
        return cls.of("INPUT", range, json.dumps(content, allow_nan=False), sheet=sheet)

    @property
    def kind(self) -> str:
        """What is done, such as ``INPUT`` or ``FONT_BOLD``."""
        return self._field(0)

    @property
    def sheet(self) -> str:
        """The sheet's name as it is written, that is with its quotes where it has some."""
        # A name in quotes may hold the mark itself; a range holds none.
        sheet, mark, _ = self._field(1).rpartition("!")
        return sheet if mark else "Sheet1"

    @property
    def range(self) -> str:
        """The range without its sheet, as it is written."""
        return self._field(1).rpartition("!")[2]

    @property
    def area(self) -> Area | None:
        """The cells of the range; ``None`` where it is no ``A1`` or ``A1:C4``."""
        return Area.parse(self.range)

    @property
    def value(self) -> str:
        """The value as it is written: JSON for ``INPUT`` (``json.loads(action.value)``), plain text for most others."""
        return self._field(2)

    def at(self, range: object) -> Action:
        """The same action elsewhere on its sheet; what its value refers to stays.

        :raises ValueError: if the range names cells that are not on the sheet.
        """
        area = Area.parse(str(range))
        if area is not None and not area.on_sheet:
            raise ValueError(f"{range} is not on the sheet")
        return Action.of(self.kind, str(range), self.value, sheet=self.sheet)

    def with_value(self, value: str) -> Action:
        """The same action with another value, written as in the notation."""
        return Action.of(self.kind, self.range, value, sheet=self.sheet)

    def moved(self, rows: int = 0, columns: int = 0) -> Action:
        """The same action so many rows further down and columns further right.

        The source of ``AUTOFILL`` moves along, as it is part of the range. All else in the value stays, such as the
        source of ``PASTE_FROM`` and what a formula refers to.

        :raises ValueError: if it would not lie on the sheet, or its :attr:`area` is ``None``.
        """
        area = self.area
        if area is None:
            raise ValueError(f"{self.range!r} cannot be moved, as it is no range of cells such as A1 or A1:C4")
        moved = self.at(area.moved(rows, columns))
        if self.kind != "AUTOFILL":
            return moved
        sheet, mark, source_text = self.value.rpartition("!")
        source = Area.parse(source_text)
        return moved if source is None else moved.with_value(f"{sheet}{mark}{source.moved(rows, columns)}")

    def _field(self, index: int) -> str:
        fields = self.split(SEPARATOR, 2)
        return fields[index] if index < len(fields) else ""

    def __repr__(self) -> str:
        return f"Action({str(self)!r})"


def column_letters(column: int) -> str:
    """The letters of a column that is counted from 1: ``A`` for 1, ``AA`` for 27.

    :raises ValueError: if there is no such column.
    """
    if column < 1:
        raise ValueError(f"there is no column {column}")
    letters = ""
    while column > 0:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return letters


def column_number(letters: str) -> int:
    """The number from 1 of a column that is named by letters: 1 for ``A``, 27 for ``aa``.

    :raises ValueError: if these are no letters of a column.
    """
    if not (letters.isascii() and letters.isalpha()):
        raise ValueError(f"{letters!r} names no column")
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number
