"""Holds messages against the schema of the protocol, where ``jsonschema`` is there to do so."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[3]
SCHEMA = REPOSITORY / "docs" / "schemas" / "napsim-predictor-1.schema.json"

try:
    import jsonschema
except ImportError:
    jsonschema = None
    print("SKIPPED: no message is held against the schema, as jsonschema is not installed", file=sys.stderr)


def _validator(name: str) -> Any:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": schema["$defs"]})


_VALIDATORS = {} if jsonschema is None else {name: _validator(name) for name in ("toPredictor", "fromPredictor")}


def check_question(message: Any) -> None:
    """Fails where napsim would not send this."""
    _check("toPredictor", message)


def check_answer(message: Any) -> None:
    """Fails where a predictor may not answer this."""
    _check("fromPredictor", message)


def _check(name: str, message: Any) -> None:
    if name in _VALIDATORS:
        _VALIDATORS[name].validate(message)
