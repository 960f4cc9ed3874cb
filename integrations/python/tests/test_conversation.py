"""What a predictor is asked and what is answered, without any pipes."""

from __future__ import annotations

import contextlib
import io
import json
import unittest
from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from typing import Any, ClassVar, Literal

from napsim import Action, Answer, Call, Predictor, PredictorError, Suggestion, Usage
from napsim.answer import Suggestions
from napsim.conversation import Conversation
from napsim.messages import encode
from tests.program import BEGIN, HELLO, observe, predict
from tests.schema import check_answer

Reply = Callable[[Call], Any]


class Recorder(Predictor):
    """Answers as it is told to, and remembers what it was told."""

    name = "recorder"

    def __init__(self, reply: Reply | None = None) -> None:
        self.reply = reply or (lambda call: [])
        self.told: list[Any] = []

    def begin(self, trajectory: str, sheet: str, seed: int) -> None:
        self.told.append(("begin", trajectory, sheet, seed))

    def observe(self, actions: Sequence[Action]) -> None:
        self.told.append(("observe", *actions))

    def predict(self, call: Call) -> Answer | Suggestions:
        self.told.append(call)
        answer: Answer | Suggestions = self.reply(call)
        return answer

    def withdrawn(self) -> None:
        self.told.append("withdrawn")

    def refused(self, actions: Sequence[Action]) -> None:
        self.told.append(("refused", *actions))


class Curious(Recorder):
    wants_history: ClassVar[Literal["new", "all"]] = "all"
    wants_workbook = True
    wants_feedback = True


class Talk:
    """A conversation whose answers are checked; nothing is printed."""

    def __init__(self, predictor: Predictor) -> None:
        self.conversation = Conversation(predictor)
        self.stderr = io.StringIO()

    def __call__(self, *messages: Any) -> dict[str, Any]:
        """The answer to the last message."""
        answer = None
        for message in messages:
            with contextlib.redirect_stderr(self.stderr):
                answer = self.conversation.receive(json.loads(json.dumps(message)))
        if answer is None:
            return {}
        told: dict[str, Any] = json.loads(encode(answer))
        check_answer(told)
        return told


def always(reply: Any) -> Reply:
    return lambda call: reply


def answer_to(reply: Reply, max_actions: int | None = 1) -> dict[str, Any]:
    """What is answered where a predictor replies so to its first question."""
    return Talk(Recorder(reply))(BEGIN, observe(0, "INPUT | Sheet1!A1 | 1"), predict(3, 1, max_actions))


class Telling(unittest.TestCase):
    def test_a_predictor_is_told_everything_once(self) -> None:
        predictor = Recorder()
        talk = Talk(predictor)
        one, two, three = (Action(f"INPUT | Sheet1!A{row} | 1") for row in (1, 2, 3))
        self.assertEqual(talk({**BEGIN, "seed": 2**64 - 1}), {"type": "ready", "id": 2})
        talk(observe(0, one), predict(3, 1), observe(1, two), observe(2, three), predict(4, 3, None))
        calls = [told for told in predictor.told if isinstance(told, Call)]
        self.assertEqual(
            [told for told in predictor.told if not isinstance(told, Call)],
            [("begin", "bakery", "Sheet1", 2**64 - 1), ("observe", one), ("observe", two), ("observe", three)],
        )
        self.assertEqual(calls[0], Call((one,), max_actions=1, user_steps=1, call_idx=0))
        self.assertEqual(calls[1], Call((one, two, three), max_actions=None, user_steps=3, call_idx=1))
        self.assertTrue(all(isinstance(action, Action) for action in calls[1].history))

    def test_a_history_may_be_empty(self) -> None:
        predictor = Recorder()
        self.assertEqual(Talk(predictor)(BEGIN, predict(3, 0)), {"type": "prediction", "id": 3, "actions": []})
        self.assertEqual(predictor.told[-1].history, ())

    def test_a_new_trajectory_begins_without_history(self) -> None:
        predictor = Recorder()
        talk = Talk(predictor)
        talk(BEGIN, observe(0, "A", "B"), predict(3, 2), {**BEGIN, "id": 4}, observe(0, "C"), predict(5, 1))
        self.assertEqual(predictor.told[-1].history, ("C",))

    def test_what_was_told_before_is_not_told_again(self) -> None:
        predictor = Recorder()
        answer = Talk(predictor)(BEGIN, observe(0, "A", "B"), observe(1, "B", "C"), observe(0, "A"), predict(3, 3))
        self.assertEqual(answer["type"], "prediction")
        self.assertEqual(predictor.told[1:3], [("observe", "A", "B"), ("observe", "C")])
        self.assertEqual(len(predictor.told), 4)

    def test_a_gap_in_the_history_is_an_error_until_the_next_trajectory(self) -> None:
        for told in (observe(2, "C"), observe(0, "other"), observe(0, "A", "other")):
            with self.subTest(told=told):
                talk = Talk(Recorder())
                answer = talk(BEGIN, observe(0, "A"), told, predict(3, 3))
                self.assertEqual((answer["kind"], answer["fatal"]), ("history_gap", True))
                self.assertEqual(talk(predict(4, 1))["kind"], "history_gap")
                self.assertEqual(talk({**BEGIN, "id": 5})["type"], "ready")
                self.assertEqual(talk(predict(6, 0))["type"], "prediction")

    def test_a_history_of_another_length_is_an_error(self) -> None:
        answer = Talk(Recorder())(BEGIN, observe(0, "A"), predict(3, 2))
        self.assertEqual(answer["message"], "the history has 2 actions, of which 1 were told")

    def test_a_predictor_may_want_more(self) -> None:
        predictor = Curious()
        talk = Talk(predictor)
        wants = {"history": "all", "workbook": True, "feedback": True}
        self.assertEqual(talk(HELLO)["wants"], wants)
        workbook = {"worksheets": {"Sheet1": {"cells": {"A1": {"value": 1}}}}}
        talk(BEGIN, predict(3, 2, history=["A", "B"], workbook=workbook))
        self.assertEqual(predictor.told[-1].history, ("A", "B"))
        self.assertEqual(predictor.told[-1].workbook, workbook)
        talk({"type": "withdrawn"}, {"type": "refused", "actions": ["A"]})
        self.assertEqual(predictor.told[-2:], ["withdrawn", ("refused", "A")])
        self.assertNotIn("observe", [told[0] for told in predictor.told if isinstance(told, tuple)])

    def test_a_predictor_that_wants_nothing_is_not_told(self) -> None:
        predictor = Recorder()
        talk = Talk(predictor)
        self.assertNotIn("wants", talk(HELLO))
        talk(BEGIN, {"type": "withdrawn"}, {"type": "refused", "actions": ["A"]}, predict(3, 0, workbook={}))
        self.assertIsNone(predictor.told[-1].workbook)
        self.assertEqual(len(predictor.told), 2)


