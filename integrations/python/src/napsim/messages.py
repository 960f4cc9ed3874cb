"""Messages as they are sent: JSON objects, and the answers that a predictor's replies become."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import islice
from typing import Any

from napsim.answer import Answer, PredictorError, Suggestion, Suggestions
from napsim.predictor import Predictor
from napsim.version import PROTOCOL

Message = dict[str, Any]

ANSWER_BYTES_MAX = 16 * 1024 * 1024
"""The longest answer that napsim reads, in bytes."""

ACTIONS_MAX = 10_000
"""The most actions in an answer that napsim reads."""

NAME_CHARACTERS_MAX = 200
FINGERPRINT_CHARACTERS_MAX = 1000


def decode(line: bytes) -> Message:
    """The message in a line.

    :raises ValueError: if it holds none.
    """
    message = json.loads(line.decode("utf-8"))
    if not isinstance(message, dict):
        raise ValueError(f"a message is an object, not {type(message).__name__}")
    return message


def encode(message: Message) -> bytes:
    """An answer as JSON, without a line feed; one that is too long for napsim becomes an error that says so.

    Halves of surrogate pairs, which are no characters and cannot be sent, are put together or replaced by U+FFFD.
    """
    encoded = _encode(message)
    if len(encoded) < ANSWER_BYTES_MAX:
        return encoded
    reason = f"an answer may have {ANSWER_BYTES_MAX} bytes, this one has {len(encoded)}"
    return _encode(error(message["id"], PredictorError(reason, kind="too_long")))


def _encode(message: Message) -> bytes:
    text = json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode("utf-8")


def hello(id: object, predictor: Predictor) -> Message:
    """The answer to ``hello``.

    :raises ValueError: if name or fingerprint cannot be sent.
    """
    name = predictor.name or type(predictor).__name__
    if len(name) > NAME_CHARACTERS_MAX:
        raise ValueError(f"a predictor's name has at most {NAME_CHARACTERS_MAX} characters, this one {len(name)}")
    answer: Message = {"type": "hello", "id": id, "protocol": PROTOCOL, "name": name}
    fingerprint = predictor.fingerprint()
    if fingerprint is not None:
        if not 0 < len(fingerprint) <= FINGERPRINT_CHARACTERS_MAX:
            raise ValueError(
                f"a fingerprint has 1 to {FINGERPRINT_CHARACTERS_MAX} characters, this one {len(fingerprint)}"
            )
        answer["fingerprint"] = fingerprint
    if predictor.wants_history not in ("new", "all"):
        raise ValueError(f"wants_history is 'new' or 'all', not {predictor.wants_history!r}")
    wants: Message = {}
    if predictor.wants_history == "all":
        wants["history"] = "all"
    if predictor.wants_workbook:
        wants["workbook"] = True
    if predictor.wants_feedback:
        wants["feedback"] = True
    if wants:
        answer["wants"] = wants
    return answer


def ready(id: object) -> Message:
    """The answer to ``begin``."""
    return {"type": "ready", "id": id}


def prediction(id: object, reply: Answer | Suggestions) -> Message:
    """The answer to ``predict`` that a predictor's reply becomes.

    :raises TypeError: if the reply is none.
    :raises PredictorError: if there are more actions than napsim reads.
    """
    answer = reply if isinstance(reply, Answer) else Answer(reply)
    message: Message = {"type": "prediction", "id": id, "actions": _actions(answer.actions)}
    if answer.usage is not None:
        tokens = {
            "input_tokens": int(answer.usage.input_tokens),
            "output_tokens": int(answer.usage.output_tokens),
        }
        if min(tokens.values()) < 0:
            raise ValueError(f"numbers of tokens are not negative, but these are {tokens}")
        message["usage"] = tokens
    for field, text in (("raw", answer.raw), ("intent", answer.intent)):
        if text is not None:
            message[field] = _text(field, text)
    if answer.truncated:
        message["truncated"] = True
    return message


def _actions(suggestions: Suggestions) -> list[str | Message]:
    if suggestions is None:
        raise TypeError("predict returned None; an answer without a suggestion is []")
    if isinstance(suggestions, (str, Suggestion)):
        suggestions = [suggestions]
    elif not isinstance(suggestions, Iterable) or isinstance(suggestions, (bytes, dict)):
        raise TypeError(f"predict returned {type(suggestions).__name__}, which is no list of actions")
    actions = [_action(suggestion) for suggestion in islice(suggestions, ACTIONS_MAX + 1)]
    if len(actions) > ACTIONS_MAX:
        raise PredictorError(f"an answer may have {ACTIONS_MAX} actions, this one has more", kind="too_many_actions")
    return actions


def _action(suggestion: str | Suggestion) -> str | Message:
    if isinstance(suggestion, str):
        return suggestion
    if not isinstance(suggestion, Suggestion):
        raise TypeError(f"a suggestion is a text or a Suggestion, not {type(suggestion).__name__}")
    if suggestion.confidence is None:
        return suggestion.action
    return {"action": suggestion.action, "confidence": suggestion.confidence}


def _text(field: str, text: object) -> str:
    if not isinstance(text, str):
        raise TypeError(f"{field} of an answer is a text, not {type(text).__name__}")
    return text


def told(value: object) -> str:
    """A value as text, also where it fails to say what it is."""
    try:
        return str(value)
    except Exception:
        return f"<{type(value).__name__} that cannot be shown>"


def error(id: object, failure: PredictorError) -> Message:
    """The answer that there is none."""
    answer: Message = {"type": "error", "id": id, "message": told(failure.message)}
    if failure.kind is not None:
        answer["kind"] = failure.kind
    if failure.fatal:
        answer["fatal"] = True
    if failure.raw is not None:
        answer["raw"] = told(failure.raw)
    return answer
