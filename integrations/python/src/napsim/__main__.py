"""``python -m napsim MODULE:NAME`` serves a predictor that a module defines."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import re
import sys
from collections.abc import Callable, Sequence

from napsim.predictor import Predictor
from napsim.service import CannotListen
from napsim.serving import serve
from napsim.version import __version__

BAD_INPUT = 2
"""Exit code where what was asked for makes no sense."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Serves what the arguments say; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m napsim", description="Serve a predictor to napsim, by default on standard input and output."
    )
    parser.add_argument("predictor", metavar="MODULE:NAME", type=_named)
    parser.add_argument("--http", metavar="HOST:PORT", type=_address, help="serve over HTTP instead")
    parser.add_argument("--parallel", action="store_true", help="ask predictors at the same time, over HTTP")
    parser.add_argument("--version", action="version", version=f"napsim {__version__}")
    options = parser.parse_args(arguments)
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    module, name = options.predictor
    loaded: list[Predictor | Callable[[], Predictor]] = []

    def make() -> Predictor:
        # Within serve, so that a module may print what it likes.
        if not loaded:
            loaded.append(_load(module, name))
        predictor = loaded[0]
        return predictor if isinstance(predictor, Predictor) else predictor()

    try:
        serve(make, http=options.http, parallel=options.parallel)
    except (_NotThere, CannotListen) as reason:
        print(f"napsim: {reason}", file=sys.stderr)
        return BAD_INPUT
    return 0


class _NotThere(Exception):
    """There is no such predictor."""


def _load(module: str, name: str) -> Predictor | Callable[[], Predictor]:
    try:
        found = importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        found = False
    if not found:
        raise _NotThere(f"there is no module {module!r} here")
    loaded = getattr(importlib.import_module(module), name, None)
    if isinstance(loaded, Predictor) or callable(loaded):
        return loaded
    raise _NotThere(f"module {module!r} has no predictor {name!r}")


def _named(text: str) -> tuple[str, str]:
    module, colon, name = text.partition(":")
    if not (module and colon and name):
        raise argparse.ArgumentTypeError(f"expected MODULE:NAME, such as my_predictor:MyPredictor, not {text!r}")
    return module, name


def _address(text: str) -> tuple[str, int]:
    found = re.fullmatch(r"(?:\[([^\[\]]*:[^\[\]]*)\]|([^:\[\]]+)):([0-9]{1,5})", text)
    if found is None or int(found[3]) >= 1 << 16:
        raise argparse.ArgumentTypeError(f"expected HOST:PORT, such as 127.0.0.1:8000 or [::1]:8000, not {text!r}")
    return found[1] or found[2], int(found[3])


if __name__ == "__main__":
    sys.exit(main())