class Answering(unittest.TestCase):
    def test_every_form_of_an_answer_is_sent(self) -> None:
        line = Action("INPUT | Sheet1!A2 | 1")
        sure = Suggestion(line, 0.25)
        for reply, actions in (
            ([], []),
            ((), []),
            (line, [line]),
            (sure, [{"action": line, "confidence": 0.25}]),
            ([line, "text", sure, Suggestion("text")], [line, "text", {"action": line, "confidence": 0.25}, "text"]),
            (iter([line, line]), [line, line]),
            (Answer(), []),
            (Answer(line), [line]),
            (Answer([sure]), [{"action": line, "confidence": 0.25}]),
        ):
            with self.subTest(reply=reply):
                expect = {"type": "prediction", "id": 3, "actions": actions}
                self.assertEqual(answer_to(always(reply), None), expect)

    def test_an_answer_tells_more_than_actions(self) -> None:
        answer = Answer((), usage=Usage(12, 3), raw="r", intent="i", truncated=True)
        self.assertEqual(
            answer_to(lambda call: answer),
            {
                "type": "prediction",
                "id": 3,
                "actions": [],
                "usage": {"input_tokens": 12, "output_tokens": 3},
                "raw": "r",
                "intent": "i",
                "truncated": True,
            },
        )

    def test_what_is_no_answer_is_an_error(self) -> None:
        for reply in (None, 7, [7], [None], b"INPUT", {}, [("INPUT", 0.5)], Answer(raw=7)):  # type: ignore[var-annotated, arg-type]
            with self.subTest(reply=reply):
                answer = answer_to(always(reply))
                self.assertEqual((answer["type"], answer["kind"]), ("error", "exception"))
                self.assertIn("TypeError in predict", answer["message"])

    def test_a_confidence_is_a_probability(self) -> None:
        for wrong in (-0.1, 1.1, float("nan"), float("inf")):
            with self.assertRaises(ValueError):
                Suggestion("", wrong)
        self.assertEqual(Suggestion("", 1 + 1e-9).confidence, 1.0)
        self.assertEqual(Suggestion("", -1e-9).confidence, 0.0)
        with self.assertRaises(TypeError):
            Suggestion(7)  # type: ignore[arg-type]

    def test_ten_thousand_actions_are_many_enough(self) -> None:
        self.assertEqual(len(answer_to(lambda call: ["A"] * 10_000)["actions"]), 10_000)
        for reply in (lambda call: ["A"] * 10_001, lambda call: repeat("A")):
            self.assertEqual(answer_to(reply)["kind"], "too_many_actions")

    def test_an_answer_of_sixteen_mebibytes_is_too_long(self) -> None:
        self.assertEqual(answer_to(lambda call: Answer(raw="x" * (16 << 20)))["kind"], "too_long")
        self.assertEqual(answer_to(lambda call: Answer(raw="x" * ((16 << 20) - 1000)))["type"], "prediction")

    def test_texts_are_sent_as_they_are(self) -> None:
        for text in ("\x00", "line\nline\r\n", "日本語 😀", "\u2028", '"\\', "\ufeff"):
            self.assertEqual(answer_to(always(text))["actions"], [text])

    def test_what_is_no_character_is_replaced(self) -> None:
        for text, sent in (("a\ud800b", "a\ufffdb"), ("\udc80", "\ufffd"), ("\ud83d\ude00", "😀")):
            self.assertEqual(answer_to(always(text))["actions"], [sent])

    def test_a_name_or_fingerprint_that_cannot_be_sent_is_an_error(self) -> None:
        class Nameless(Recorder):
            name = ""

        class Talkative(Recorder):
            name = "x" * 201

        class Odd(Recorder):
            def fingerprint(self) -> str:
                return ""

        self.assertEqual(Talk(Nameless())(HELLO)["name"], "Nameless")
        for predictor in (Talkative(), Odd()):
            self.assertEqual(Talk(predictor)(HELLO)["type"], "error")


