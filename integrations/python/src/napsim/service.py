"""Serves over HTTP: arrays of messages by ``POST``, arrays of answers back."""

from __future__ import annotations

import hmac
import json
import socket
import sys
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from napsim import messages
from napsim.conversation import ended_by
from napsim.messages import Message
from napsim.predictor import Predictor
from napsim.sessions import Sessions

SESSIONS_MAX = 64
"""Most trajectories under way at once, unless told otherwise."""

REQUEST_BYTES_MAX = 256 * 1024 * 1024
"""The longest request that is read, in bytes."""


class CannotListen(OSError):
    """An address cannot be listened on."""


class Service:
    """A service that listens as soon as it is made and answers while :meth:`run` runs."""

    def __init__(
        self,
        make: Callable[[], Predictor],
        address: tuple[str, int],
        *,
        sessions_max: int = SESSIONS_MAX,
        parallel: bool = False,
        token: str | None = None,
    ) -> None:
        """Makes a predictor and listens.

        :raises CannotListen: if the address cannot be listened on.
        """
        sessions = Sessions(make, sessions_max=sessions_max, parallel=parallel)
        try:
            self._server = _Server(address, sessions, token)
        except (OSError, UnicodeError, OverflowError) as reason:
            raise CannotListen(f"cannot listen on {_written(*address[:2])}: {reason}") from reason

    @property
    def url(self) -> str:
        """Where the service can be asked."""
        host, port = self._server.server_address[:2]
        return f"http://{_written(str(host), port)}/"

    def run(self) -> None:
        """Answers until it is closed or interrupted.

        :raises SystemExit: if a predictor ends the program, or is interrupted.
        """
        print(f"napsim: listening on {self.url}", file=sys.stderr, flush=True)
        try:
            self._server.serve_forever(poll_interval=0.1)
        except KeyboardInterrupt:
            pass
        finally:
            self._server.server_close()
        if self._server.ended is not None:
            raise self._server.ended

    def close(self) -> None:
        """Ends :meth:`run`, which another thread is in."""
        self._server.shutdown()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], sessions: Sessions, token: str | None) -> None:
        if ":" in address[0]:
            self.address_family = socket.AF_INET6
        super().__init__(address, _Handler)
        self.sessions = sessions
        self.token = token
        self.ended: SystemExit | None = None

    def handle_error(self, request: object, client_address: object) -> None:
        """Who hangs up early is no reason for a traceback."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


def _written(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


class _Refused(Exception):
    """A request that is none, with the status to answer."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # One packet an answer, and no waiting for another one.
    wbufsize = -1
    disable_nagle_algorithm = True
    server: _Server

    def do_POST(self) -> None:
        try:
            received = self._messages()
        except _Refused as refused:
            # What was sent along was not read to its end, so that nothing else can follow on this connection.
            self.close_connection = True
            self._reply(refused.status, "text/plain; charset=utf-8", f"{refused}\n".encode())
            return
        try:
            answers = [self.server.sessions.receive(message) for message in received]
        except (KeyboardInterrupt, SystemExit) as exception:
            self.server.ended = ended_by(exception, "a request")
            self.close_connection = True
            self.server.shutdown()
            return
        body = b",".join(messages.encode(answer) for answer in answers if answer is not None)
        self._reply(200, "application/json", b"[" + body + b"]")

    def do_GET(self) -> None:
        self._reply(405, "text/plain; charset=utf-8", b"This is a predictor for napsim; it is asked by POST.\n")

    def _messages(self) -> list[Message]:
        token = self.server.token
        if token is not None:
            given = self.headers.get("Authorization", "")
            # Headers are read as Latin-1, whatever they are.
            if not hmac.compare_digest(given.encode("latin-1", "replace"), f"Bearer {token}".encode()):
                raise _Refused(401, "the token in NAPSIM_PREDICTOR_TOKEN is asked for")
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()):
            raise _Refused(411, "a request should have a Content-Length")
        if int(length) > REQUEST_BYTES_MAX:
            raise _Refused(413, f"a request may have {REQUEST_BYTES_MAX} bytes")
        try:
            received = json.loads(self.rfile.read(int(length)).decode("utf-8"))
        except (ValueError, RecursionError) as reason:
            raise _Refused(400, f"a request is JSON: {reason}") from None
        if not isinstance(received, list) or not all(isinstance(message, dict) for message in received):
            raise _Refused(400, "a request is an array of messages")
        return received

    def _reply(self, status: int, content_type: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        if status == 405:
            self.send_header("Allow", "POST")
        if status == 401:
            self.send_header("WWW-Authenticate", "Bearer")
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing of every request."""
