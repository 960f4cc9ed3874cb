"""Serves over standard input and output, and keeps everything else away from them."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from typing import BinaryIO

from napsim import messages
from napsim.conversation import Conversation
from napsim.messages import Message
from napsim.predictor import Predictor

STDIN, STDOUT, STDERR = 0, 1, 2


def serve_pipes(make: Callable[[], Predictor]) -> None:
    """Answers messages on standard input until ``bye`` or its end, quietly so where it is interrupted or not heard."""
    try:
        # First of all, since making a predictor may print.
        incoming, outgoing = take_pipes()
        with incoming, outgoing:
            converse(Conversation(make()), incoming, outgoing)
    except (BrokenPipeError, KeyboardInterrupt):
        return


def take_pipes() -> tuple[BinaryIO, io.FileIO]:
    """Moves standard input and output elsewhere, for this process alone, and returns them.

    What prints, be it Python, a library in C or a child process, then prints on standard error; who reads standard
    input finds it at its end.
    """
    incoming = os.fdopen(os.dup(STDIN), "rb")
    outgoing = io.FileIO(os.dup(STDOUT), "wb")
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, STDIN)
    os.close(nowhere)
    os.dup2(STDERR, STDOUT)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Prints are to be seen along with tracebacks, and never to fail for the sake of a terminal's encoding.
        sys.stdout.reconfigure(line_buffering=True, errors="backslashreplace")
    return incoming, outgoing


def converse(conversation: Conversation, incoming: BinaryIO, outgoing: io.FileIO) -> None:
    """Answers the messages that come in, until ``bye`` or the end.

    :raises OSError: if an answer cannot be written.
    """
    while line := incoming.readline():
        message = _message(line)
        if message is None:
            continue
        if message.get("type") == "bye":
            return
        answer = conversation.receive(message)
        if answer is not None:
            _write(outgoing, messages.encode(answer) + b"\n")


def _message(line: bytes) -> Message | None:
    if line.isspace():
        return None
    try:
        return messages.decode(line)
    except ValueError as reason:
        print(f"napsim: a line that is no message was ignored: {reason}", file=sys.stderr)
        return None


def _write(outgoing: io.FileIO, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[outgoing.write(rest) or 0 :]
