"""Serving over HTTP: sessions, requests that come twice, and requests that are none."""

from __future__ import annotations

import http.client
import io
import json
import re
import socket
import threading
import time
import unittest
from collections.abc import Callable
from typing import Any, ClassVar, Literal
from unittest import mock

from napsim import Call, Predictor, serve
from napsim.service import Service
from tests.program import BEGIN, HELLO, PACKAGE, PATIENCE_S, Program, observe, predict
from tests.schema import check_answer, check_question


class Counting(Predictor):
    """Answers how often it has been asked, and by which of all predictors."""

    name = "counting"
    made: ClassVar[int] = 0

    def __init__(self) -> None:
        type(self).made += 1
        self.index = type(self).made
        self.asked = 0

    def predict(self, call: Call) -> str:
        self.asked += 1
        return f"{self.index}/{self.asked}/{len(call.history)}"


class Stateless(Predictor):
    wants_history: ClassVar[Literal["new", "all"]] = "all"

    def predict(self, call: Call) -> list[str]:
        return list(call.history[-1:])


class Served(unittest.TestCase):
    def setUp(self) -> None:
        Counting.made = 0

    def serve(self, make: Callable[[], Predictor] = Counting, **settings: Any) -> Service:
        service = Service(make, ("127.0.0.1", 0), **settings)
        with mock.patch("sys.stderr"):
            thread = threading.Thread(target=service.run)
            thread.start()
        self.addCleanup(thread.join, PATIENCE_S)
        self.addCleanup(service.close)
        return service

    def post(self, service: Service, *messages: Any, **headers: str) -> Any:
        """The answers to messages, checked."""
        for message in messages:
            check_question(message)
        status, body = self.request(service, json.dumps(messages).encode(), **headers)
        self.assertEqual(status, 200, body)
        answers = json.loads(body)
        for answer in answers:
            check_answer(answer)
        return answers

    def request(self, service: Service, body: bytes, method: str = "POST", **headers: str) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection(service.url.split("/")[2], timeout=PATIENCE_S)
        self.addCleanup(connection.close)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, "/predict", body, named)
        response = connection.getresponse()
        return response.status, response.read()


def of(session: str, *messages: Any) -> list[Any]:
    """The messages of a session."""
    return [{**message, "session": session} for message in messages]


