"""What a predictor is: the class to subclass."""

from __future__ import annotations

import abc
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from napsim.action import Action
from napsim.answer import Answer, Suggestions
from napsim.fingerprint import fingerprint_of_object


@dataclass(frozen=True)
class Call:
    """What there is to know when a predictor is asked."""

    history: tuple[Action, ...]
    """Everything executed so far, oldest first: the user's actions, accepted suggestions, undo actions."""

    max_actions: int | None
    """At most so many actions are wanted; ``None`` leaves it to the predictor."""

    user_steps: int
    """How many actions the user has carried out herself."""

    call_idx: int
    """Which call of the trajectory this is, from 0."""

    workbook: Mapping[str, Any] | None = None
    """The sheets as they stand, where the predictor ``wants_workbook``: ``worksheets`` by name, each with ``cells``."""


class Predictor(abc.ABC):
    """Suggests the user's next actions; all that has to be written is :meth:`predict`.

    One object serves one trajectory at a time: :meth:`begin`, then any mixture of :meth:`observe` and :meth:`predict`.
    An exception in ``predict`` is recorded as a failed call, its traceback goes to standard error, and the predictor
    is asked again later. After one in any other method the predictor fails until the next trajectory begins.
    """

    name: str = ""
    """What people call the predictor, at most 200 characters; the name of the class where it is empty."""

    wants_history: ClassVar[Literal["new", "all"]] = "new"
    """How the history comes: each action once (``new``), or all of them with every call (``all``), which is slower but
    lets a service answer without keeping anything. :attr:`Call.history` is complete either way; :meth:`observe` is
    only called for ``new``."""

    wants_workbook: ClassVar[bool] = False
    """Whether each call should hold the sheets as they stand."""

    wants_feedback: ClassVar[bool] = False
    """Whether to be told what became of answers, by :meth:`withdrawn` and :meth:`refused`."""

    if not TYPE_CHECKING:

        def __new__(cls, *args, **kwargs):
            """Remembers the arguments for the fingerprint."""
            if (args or kwargs) and cls.__init__ is object.__init__:
                raise TypeError(f"{cls.__name__}() takes no arguments")
            self = super().__new__(cls)
            # Past the class, which may be a frozen dataclass.
            object.__setattr__(self, "_constructor_arguments", (args, kwargs))
            return self

    def fingerprint(self) -> str | None:
        """The same text promises the same answers, and runs go on only with the same one.

        Unless overridden it is a SHA-256 over this package's version, the source files of the modules that define the
        class and its bases, those of all modules in or below the folder of the class's module that are loaded when it
        is asked for first, and the arguments that the object was made with. Installed packages, virtual environments
        and the standard library are left out. It knows nothing of what else the code reads or imports: override it with
        :func:`napsim.fingerprint_of` where weights or other files count.

        It is ``None`` where the source is not in a file, or an argument is more than numbers, texts, paths, and lists
        and dictionaries of them; napsim then takes the command and the contents of the files that it names. It has at
        most 1,000 characters.
        """
        # Asked again later, it is not to change with modules that were loaded on the way.
        told = vars(self)
        if "_fingerprint_told" not in told:
            told["_fingerprint_told"] = fingerprint_of_object(self, Predictor)
        fingerprint: str | None = told["_fingerprint_told"]
        return fingerprint

    def begin(self, trajectory: str, sheet: str, seed: int) -> None:  # noqa: B027
        """A trajectory begins: everything learnt from an earlier one is to be forgotten.

        :param trajectory: its name.
        :param sheet: the sheet of its first action.
        :param seed: for everything random; from 0 to 2^64 - 1.
        """

    def observe(self, actions: Sequence[Action]) -> None:  # noqa: B027
        """These actions have just become history, oldest first; each is told exactly once."""

    @abc.abstractmethod
    def predict(self, call: Call) -> Answer | Suggestions:
        """Suggests what comes next, in order of execution; nothing, that is ``[]``, for "no suggestion".

        Each suggestion is an :class:`Action`, any other line of text, or a :class:`Suggestion` with a confidence. One
        may stand alone. The method may be a generator.

        napsim leaves out lines that are no actions, and keeps the first ``call.max_actions`` of the others.

        :raises PredictorError: to report a failure in words of one's own.
        """

    def withdrawn(self) -> None:  # noqa: B027
        """The last answer was not shown, since that of another predictor was preferred."""

    def refused(self, actions: Sequence[Action]) -> None:  # noqa: B027
        """These actions were shown, by whichever predictor, and the user refused them."""
