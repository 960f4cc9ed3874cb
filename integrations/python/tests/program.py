"""A predictor as a program of its own, as napsim runs it."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.schema import check_answer, check_question

PACKAGE = Path(__file__).resolve().parents[1]
PATIENCE_S = 120.0
"""How long a test waits for what should come at once."""

HELLO = {"type": "hello", "id": 1, "protocol": "napsim-predictor/1", "napsim": "0.1.0"}
BEGIN = {"type": "begin", "id": 2, "trajectory": "bakery", "sheet": "Sheet1", "seed": 0}
BYE = {"type": "bye"}


def predict(id: int, n_history: int, max_actions: int | None = 1, **more: Any) -> dict[str, Any]:
    """The question what comes next."""
    question = {
        "type": "predict",
        "id": id,
        "n_history": n_history,
        "user_steps": n_history,
        "call_idx": max(0, id - 3),
    }
    return {**question, "max_actions": max_actions, **more}


def observe(start: int, *actions: str) -> dict[str, Any]:
    """The notice that actions have become history."""
    return {"type": "observe", "from": start, "actions": list(actions)}


class Program:
    """A running predictor; what it writes is read with patience, and its standard error kept in a file."""

    def __init__(self, command: Sequence[str | Path], environment: Mapping[str, str] | None = None) -> None:
        paths = [str(PACKAGE / "src"), os.environ.get("PYTHONPATH", "")]
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115
        self.process = subprocess.Popen(
            [sys.executable, *map(str, command)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)), **(environment or {})},
            bufsize=0,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.stdin, self.stdout = self.process.stdin, self.process.stdout
        self._read = b""

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.stdin, self.stdout, self._stderr):
            stream.close()

    def send(self, *messages: Any) -> None:
        """Sends messages."""
        for message in messages:
            check_question(message)
            self.send_bytes(json.dumps(message, ensure_ascii=False).encode() + b"\n")

    def send_bytes(self, content: bytes) -> None:
        """Sends anything."""
        rest = memoryview(content)
        while rest:
            rest = rest[self.stdin.write(rest) or 0 :]

    def line(self) -> bytes:
        """The next line that the program writes, with its line feed; less where it ends before.

        :raises TimeoutError: if nothing comes.
        """
        deadline = time.monotonic() + PATIENCE_S
        with selectors.DefaultSelector() as selector:
            selector.register(self.stdout, selectors.EVENT_READ)
            while b"\n" not in self._read:
                if not selector.select(max(0.0, deadline - time.monotonic())):
                    raise TimeoutError(f"no answer within {PATIENCE_S} s")
                piece = os.read(self.stdout.fileno(), 1 << 16)
                if not piece:
                    break
                self._read += piece
        line, feed, self._read = self._read.partition(b"\n")
        return line + feed

    def ask(self, question: Any) -> dict[str, Any]:
        """The answer to a question."""
        self.send(question)
        return self.answer()

    def answer(self) -> dict[str, Any]:
        """The next answer."""
        line = self.line()
        try:
            answer: dict[str, Any] = json.loads(line.decode("utf-8"))
        except ValueError:
            raise AssertionError(f"not an answer: {line!r}; standard error: {self.stderr()}") from None
        check_answer(answer)
        return answer

    def end(self) -> int:
        """Closes the program's input, expects nothing more to come, and returns the exit code."""
        if not self.stdin.closed:
            self.stdin.close()
        rest = self.line()
        assert rest == b"", f"not asked for: {rest!r}"
        return self.process.wait(PATIENCE_S)

    def stderr(self) -> str:
        """What was written to standard error so far."""
        self._stderr.seek(0)
        return self._stderr.read().decode("utf-8", "replace")
