"""Serving over standard input and output: what goes over the pipes, and what must not."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
from pathlib import Path

from tests.program import BEGIN, BYE, HELLO, PACKAGE, PATIENCE_S, Program, observe, predict
from tests.schema import REPOSITORY

IMPORTS = """\
import os, subprocess, sys
from napsim import Action, Answer, Predictor, PredictorError, Suggestion, serve
"""

PRINTING = """\
class Printing(Predictor):
    def __init__(self):
        print("while it was made")

    def begin(self, trajectory, sheet, seed):
        print("while it began", "Größe \\ud800")
        sys.stdout.flush()

    def observe(self, actions):
        os.write(1, b"from a library\\n")
        subprocess.run(["echo", "from a child"], check=True)
        assert subprocess.run(["cat"], stdout=subprocess.PIPE, check=True).stdout == b""

    def predict(self, call):
        print('{"type":"prediction","id":3,"actions":[]}')
        sys.__stdout__.write("without a line feed")
        return "MERGE | Sheet1!A1:B1"

serve(Printing)
"""

ECHO = """\
class Echo(Predictor):
    name = "écho"

    def predict(self, call):
        return call.history

serve(Echo())
"""


class WithFolder(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)


class Pipes(WithFolder):
    def program(self, code: str, **environment: str) -> Program:
        path = self.folder / "my_predictor.py"
        path.write_text(IMPORTS + textwrap.dedent(code), encoding="utf-8")
        program = Program([path], environment)
        self.addCleanup(program.__exit__)
        return program

    def test_the_documented_conversation_byte_by_byte(self) -> None:
        document = (REPOSITORY / "docs" / "PREDICTOR-PROTOCOL.md").read_text(encoding="utf-8")
        lines = re.findall(r"^([→←]) (\{.*\})$", document, re.MULTILINE)
        self.assertEqual(len(lines), 11)
        program = self.program("""
            class RowBelow(Predictor):
                name = "row-below"

                def fingerprint(self):
                    return "3"

                def predict(self, call):
                    last = call.history[-1]
                    return [Suggestion(last.moved(rows=1), 0.4)] if last.area.left == 1 else []

            serve(RowBelow)
            """)
        for direction, line in lines:
            if direction == "→":
                program.send_bytes(line.encode() + b"\n")
            else:
                self.assertEqual(program.line(), line.encode() + b"\n")
        self.assertEqual((program.end(), program.stderr()), (0, ""))

    def test_what_a_predictor_prints_goes_to_standard_error(self) -> None:
        ascii = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
        for environment in ({"PYTHONUNBUFFERED": ""}, {"PYTHONUNBUFFERED": "1"}, ascii):
            with self.subTest(environment=environment):
                program = self.program(PRINTING, **environment)
                program.ask(HELLO)
                program.ask(BEGIN)
                program.send(observe(0, "A"))
                self.assertEqual(program.ask(predict(3, 1))["actions"], ["MERGE | Sheet1!A1:B1"])
                self.assertEqual(program.end(), 0)
                for printed in (
                    "was made",
                    "it began",
                    "a library",
                    "a child",
                    '"id":3',
                    "a line feed",
                ):
                    self.assertIn(printed, program.stderr())

    def test_what_was_printed_before_and_not_written_yet_goes_there_too(self) -> None:
        program = self.program('print("before it was served")\n' + ECHO, PYTHONUNBUFFERED="")
        self.assertEqual(program.ask(HELLO)["type"], "hello")
        self.assertEqual((program.end(), program.stderr()), (0, "before it was served\n"))

    def test_nobody_else_can_read_the_messages(self) -> None:
        program = self.program("""
            class Reading(Predictor):
                def predict(self, call):
                    return input()

            serve(Reading)
            """)
        program.ask(BEGIN)
        self.assertIn("EOFError", program.ask(predict(3, 0))["message"])
        self.assertEqual(program.ask(predict(4, 0))["kind"], "exception")

    def test_any_text_goes_there_and_back(self) -> None:
        lines = [
            'INPUT | Sheet1!A1 | "日本語 😀 \u2028 \x85"',
            'INPUT | a|b \n c!A1 | "\x00\x1f\x7f"',
            "FORMULA | 'x'!A1 | =\"a | b\" \\ \ufeff",
        ]
        for environment in ({}, {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}):
            program = self.program(ECHO, **environment)
            self.assertEqual(program.ask(HELLO)["name"], "écho")
            program.ask(BEGIN)
            program.send(observe(0, *lines))
            self.assertEqual(program.ask(predict(3, 3, None))["actions"], lines)

    def test_ten_thousand_actions_go_there_and_back(self) -> None:
        program = self.program(ECHO)
        program.ask(BEGIN)
        lines = [f"INPUT | Sheet1!A{row} | {row}" for row in range(1, 10_001)]
        program.send(observe(0, *lines))
        self.assertEqual(program.ask(predict(3, 10_000, None))["actions"], lines)

    def test_lines_that_are_no_messages_are_ignored(self) -> None:
        program = self.program(ECHO)
        program.send_bytes(b'\n  \r\nnonsense\n[1]\n{"type":\n\xff\n' + b"[" * 100_000 + b"\n")
        self.assertEqual(program.ask(HELLO)["type"], "hello")
        self.assertEqual(program.stderr().count("a line that is no message was ignored"), 5)

    def test_it_ends_at_bye_and_at_the_end_of_its_input(self) -> None:
        program = self.program(ECHO)
        program.ask(HELLO)
        program.send(BYE)
        self.assertEqual(program.process.wait(PATIENCE_S), 0)
        program = self.program(ECHO)
        program.ask(HELLO)
        self.assertEqual((program.end(), program.stderr()), (0, ""))

    def test_a_last_line_may_lack_its_line_feed(self) -> None:
        program = self.program(ECHO)
        program.send_bytes(json.dumps(HELLO).encode())
        program.stdin.close()
        self.assertEqual(program.answer()["type"], "hello")
        self.assertEqual(program.end(), 0)

    def test_an_interruption_is_quiet(self) -> None:
        program = self.program(ECHO)
        program.ask(HELLO)
        program.process.send_signal(signal.SIGINT)
        self.assertEqual((program.process.wait(PATIENCE_S), program.stderr()), (0, ""))

    def test_nobody_listening_is_quiet(self) -> None:
        program = self.program(ECHO)
        program.ask(HELLO)
        program.stdout.close()
        program.send(BEGIN)
        self.assertEqual((program.process.wait(PATIENCE_S), program.stderr()), (0, ""))

    def test_a_predictor_that_cannot_be_made_ends_the_program(self) -> None:
        program = self.program("serve(lambda: {}['weights'])")
        self.assertEqual(program.end(), 1)
        self.assertIn("KeyError: 'weights'", program.stderr())

    def test_only_predictors_are_served(self) -> None:
        for code, message in (
            ("serve(7)", "not int"),
            ("serve(dict)", "made a dict"),
            ("class P(Predictor): pass\nserve(P)", "abstract"),
            ("class P(Predictor):\n def predict(self, call): return []\nserve(P(1))", "takes no arguments"),
        ):
            with self.subTest(code=code):
                program = self.program(code)
                self.assertEqual(program.end(), 1)
                self.assertIn(message, program.stderr())

    def test_a_predictor_may_end_the_program(self) -> None:
        for ending, code, message in (
            ("sys.exit(7)", 7, "napsim: SystemExit (7) in predict ends the program\n"),
            ("sys.exit()", 0, "napsim: SystemExit in predict ends the program\n"),
            ("sys.exit('no more')", 1, "napsim: SystemExit (no more) in predict ends the program\nno more\n"),
            ("raise KeyboardInterrupt", 130, "napsim: KeyboardInterrupt in predict ends the program\n"),
        ):
            with self.subTest(ending=ending):
                program = self.program(f"""
                    class Ending(Predictor):
                        def predict(self, call):
                            {ending}

                    serve(Ending)
                    """)
                program.ask(BEGIN)
                program.send(predict(3, 0))
                self.assertEqual((program.line(), program.process.wait(PATIENCE_S)), (b"", code))
                self.assertEqual(program.stderr(), message)

    def test_an_exception_that_cannot_be_shown_is_an_answer(self) -> None:
        program = self.program("""
            class Hidden(Exception):
                def __str__(self):
                    raise KeyError("no text")
                __repr__ = __str__

            class Hiding(Predictor):
                def predict(self, call):
                    if call.call_idx == 0:
                        raise Hidden
                    raise PredictorError(Hidden(), raw=Hidden())

            serve(Hiding)
            """)
        program.ask(BEGIN)
        answer = program.ask(predict(3, 0))
        self.assertEqual(answer["message"], "Hidden in predict: <Hidden that cannot be shown>")
        self.assertEqual(answer["kind"], "exception")
        hidden = "<Hidden that cannot be shown>"
        self.assertEqual(program.ask(predict(4, 0)), {"type": "error", "id": 4, "message": hidden, "raw": hidden})
        self.assertIn("Hidden", program.stderr())
        self.assertEqual(program.end(), 0)

    @unittest.skipUnless(os.name == "posix", "parents can be told on POSIX alone")
    def test_a_predict_that_hangs_does_not_outlive_napsim(self) -> None:
        path = self.folder / "hanging.py"
        hanging = f"""
            import time

            class Hanging(Predictor):
                def predict(self, call):
                    print("hanging", flush=True)
                    time.sleep({10 * PATIENCE_S})

            serve(Hanging)
            """
        path.write_text(IMPORTS + textwrap.dedent(hanging), encoding="utf-8")
        # What is killed is the program between, which has nothing to do with the pipes.
        between = Program(["-c", "import subprocess, sys; subprocess.run([sys.executable, sys.argv[1]])", path])
        self.addCleanup(between.__exit__)
        between.ask(BEGIN)
        between.send(predict(3, 0))
        deadline = time.monotonic() + PATIENCE_S
        while "hanging" not in between.stderr():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        between.process.kill()
        self.assertEqual(between.line(), b"")

    def test_what_follows_on_serving_is_left_alone(self) -> None:
        program = self.program("""
            import threading
            from napsim.pipes import LOOKS_FOR_PARENT_EVERY_S, ending_with_parent

            with ending_with_parent():
                pass
            os.getppid = lambda: -1
            threading.Event().wait(2 * LOOKS_FOR_PARENT_EVERY_S)
            os._exit(7)
            """)
        self.assertEqual(program.end(), 7)


class CommandLine(WithFolder):
    def named(self, *arguments: str) -> Program:
        program = Program(["-m", "napsim", *arguments], {"PYTHONPATH": f"{PACKAGE / 'src'}:{self.folder}"})
        self.addCleanup(program.__exit__)
        return program

    def test_a_class_is_served(self) -> None:
        printing = "print('while it was imported', flush=True)\n"
        (self.folder / "my_predictor.py").write_text(printing + IMPORTS + PRINTING.replace("serve(Printing)", ""))
        program = self.named("my_predictor:Printing")
        self.assertEqual(program.ask(HELLO)["name"], "Printing")
        self.assertEqual(program.end(), 0)
        self.assertIn("while it was imported", program.stderr())

    def test_an_object_is_served(self) -> None:
        (self.folder / "my_predictor.py").write_text(IMPORTS + ECHO.replace("serve(Echo())", "echo = Echo()"))
        self.assertEqual(self.named("my_predictor:echo").ask(HELLO)["name"], "écho")

    def test_what_is_not_there_is_named(self) -> None:
        (self.folder / "my_predictor.py").write_text("x = 7\n")
        (self.folder / "broken.py").write_text("import no_such_module\n")
        for arguments, code, message in (
            (["nowhere:Predictor"], 2, "there is no module 'nowhere' here"),
            (["no.where:Predictor"], 2, "there is no module 'no.where' here"),
            (["my_predictor:Missing"], 2, "module 'my_predictor' has no predictor 'Missing'"),
            (["my_predictor:x"], 2, "module 'my_predictor' has no predictor 'x'"),
            (["broken:x"], 1, "No module named 'no_such_module'"),
            (["my_predictor"], 2, "expected MODULE:NAME"),
            *(
                (["my_predictor:x", "--http", address], 2, "expected HOST:PORT")
                for address in ("8000", "::1:8000", "[]:8000", "[::1]", "[::1:8000", "a:65536", "a:-1", ":8000")
            ),
            ([], 2, "MODULE:NAME"),
        ):
            with self.subTest(arguments=arguments):
                program = self.named(*arguments)
                self.assertEqual(program.end(), code)
                self.assertIn(message, program.stderr())

    def test_the_version_is_that_of_the_workspace(self) -> None:
        command = [sys.executable, "-m", "napsim", "--version"]
        told = subprocess.run(command, env={"PYTHONPATH": str(PACKAGE / "src")}, stdout=subprocess.PIPE, check=True)
        for manifest in (REPOSITORY / "Cargo.toml", PACKAGE / "pyproject.toml"):
            version = re.search(r'^version = "(.*)"$', manifest.read_text(encoding="utf-8"), re.MULTILINE)
            assert version is not None
            self.assertEqual(told.stdout.decode(), f"napsim {version[1]}\n")


if __name__ == "__main__":
    unittest.main()
