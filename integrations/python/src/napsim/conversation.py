"""One conversation: messages to a predictor turned into calls, and what comes of them into answers."""

from __future__ import annotations

import sys
import traceback
from typing import Any

from napsim import messages
from napsim.action import Action
from napsim.answer import PredictorError
from napsim.messages import Message
from napsim.predictor import Call, Predictor
from napsim.version import PROTOCOL

INTERRUPTED = 130
"""Exit code where a predictor was interrupted."""


class Conversation:
    """Asks one predictor what the messages ask, and keeps the history for it."""

    def __init__(self, predictor: Predictor) -> None:
        self.predictor = predictor
        self._history: list[Action] = []
        self._broken: PredictorError | None = PredictorError("no trajectory has begun", kind="not_begun")

    def receive(self, message: Message) -> Message | None:
        """Answers a question; ``None`` for a notice. A failure of the predictor becomes an answer, too."""
        if "id" not in message:
            self._notice(message)
            return None
        try:
            return self._answer(message)
        except PredictorError as failure:
            return messages.error(message["id"], failure)
        except Exception as exception:
            return messages.error(message["id"], failure_told(exception, "predict"))

    def _answer(self, message: Message) -> Message:
        question = message.get("type")
        if question == "predict":
            return self._predict(message)
        if question == "begin":
            return self._begin(message)
        if question == "hello":
            return hello(message, self.predictor)
        raise PredictorError(f"there is no question {question!r} in {PROTOCOL}", kind="unknown_question")

    def _begin(self, message: Message) -> Message:
        trajectory = _field(message, "trajectory", str)
        sheet = _field(message, "sheet", str)
        seed = _field(message, "seed", int)
        self._history = []
        try:
            self.predictor.begin(trajectory, sheet, seed)
        except Exception as exception:
            self._broken = failure_told(exception, "begin", fatal=True)
            raise self._broken from exception
        self._broken = None
        return messages.ready(message["id"])

    def _predict(self, message: Message) -> Message:
        if self._broken is not None:
            raise self._broken
        if self.predictor.wants_history == "all":
            self._history = [Action(line) for line in _field(message, "history", list)]
        n_history = _field(message, "n_history", int)
        if n_history != len(self._history):
            told = f"the history has {n_history} actions, of which {len(self._history)} were told"
            self._broken = PredictorError(told, kind="history_gap", fatal=True)
            raise self._broken
        workbook = message.get("workbook") if self.predictor.wants_workbook else None
        call = Call(
            history=tuple(self._history),
            max_actions=message.get("max_actions"),
            user_steps=_field(message, "user_steps", int),
            call_idx=_field(message, "call_idx", int),
            workbook=workbook,
        )
        return messages.prediction(message["id"], self.predictor.predict(call))

    def _notice(self, message: Message) -> None:
        """Takes a notice; what goes wrong is said when the predictor is asked."""
        if self._broken is not None:
            return
        notice = message.get("type")
        try:
            if notice == "observe":
                self._observe(message)
            elif notice == "withdrawn" and self.predictor.wants_feedback:
                self.predictor.withdrawn()
            elif notice == "refused" and self.predictor.wants_feedback:
                self.predictor.refused([Action(line) for line in _field(message, "actions", list)])
        except Exception as exception:
            self._broken = failure_told(exception, str(notice), fatal=True)

    def _observe(self, message: Message) -> None:
        """Takes in actions that are new; those told before may be told again, as happens over HTTP."""
        start = _field(message, "from", int)
        actions = [Action(line) for line in _field(message, "actions", list)]
        n_known = len(self._history) - start
        if n_known < 0:
            told = f"actions {len(self._history)} to {start - 1} of the history were not told"
            raise PredictorError(told, kind="history_gap", fatal=True)
        if actions[:n_known] != self._history[start : start + len(actions)]:
            told = f"actions from {start} on were told before and were others then"
            raise PredictorError(told, kind="history_gap", fatal=True)
        new = actions[n_known:]
        if new and self.predictor.wants_history == "new":
            self._history.extend(new)
            self.predictor.observe(new)


def hello(message: Message, predictor: Predictor) -> Message:
    """The answer to ``hello``.

    :raises PredictorError: if napsim speaks another version of the protocol.
    """
    spoken = message.get("protocol")
    if spoken != PROTOCOL:
        raise PredictorError(f"this predictor speaks {PROTOCOL}, not {spoken}", kind="other_protocol", fatal=True)
    return messages.hello(message["id"], predictor)


def _field(message: Message, name: str, expected: type) -> Any:
    value = message.get(name)
    if not isinstance(value, expected) or isinstance(value, bool):
        told = f"{message.get('type')} should have {name!r} ({expected.__name__}), and has {value!r}"
        raise PredictorError(told[:1000], kind="bad_message")
    return value


def failure_told(exception: Exception, during: str, *, fatal: bool = False) -> PredictorError:
    """What to answer for an exception; its traceback goes to standard error."""
    if isinstance(exception, PredictorError):
        return PredictorError(exception.message, kind=exception.kind, fatal=exception.fatal or fatal, raw=exception.raw)
    try:
        traceback.print_exception(type(exception), exception, exception.__traceback__)
    except Exception as reason:
        print(f"napsim: no traceback of {type(exception).__name__}: {type(reason).__name__}", file=sys.stderr)
    told = f"{type(exception).__name__} in {during}: {messages.told(exception)}"
    return PredictorError(told, kind="exception", fatal=fatal)


def ended_by(exception: BaseException, during: str) -> SystemExit:
    """What to end the program with for an interruption or an exit within a predictor, told on standard error."""
    told = messages.told(exception)
    told = f"{type(exception).__name__} ({told})" if told else type(exception).__name__
    print(f"napsim: {told} in {during} ends the program", file=sys.stderr, flush=True)
    return exception if isinstance(exception, SystemExit) else SystemExit(INTERRUPTED)
