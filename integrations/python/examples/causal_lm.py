"""A causal language model of transformers, which goes on with the lines of the history.

    napsim run --predictor 'exec:python3 causal_lm.py --model HuggingFaceTB/SmolLM2-135M'

Decoding is greedy. The confidence of a line is the geometric mean of the probabilities of its tokens.
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path
from typing import Any

from napsim import Answer, Call, Predictor, Suggestion, Usage, fingerprint_of, serve

try:
    import torch
    import transformers
except ImportError as missing:
    print(f"causal_lm.py needs PyTorch and transformers (pip install torch transformers): {missing}", file=sys.stderr)
    sys.exit(30)

HEAD = "# action | range | value\n"
"""What the text begins with: a hint at the notation, and something to go on from where there is no history yet."""


class CausalLm(Predictor):
    def __init__(self, model: str, context: int, device: str, lines: int, tokens: int) -> None:
        self.name = f"causal-lm {Path(model).name}"[:200]
        self.context, self.device, self.lines_max, self.tokens_max = context, device, lines, tokens
        self.weights = Path(model) if Path(model).is_dir() else model
        self.tokenizer: Any = transformers.AutoTokenizer.from_pretrained(model)
        self.model: Any = transformers.AutoModelForCausalLM.from_pretrained(model).to(device).eval()
        self.positions = int(getattr(self.model.config, "max_position_embeddings", 2048))

    def fingerprint(self) -> str:
        libraries = [torch.__version__, transformers.__version__, self.device]
        limits = [self.context, self.lines_max, self.tokens_max]
        return fingerprint_of(Path(__file__), self.weights, limits, [str(library) for library in libraries])

    def predict(self, call: Call) -> Answer:
        lines_max = self.lines_max if call.max_actions is None else min(call.max_actions, self.lines_max)
        text = HEAD + "".join(f"{action}\n" for action in call.history[-self.context :])
        # What does not fit is left out from the beginning, since the latest actions count most.
        read = self.tokenizer(text, return_tensors="pt").input_ids[:, self.tokens_max - self.positions :]
        n_read = read.shape[1]
        output = self.model.generate(
            read.to(self.device),
            attention_mask=torch.ones_like(read, device=self.device),
            do_sample=False,
            max_new_tokens=self.tokens_max,
            pad_token_id=self.tokenizer.eos_token_id,
            stopping_criteria=[lambda tokens, _: self.has_lines(tokens[0, n_read:], lines_max)],
            output_logits=True,
            return_dict_in_generate=True,
        )
        written = output.sequences[0, n_read:].tolist()
        logs = [float(logits[0].float().log_softmax(-1)[token]) for token, logits in zip(written, output.logits)]
        ended = written[-1] in self.end_tokens()
        suggestions = self.lines(written, logs)[:lines_max]
        return Answer(
            suggestions,
            usage=Usage(input_tokens=n_read, output_tokens=len(written)),
            raw=self.tokenizer.decode(written),
            truncated=not ended and len(suggestions) < lines_max,
        )

    def has_lines(self, tokens: Any, n_lines: int) -> Any:
        """Whether so many lines have been written to their ends."""
        whole_lines = self.tokenizer.decode(tokens).split("\n")[:-1]
        return torch.tensor([sum(map(bool, whole_lines)) >= n_lines], device=self.device)

    def lines(self, written: list[int], logs: list[float]) -> list[Suggestion]:
        """The lines that are whole, with the geometric means of the probabilities of their tokens."""
        lines = []
        start = 0
        for end, token in enumerate(written, 1):
            is_end = token in self.end_tokens()
            line, line_break, _ = self.tokenizer.decode(written[start : end - is_end]).lstrip("\n").partition("\n")
            if line and (line_break or is_end):
                lines.append(Suggestion(line, math.exp(sum(logs[start:end]) / (end - start))))
                start = end
        return lines

    def end_tokens(self) -> list[int]:
        told = self.model.generation_config.eos_token_id
        return told if isinstance(told, list) else [told]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="a folder, or a name on the Hugging Face hub")
    parser.add_argument("--context", type=int, default=32, help="actions of the history that the model reads")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--lines", type=int, default=5, help="most lines of an answer where napsim has no limit")
    parser.add_argument("--tokens", type=int, default=128, help="most tokens of an answer")
    # Made by serve, so that nothing that loading prints gets between the messages.
    options = vars(parser.parse_args())
    serve(lambda: CausalLm(**options))


if __name__ == "__main__":
    main()
