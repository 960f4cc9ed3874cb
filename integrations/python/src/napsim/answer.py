"""What a predictor answers: suggestions, what there is to say about them, or why there are none."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Union

_KIND = re.compile(r"[a-z0-9_]{1,40}")

ROUNDING = 1e-6
"""How far a confidence may lie beyond 0 or 1 and count as rounded."""


@dataclass(frozen=True)
class Suggestion:
    """An action with the probability that it is right.

    :raises ValueError: if the confidence is no number between 0 and 1.
    """

    action: str
    """The action as a line of the notation."""

    confidence: float | None = None
    """The probability that it is right, from 0 to 1, where there is one."""

    def __post_init__(self) -> None:
        if not isinstance(self.action, str):
            raise TypeError(f"a suggested action is a text, not {type(self.action).__name__}")
        if self.confidence is None:
            return
        confidence = float(self.confidence)
        if not -ROUNDING <= confidence <= 1 + ROUNDING:
            raise ValueError(f"a confidence is a number from 0 to 1, not {confidence}")
        object.__setattr__(self, "confidence", min(max(confidence, 0.0), 1.0))


@dataclass(frozen=True)
class Usage:
    """The tokens of a language model that an answer has cost."""

    input_tokens: int = 0
    output_tokens: int = 0


Suggestions = Union[str, Suggestion, Iterable[Union[str, Suggestion]]]
"""Actions in order of execution. One may stand alone; none at all means "no suggestion"."""


@dataclass(frozen=True)
class Answer:
    """Suggestions along with what goes into the record."""

    actions: Suggestions = ()
    """The actions in order of execution."""

    usage: Usage | None = None
    """The tokens that they have cost."""

    raw: str | None = None
    """The answer of a model as it came."""

    intent: str | None = None
    """What the user seems to be after."""

    truncated: bool = False
    """Whether the answer of the model was cut off before its end."""


class PredictorError(Exception):
    """Reports that there is no answer and why, which never counts as "no suggestion".

    :param message: what went wrong.
    :param kind: a word that failures are counted by: lower-case letters, digits and ``_``, at most 40.
    :param fatal: whether the trajectory cannot go on.
    :param raw: what came instead of an answer.
    :raises ValueError: if the kind is no such word.
    """

    def __init__(self, message: str, *, kind: str | None = None, fatal: bool = False, raw: str | None = None) -> None:
        if kind is not None and not _KIND.fullmatch(kind):
            raise ValueError(f"a kind is 1 to 40 lower-case letters, digits and underscores, not {kind!r}")
        super().__init__(message)
        self.message = message
        self.kind = kind
        self.fatal = fatal
        self.raw = raw