class Failing(unittest.TestCase):
    def test_an_exception_is_reported_and_the_predictor_asked_again(self) -> None:
        def fails_first(call: Call) -> list[str]:
            if call.call_idx == 0:
                raise LookupError("no such thing")
            return ["A"]

        talk = Talk(Recorder(fails_first))
        answer = talk(BEGIN, predict(3, 0))
        self.assertEqual(
            answer,
            {"type": "error", "id": 3, "message": "LookupError in predict: no such thing", "kind": "exception"},
        )
        self.assertIn("Traceback", talk.stderr.getvalue())
        self.assertIn("fails_first", talk.stderr.getvalue())
        self.assertEqual(talk(predict(4, 0))["actions"], ["A"])

    def test_an_exception_within_a_generator_is_reported(self) -> None:
        def generator(call: Call) -> Iterator[str]:
            yield "A"
            raise LookupError

        self.assertEqual(answer_to(generator)["kind"], "exception")

    def test_a_failure_can_be_told_in_ones_own_words(self) -> None:
        def refuses(call: Call) -> list[str]:
            raise PredictorError("not today", kind="refusal", fatal=True, raw="As a model")

        expect = {"message": "not today", "kind": "refusal", "fatal": True, "raw": "As a model"}
        self.assertEqual(answer_to(refuses), {"type": "error", "id": 3, **expect})
        for kind in ("Refusal", "", "x" * 41, "a/b", "a\n"):
            with self.assertRaises(ValueError):
                PredictorError("", kind=kind)

    def test_after_a_failure_to_begin_the_trajectory_is_lost(self) -> None:
        class Late(Recorder):
            def begin(self, trajectory: str, sheet: str, seed: int) -> None:
                if trajectory == "bakery":
                    raise LookupError("no bakery")

        talk = Talk(Late())
        answer = talk(BEGIN)
        self.assertEqual((answer["kind"], answer["fatal"]), ("exception", True))
        self.assertEqual(talk(observe(0, "A"), predict(3, 1))["message"], "LookupError in begin: no bakery")
        self.assertEqual(talk({**BEGIN, "id": 4, "trajectory": "dairy"}, predict(5, 0))["type"], "prediction")

    def test_after_a_failure_to_observe_the_trajectory_is_lost(self) -> None:
        class Deaf(Recorder):
            def observe(self, actions: Sequence[Action]) -> None:
                raise PredictorError("out of memory", kind="memory")

        talk = Talk(Deaf())
        talk(BEGIN, observe(0, "A"))
        for id in (3, 4):
            answer = talk(predict(id, 1))
            self.assertEqual((answer["kind"], answer["fatal"]), ("memory", True))

    def test_a_question_before_the_beginning_is_an_error(self) -> None:
        self.assertEqual(Talk(Recorder())(predict(3, 0))["kind"], "not_begun")

    def test_unknown_questions_have_an_answer_and_unknown_notices_none(self) -> None:
        talk = Talk(Recorder())
        self.assertEqual(talk({"type": "dance", "id": 9})["kind"], "unknown_question")
        self.assertEqual(talk({"id": 9})["kind"], "unknown_question")
        self.assertEqual(talk({"type": "dance"}), {})
        self.assertEqual(talk(BEGIN, {"type": "dance"}, {**predict(3, 0), "dance": 1})["type"], "prediction")

    def test_a_question_without_its_fields_is_an_error(self) -> None:
        for question in (
            {"type": "begin", "id": 2},
            {**predict(3, 0), "n_history": True},
            {**predict(3, 0), "call_idx": "1"},
        ):
            talk = Talk(Recorder())
            talk(BEGIN)
            self.assertEqual(talk(question)["kind"], "bad_message")

    def test_another_protocol_is_refused(self) -> None:
        answer = Talk(Recorder())({**HELLO, "protocol": "napsim-predictor/2"})
        self.assertEqual((answer["type"], answer["kind"]), ("error", "other_protocol"))


if __name__ == "__main__":
    unittest.main()
