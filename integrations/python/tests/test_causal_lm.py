"""The example with a language model, tried with a tiny one of random weights."""

from __future__ import annotations

import math
import sys
import tempfile
import unittest
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from napsim.testing import answer
from tests import tiny_llama
from tests.program import BEGIN, HELLO, PACKAGE, Program, observe, predict

try:
    import torch
    import transformers
except ImportError:
    torch = None
    print("SKIPPED: no language model is tried, as PyTorch or transformers is not installed", file=sys.stderr)

HISTORY = ["INPUT | Sheet1!A1 | 1", "INPUT | Sheet1!A2 | 2"]


@unittest.skipIf(torch is None, "PyTorch or transformers is not installed")
class CausalLm(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / "tiny"
        tiny_llama.make(self.folder)

    def predictor(self, **options: Any) -> Any:
        from examples.causal_lm import CausalLm

        given = {"model": str(self.folder), "context": 32, "device": "cpu", "lines": 3, "tokens": 40}
        return CausalLm(**{**given, **options})

    def writing(self, text: str, probability: float = 0.5) -> Any:
        """A predictor whose model writes the text and ends, and gives each token that probability."""
        predictor = self.predictor()
        size = predictor.model.config.vocab_size
        end = predictor.tokenizer.eos_token_id
        tokens = [*predictor.tokenizer(text).input_ids, *[end] * 99]
        others = math.log((1 - probability) / (size - 1))

        def forward(*_: Any, input_ids: Any, **__: Any) -> Any:
            logits = torch.full((1, input_ids.shape[1], size), others)
            logits[0, -1, tokens.pop(0)] = math.log(probability)
            return transformers.modeling_outputs.CausalLMOutputWithPast(logits=logits)

        predictor.model.forward = forward
        return predictor

    def check_lines(self, text: str, max_actions: int | None, expect: Sequence[str], truncated: bool = False) -> None:
        told = answer(self.writing(text), HISTORY, max_actions=max_actions)
        self.assertEqual([suggestion.action for suggestion in told.suggestions], expect)
        self.assertEqual(told.truncated, truncated)
        for suggestion in told.suggestions:
            self.assertAlmostEqual(suggestion.confidence, 0.5, places=5)  # type: ignore[arg-type]

    def test_lines_become_actions(self) -> None:
        self.check_lines("INPUT | A3 | 3\n", 1, ["INPUT | A3 | 3"])
        self.check_lines("\n\nA\nB\nC\nD\n", 2, ["A", "B"])
        self.check_lines("A\nB\nC\nD\n", None, ["A", "B", "C"])
        self.check_lines("A\nB", None, ["A", "B"])
        self.check_lines("", 1, [])
        self.check_lines("Ä 😀\n", 1, ["Ä 😀"])
        self.check_lines("A\n" + "B" * 99, 2, ["A"], truncated=True)

    def test_it_writes_what_is_likeliest(self) -> None:
        predictor = self.predictor()
        told = answer(predictor, HISTORY)
        read = predictor.tokenizer(
            "# action | range | value\n" + "\n".join(HISTORY) + "\n", return_tensors="pt"
        ).input_ids
        written: list[int] = []
        with torch.inference_mode():
            for _ in range(40):
                logits = predictor.model(torch.cat([read, torch.tensor([written], dtype=torch.long)], dim=1)).logits
                written.append(int(logits[0, -1].argmax()))
        assert told.raw is not None
        assert told.usage is not None
        self.assertTrue(predictor.tokenizer.decode(written).startswith(told.raw.rstrip("\ufffd")))
        self.assertEqual(told.usage.input_tokens, read.shape[1])
        self.assertGreater(told.usage.output_tokens, 0)

    def test_a_long_history_is_cut_at_its_beginning(self) -> None:
        told = answer(self.predictor(), [f"INPUT | Sheet1!A{row} | 1" for row in range(1, 100)])
        assert told.usage is not None
        self.assertEqual(told.usage.input_tokens, 256 - 40)

    def test_there_need_not_be_a_history(self) -> None:
        self.assertIsNotNone(answer(self.predictor(), []).raw)

    def test_its_fingerprint_follows_from_weights_and_options(self) -> None:
        told = [self.predictor().fingerprint(), self.predictor(context=8).fingerprint()]
        self.assertEqual(self.predictor().fingerprint(), told[0])
        tiny_llama.make(self.folder, seed=1)
        told.append(self.predictor().fingerprint())
        self.assertEqual(len(set(told)), len(told))

    def test_it_runs_as_a_program(self) -> None:
        path = PACKAGE / "examples" / "causal_lm.py"
        answers = []
        for _ in range(2):
            with Program([path, "--model", self.folder, "--device", "cpu", "--tokens", "16"]) as program:
                hello = program.ask(HELLO)
                self.assertEqual(hello["name"], "causal-lm tiny")
                program.ask(BEGIN)
                program.send(observe(0, *HISTORY))
                answers.append((hello["fingerprint"], program.ask(predict(3, 2, None))))
                self.assertEqual(program.end(), 0)
        self.assertEqual(answers[0], answers[1])


if __name__ == "__main__":
    unittest.main()
