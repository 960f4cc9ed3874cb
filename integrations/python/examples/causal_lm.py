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

HEAD = "What a user does in a spreadsheet, one action a line:\n"


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
        suggestions: list[Suggestion] = []
        written: list[int] = []
        begun: list[int] = []  # the tokens of the line under way, and the logarithms of their probabilities
        logs: list[float] = []
        ended = False
        for token, log in self.greedy(read.to(self.device)):
            ended = token in self.end_tokens()
            if not ended:
                written.append(token)
                begun.append(token)
                logs.append(log)
            line, line_break, _ = self.tokenizer.decode(begun).lstrip("\n").partition("\n")
            if line and (line_break or ended):
                suggestions.append(Suggestion(line, math.exp(sum(logs) / len(logs))))
            if line and line_break:
                begun, logs = [], []
            if ended or len(suggestions) == lines_max:
                break
        return Answer(
            suggestions,
            usage=Usage(input_tokens=read.shape[1], output_tokens=len(written)),
            raw=self.tokenizer.decode(written),
            truncated=not ended and len(suggestions) < lines_max,
        )

    def greedy(self, read: Any) -> Any:
        """The most likely tokens, one after the other, with the logarithms of their probabilities."""
        cache = None
        with torch.inference_mode():
            for _ in range(self.tokens_max):
                output = self.model(read, past_key_values=cache, use_cache=True)
                cache = output.past_key_values
                logs = output.logits[0, -1].float().log_softmax(-1)
                token = int(logs.argmax())
                yield token, float(logs[token])
                read = torch.tensor([[token]], device=self.device)

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
