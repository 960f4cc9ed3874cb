"""Serves over standard input and output, and keeps everything else away from them."""

from __future__ import annotations

import io
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO

from napsim import messages
from napsim.conversation import Conversation, ended_by
from napsim.messages import Message
from napsim.predictor import Predictor

STDIN, STDOUT, STDERR = 0, 1, 2

LOOKS_FOR_PARENT_EVERY_S = 1.0
"""How often it is looked whether the program that started this one is still there, in seconds."""


def serve_pipes(make: Callable[[], Predictor]) -> None:
    """Answers messages on standard input until ``bye`` or its end, quietly so where it is interrupted or not heard."""
    try:
        # First of all, since making a predictor may print.
        incoming, outgoing = take_pipes()
        with incoming, outgoing, ending_with_parent():
            converse(Conversation(make()), incoming, outgoing)
    except (BrokenPipeError, KeyboardInterrupt):
        return


@contextmanager
def ending_with_parent() -> Iterator[None]:
    """Ends the program when the one that started it is gone, even amid a predict that never returns.

    Only where parents can be told, that is on POSIX. Code that never lets go of the interpreter cannot be ended so.
    """
    if os.name != "posix":
        yield
        return
    parent, over = os.getppid(), threading.Event()

    def look() -> None:
        while not over.wait(LOOKS_FOR_PARENT_EVERY_S):
            if os.getppid() != parent:
                # Nobody is left to be told why.
                os._exit(1)

    threading.Thread(target=look, name="napsim-parent", daemon=True).start()
    try:
        yield
    finally:
        over.set()


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
    :raises SystemExit: if the predictor ends the program, or is interrupted.
    """
    while line := incoming.readline():
        message = _message(line)
        if message is None:
            continue
        if message.get("type") == "bye":
            return
        try:
            answer = conversation.receive(message)
        except (KeyboardInterrupt, SystemExit) as exception:
            raise ended_by(exception, str(message.get("type"))) from None
        if answer is not None:
            _write(outgoing, messages.encode(answer) + b"\n")


def _message(line: bytes) -> Message | None:
    if line.isspace():
        return None
    try:
        return messages.decode(line)
    except (ValueError, RecursionError) as reason:
        print(f"napsim: a line that is no message was ignored: {reason}", file=sys.stderr)
        return None


def _write(outgoing: io.FileIO, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[outgoing.write(rest) or 0 :]