class Sessions(Served):
    def test_a_request_holds_several_messages(self) -> None:
        service = self.serve()
        self.assertEqual([answer["type"] for answer in self.post(service, HELLO)], ["hello"])
        answers = self.post(service, *of("a", BEGIN, observe(0, "A", "B"), predict(3, 2)))
        self.assertEqual(answers[0], {"type": "ready", "id": 2})
        self.assertEqual(answers[1], {"type": "prediction", "id": 3, "actions": ["1/1/2"]})
        self.assertEqual(self.post(service), [])
        self.assertEqual(self.post(service, *of("a", observe(2, "C"))), [])
        self.assertEqual(self.post(service, *of("a", predict(4, 3)))[0]["actions"], ["1/2/3"])

    def test_each_session_has_a_predictor_of_its_own(self) -> None:
        service = self.serve()
        for session, index in (("a", 1), ("b", 2), ("a", 1)):
            messages = of(session, {**BEGIN, "id": 10 + Counting.made}, predict(20 + Counting.made, 0))
            answer = self.post(service, *messages)[1]
            self.assertEqual(answer["actions"][0].split("/")[0], str(index))

    def test_a_request_that_comes_again_has_the_same_answers(self) -> None:
        service = self.serve()
        whole = of("a", BEGIN, observe(0, "A"), predict(3, 1))
        first = self.post(service, *whole)
        self.assertEqual(self.post(service, *whole), first)
        news = of("a", observe(1, "B"), predict(4, 2))
        self.assertEqual([self.post(service, *news) for _ in range(3)], [[self.answered(4, "1/2/2")]] * 3)
        self.assertEqual(self.post(service, *of("a", predict(5, 2))), [self.answered(5, "1/3/2")])

    def test_a_request_that_comes_again_meanwhile_waits_for_the_answer(self) -> None:
        asked, go_on = threading.Event(), threading.Event()

        class Slow(Counting):
            def predict(self, call: Call) -> str:
                asked.set()
                assert go_on.wait(PATIENCE_S)
                return super().predict(call)

        for parallel in (False, True):
            service = self.serve(Slow, parallel=parallel)
            self.post(service, *of("a", BEGIN))
            answers: list[Any] = []

            def ask(service: Service = service, answers: list[Any] = answers) -> None:
                answers.append(self.post(service, *of("a", predict(3, 0))))

            threads = [threading.Thread(target=ask) for _ in range(2)]
            for thread in threads:
                thread.start()
            self.assertTrue(asked.wait(PATIENCE_S))
            go_on.set()
            for thread in threads:
                thread.join(PATIENCE_S)
            self.assertEqual(answers, [[self.answered(3, f"{Slow.made}/1/0")]] * 2)

    def test_predictors_are_asked_one_at_a_time_unless_told_otherwise(self) -> None:
        together = threading.Barrier(2)

        class Meeting(Predictor):
            def predict(self, call: Call) -> str:
                try:
                    together.wait(PATIENCE_S if parallel else 0.1)
                except threading.BrokenBarrierError:
                    together.reset()
                    return "alone"
                return "together"

        for parallel, expect in ((False, "alone"), (True, "together")):
            service = self.serve(Meeting, parallel=parallel)
            answers: list[Any] = []

            def ask(session: str, service: Service = service, answers: list[Any] = answers) -> None:
                answers.extend(self.post(service, *of(session, BEGIN, predict(3, 0)))[1:])

            threads = [threading.Thread(target=ask, args=(session,)) for session in "ab"]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(PATIENCE_S)
            self.assertEqual(answers, [self.answered(3, expect)] * 2)

    def test_of_too_many_sessions_the_one_not_heard_of_for_longest_is_forgotten(self) -> None:
        service = self.serve(sessions_max=2)
        for session in "ab":
            self.post(service, *of(session, BEGIN))
        self.post(service, *of("a", predict(3, 0)))
        self.post(service, *of("c", BEGIN))
        kinds = {session: self.post(service, *of(session, predict(4, 0)))[0].get("kind") for session in "abc"}
        self.assertEqual(kinds, {"a": None, "b": "unknown_session", "c": None})

    def test_an_unknown_session_is_an_error_until_it_begins(self) -> None:
        service = self.serve()
        answers = self.post(service, *of("a", observe(0, "A"), predict(3, 1)))
        self.assertEqual([answer["kind"] for answer in answers], ["unknown_session"])
        answers = self.post(service, *of("a", BEGIN, observe(0, "A"), predict(4, 1)))
        self.assertEqual(answers[1]["type"], "prediction")

    def test_a_session_ends_with_bye(self) -> None:
        service = self.serve()
        self.post(service, *of("a", BEGIN, {"type": "bye"}), {"type": "bye"})
        self.assertEqual(self.post(service, *of("a", predict(3, 0)))[0]["kind"], "unknown_session")
        self.assertEqual(self.post(service, HELLO)[0]["name"], "counting")

    def test_questions_without_a_session_are_errors(self) -> None:
        service = self.serve()
        kinds = [answer["kind"] for answer in self.post(service, BEGIN, predict(3, 0))]
        self.assertEqual(kinds, ["bad_message", "bad_message"])

    def test_no_session_is_needed_where_the_whole_history_comes(self) -> None:
        service = self.serve(Stateless, sessions_max=1)
        for id, session in ((10, "a"), (20, "b"), (30, "a")):
            messages = of(session, {**BEGIN, "id": id}, predict(id + 1, 2, history=["A", f"B{id}"]))
            self.assertEqual(self.post(service, *messages)[1], self.answered(id + 1, f"B{id}"))

    def test_a_predictor_that_cannot_be_made_is_an_error(self) -> None:
        makes = [Counting(), Counting()]
        service = self.serve(makes.pop)
        for session in "ab":
            self.post(service, *of(session, BEGIN))
        with mock.patch("sys.stderr"):
            answer, later = self.post(service, *of("c", BEGIN, predict(3, 0)))
        self.assertEqual(answer["message"], "IndexError in begin: pop from empty list")
        self.assertEqual(later["type"], "error")
        with self.assertRaises(IndexError):
            Service(makes.pop, ("127.0.0.1", 0))

    def answered(self, id: int, action: str) -> Any:
        return {"type": "prediction", "id": id, "actions": [action]}


