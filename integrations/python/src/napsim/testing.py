"""Runs a predictor within a test, without napsim: what it answers to a history."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from napsim import messages
from napsim.action import Action
from napsim.answer import PredictorError, Suggestion, Usage
from napsim.conversation import Conversation
from napsim.messages import Message
from napsim.predictor import Predictor


@dataclass(frozen=True)
class Answered:
    """What a predictor answered, as napsim would read it."""

    suggestions: list[Suggestion]
    """What is suggested, in order of execution, with or without confidence."""

    usage: Usage | None = None
    """The tokens that the answer has cost."""

    raw: str | None = None
    """The answer of a model as it came."""

    intent: str | None = None
    """What the user seems to be after."""

    truncated: bool = False
    """Whether the answer of the model was cut off before its end."""


def answers(
    predictor: Predictor,
    lines: Iterable[str],
    *,
    max_actions: int | None = 1,
    trajectory: str = "test",
    seed: int = 0,
) -> list[Answered]:
    """Begins a trajectory, tells it line by line, and asks after each: one answer for each line.

    All goes through the very messages that napsim would send, so an answer that could not be sent fails here, too.

    :raises PredictorError: if the predictor fails; the traceback goes to standard error.
    """
    return list(_answers(predictor, [Action(line) for line in lines], max_actions, trajectory, seed))


def answer(predictor: Predictor, lines: Iterable[str], *, max_actions: int | None = 1, seed: int = 0) -> Answered:
    """The answer to a whole history, which is told at once.

    :raises PredictorError: if the predictor fails; the traceback goes to standard error.
    """
    history = [Action(line) for line in lines]
    told = _begun(predictor, history, "test", seed)
    return _asked(told, history, 0, history, max_actions, 0)


def _answers(
    predictor: Predictor, history: Sequence[Action], max_actions: int | None, trajectory: str, seed: int
) -> Iterator[Answered]:
    told = _begun(predictor, history, trajectory, seed)
    for index in range(len(history)):
        yield _asked(told, history[: index + 1], index, history[index : index + 1], max_actions, index)


def _begun(predictor: Predictor, history: Sequence[Action], trajectory: str, seed: int) -> Conversation:
    conversation = Conversation(predictor)
    sheet = history[0].sheet if history else "Sheet1"
    begin = {"type": "begin", "id": 0, "trajectory": trajectory, "sheet": sheet, "seed": seed}
    _said(conversation, begin)
    return conversation


def _asked(
    conversation: Conversation,
    history: Sequence[Action],
    start: int,
    new: Sequence[Action],
    max_actions: int | None,
    call_idx: int,
) -> Answered:
    if new:
        _said(conversation, {"type": "observe", "from": start, "actions": list(new)})
    question: Message = {
        "type": "predict",
        "id": call_idx + 1,
        "n_history": len(history),
        "user_steps": len(history),
        "call_idx": call_idx,
        "max_actions": max_actions,
    }
    if conversation.predictor.wants_history == "all":
        question["history"] = list(history)
    said = _said(conversation, question)
    return Answered(
        suggestions=[_suggestion(item) for item in said["actions"]],
        usage=Usage(**said["usage"]) if "usage" in said else None,
        raw=said.get("raw"),
        intent=said.get("intent"),
        truncated=said.get("truncated", False),
    )


def _said(conversation: Conversation, message: Message) -> Message:
    """What is answered to a message, both sent as JSON."""
    said = conversation.receive(messages.decode(messages.encode(message)))
    if said is None:
        return {}
    said = messages.decode(messages.encode(said))
    if said["type"] == "error":
        raise PredictorError(
            said["message"], kind=said.get("kind"), fatal=said.get("fatal", False), raw=said.get("raw")
        )
    return said


def _suggestion(item: object) -> Suggestion:
    if isinstance(item, dict):
        return Suggestion(Action(item["action"]), item.get("confidence"))
    return Suggestion(Action(str(item)))
