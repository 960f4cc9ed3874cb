"""Sessions of a service: one conversation for each trajectory under way."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from threading import Lock

from napsim import messages
from napsim.answer import PredictorError
from napsim.conversation import Conversation, failure_told, hello
from napsim.messages import Message
from napsim.predictor import Predictor

ANSWERS_KEPT = 16
"""How many of its last answers a session can repeat."""


class Sessions:
    """The conversations under way; any number of threads may bring messages."""

    def __init__(self, make: Callable[[], Predictor], *, sessions_max: int, parallel: bool) -> None:
        """The first predictor is made at once, so that mistakes show early.

        :raises Exception: what making a predictor raises.
        """
        if sessions_max < 1:
            raise ValueError(f"a service needs room for one session at least, not for {sessions_max}")
        self._make = make
        self._sessions_max = sessions_max
        self._turn: AbstractContextManager[object] = nullcontext() if parallel else Lock()
        self._lock = Lock()
        self._sessions: OrderedDict[str, _Session] = OrderedDict()
        self._unused: Predictor | None = make()
        self._hello = self._unused

    def receive(self, message: Message) -> Message | None:
        """Answers a question; ``None`` for a notice."""
        answer = None
        try:
            if message.get("type") == "hello" and "id" in message:
                with self._turn:
                    return hello(message, self._hello)
            session = self._session(message)
            if session is not None:
                answer = session.receive(message, self._predictor, self._turn)
        except PredictorError as failure:
            answer = messages.error(message.get("id"), failure)
        except Exception as exception:
            answer = messages.error(message.get("id"), failure_told(exception, str(message.get("type"))))
        return answer if "id" in message else None

    def _session(self, message: Message) -> _Session | None:
        """The session that a message belongs to; ``None`` for notices that have nobody to be told.

        :raises PredictorError: if a question is about a session that is not known.
        """
        name = message.get("session")
        kind = message.get("type")
        if not isinstance(name, str) or not name:
            if kind == "bye":
                return None
            raise PredictorError(f"{kind} should have a 'session'", kind="bad_message")
        with self._lock:
            if kind == "bye":
                self._sessions.pop(name, None)
                return None
            if kind == "begin" and name not in self._sessions:
                self._sessions[name] = _Session()
                while len(self._sessions) > self._sessions_max:
                    self._sessions.popitem(last=False)
            session = self._sessions.get(name)
            if session is None:
                raise PredictorError(f"there is no session {name!r}, or not any more", kind="unknown_session")
            self._sessions.move_to_end(name)
            return session

    def _predictor(self) -> Predictor:
        with self._lock:
            unused, self._unused = self._unused, None
        return self._make() if unused is None else unused


class _Session:
    """One conversation and its last answers, which are given again to questions that come again."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._conversation: Conversation | None = None
        self._answers: OrderedDict[object, Message] = OrderedDict()

    def receive(
        self, message: Message, make: Callable[[], Predictor], turn: AbstractContextManager[object]
    ) -> Message | None:
        # A question that comes again while its answer is being made waits for that answer.
        with self._lock:
            id = message.get("id")
            if id in self._answers:
                return self._answers[id]
            with turn:
                if self._conversation is None:
                    self._conversation = Conversation(make())
                answer = self._conversation.receive(message)
            if answer is not None:
                self._answers[id] = answer
                while len(self._answers) > ANSWERS_KEPT:
                    self._answers.popitem(last=False)
            return answer