class Requests(Served):
    def test_a_connection_can_be_used_again(self) -> None:
        service = self.serve()
        connection = http.client.HTTPConnection(service.url.split("/")[2], timeout=PATIENCE_S)
        self.addCleanup(connection.close)
        sockets = set()
        for _ in range(3):
            connection.request("POST", "/", json.dumps([HELLO]))
            response = connection.getresponse()
            self.assertEqual((response.status, response.headers["Content-Type"]), (200, "application/json"))
            self.assertEqual(json.loads(response.read())[0]["type"], "hello")
            sockets.add(connection.sock)
        self.assertEqual(len(sockets), 1)

    def test_what_is_no_request_is_refused(self) -> None:
        service = self.serve()
        for body in (b"", b"{}", b"[1]", b"[{]", b"\xff", b"nonsense", b"[" * 100_000):
            with self.subTest(body=body[:10]), mock.patch("sys.stderr", io.StringIO()) as stderr:
                status, reason = self.request(service, body)
                self.assertEqual((status, stderr.getvalue()), (400, ""))
                self.assertIn(b"a request is ", reason)
        self.assertEqual(self.request(service, b"", "GET")[0], 405)
        self.assertEqual(self.request(service, b"", Content_Length="many")[0], 411)
        self.assertEqual(self.request(service, b"", Content_Length=str(1 << 40))[0], 413)
        self.assertEqual(self.post(service, HELLO)[0]["type"], "hello")

    def test_who_hangs_up_does_no_harm(self) -> None:
        service = self.serve()
        address = service.url.split("/")[2].split(":")
        with socket.create_connection((address[0], int(address[1]))) as connection:
            connection.sendall(b"POST / HTTP/1.1\r\nContent-Length: 100\r\n\r\n[")
        self.assertEqual(self.post(service, HELLO)[0]["type"], "hello")

    def test_any_text_goes_there_and_back(self) -> None:
        service = self.serve(Stateless)
        for id, text in enumerate(("日本語 😀\u2028", "\x00\n", '"\\')):
            messages = of("a", {**BEGIN, "id": 2 * id}, predict(2 * id + 1, 1, history=[text]))
            self.assertEqual(self.post(service, *messages)[1]["actions"], [text])

    def test_a_token_is_asked_for_where_there_is_one(self) -> None:
        service = self.serve(token="söcret")
        for given in ({}, {"Authorization": "Bearer other"}, {"Authorization": "söcret"}):
            self.assertEqual(self.request(service, b"[]", **given)[0], 401)
        encoded = "Bearer söcret".encode().decode("latin-1")
        self.assertEqual(self.post(service, HELLO, Authorization=encoded)[0]["type"], "hello")


def has_ipv6() -> bool:
    """Whether this machine can listen on its own IPv6 address."""
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


class Serving(unittest.TestCase):
    PATHS: ClassVar[dict[str, str]] = {"PYTHONPATH": f"{PACKAGE / 'src'}:{PACKAGE / 'examples'}"}

    def connection(self, program: Program) -> http.client.HTTPConnection:
        """A connection to a program that serves over HTTP, as soon as it does."""
        deadline = time.monotonic() + PATIENCE_S
        while "listening on" not in program.stderr():
            self.assertIsNone(program.process.poll(), program.stderr())
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        host = program.stderr().split("http://")[1].split("/")[0]
        connection = http.client.HTTPConnection(host, timeout=PATIENCE_S)
        self.addCleanup(connection.close)
        return connection

    def check_serving(self, address: str) -> None:
        with Program(["-m", "napsim", "row_below:RowBelow", "--http", address], self.PATHS) as program:
            connection = self.connection(program)
            connection.request("POST", "/", json.dumps(of("a", BEGIN, observe(0, "MERGE | S!A1"), predict(3, 1))))
            answers = json.loads(connection.getresponse().read())
            self.assertEqual(answers[1]["actions"], ["MERGE | S!A2"])

    def test_the_command_line_serves_over_http(self) -> None:
        self.check_serving("127.0.0.1:0")

    @unittest.skipUnless(has_ipv6(), "there is no IPv6")
    def test_the_command_line_serves_over_ipv6(self) -> None:
        self.check_serving("[::1]:0")

    def test_an_address_that_cannot_be_listened_on_is_named(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            for address in (f"127.0.0.1:{taken.getsockname()[1]}", "[::zz]:0", "a..b:0"):
                command = ["-m", "napsim", "row_below:RowBelow", "--http", address]
                with self.subTest(address=address), Program(command, self.PATHS) as program:
                    self.assertEqual(program.end(), 2)
                    expect = rf"\Anapsim: cannot listen on {re.escape(address)}: .+\n\Z"
                    self.assertRegex(program.stderr(), expect)

    def test_a_predictor_may_end_the_service(self) -> None:
        for ending, code in (("sys.exit(7)", 7), ("raise KeyboardInterrupt", 130)):
            lines = (
                "import sys",
                "from napsim import Predictor, serve",
                "class Ending(Predictor):",
                f"    def predict(self, call): {ending}",
                "serve(Ending, http=('127.0.0.1', 0))",
            )
            with self.subTest(ending=ending), Program(["-c", "\n".join(lines)]) as program:
                connection = self.connection(program)
                connection.request("POST", "/", json.dumps(of("a", BEGIN, predict(3, 0))))
                with self.assertRaises(ConnectionError):
                    connection.getresponse()
                self.assertEqual(program.end(), code)
                self.assertIn("in a request ends the program", program.stderr())
                self.assertNotIn("Traceback", program.stderr())

    def test_one_predictor_cannot_serve_several_sessions(self) -> None:
        with self.assertRaisesRegex(TypeError, "serve a class or a function"):
            serve(Counting(), http=("127.0.0.1", 0))

    def test_an_address_in_use_is_an_error(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken, self.assertRaises(OSError):
            serve(Counting, http=taken.getsockname())

    def test_there_is_room_for_one_session_at_least(self) -> None:
        with self.assertRaises(ValueError):
            serve(Counting, http=("127.0.0.1", 0), sessions_max=0)


if __name__ == "__main__":
    unittest.main()
