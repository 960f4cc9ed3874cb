"""Reads what ``napsim run --out FOLDER`` kept into pandas: one row a call, and one row a trajectory.

python3 read_run.py FOLDER
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

try:
    import pandas as pd
except ImportError as missing:
    print(f"read_run.py needs pandas (pip install pandas): {missing}", file=sys.stderr)
    sys.exit(30)

CALLS = ("prediction", "empty", "error")

BAD_INPUT = 2
"""Exit code where what was asked for makes no sense."""


class NoRun(Exception):
    """A folder holds no run, or one that has not come far enough."""


def read_run(folder: str | Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The calls and the trajectories of a run.

    A call has ``trajectory``, ``event`` (``prediction``, ``empty`` or ``error``), ``t``, ``user_steps``, and for a
    prediction ``predicted`` (its lines), ``kind`` (of the first one), ``accepted``, every figure as ``metrics.NAME``,
    and ``confidence`` where the predictor tells it. A trajectory has its ``name`` as index, and ``uas``, ``accepted``,
    ``precision`` and so on.

    :raises NoRun: if the folder holds no run, or no trajectory has come to its end yet.
    """
    calls: list[dict[str, Any]] = []
    trajectories: list[dict[str, Any]] = []
    units = sorted(Path(folder, "units").glob("*.jsonl"))
    if not units:
        raise NoRun(f"{folder} is not what napsim run --out FOLDER has kept: there is no units/*.jsonl in it")
    for unit in units:
        trajectory, events = read_unit(unit)
        for event in events:
            if event.get("event") in CALLS:
                kind = event["predicted"][0].split(" | ")[0] if "predicted" in event else None
                calls.append({"trajectory": trajectory["name"], "kind": kind, "accepted": None, **event})
            elif event.get("event") == "end":
                trajectories.append({"title": trajectory.get("title"), **event})
    if not trajectories:
        raise NoRun(f"no trajectory in {folder} has come to its end yet")
    return pd.json_normalize(calls), pd.json_normalize(trajectories).set_index("name")


def read_unit(unit: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What a file tells: its trajectory, and the events."""
    try:
        with unit.open(encoding="utf-8") as lines:
            header, *events = map(json.loads, lines)
        return header["trajectory"], events
    except (ValueError, LookupError, TypeError) as reason:
        raise NoRun(f"{unit} is not what napsim run has kept: {reason!r}") from None


def main(arguments: Sequence[str]) -> int:
    try:
        if len(arguments) != 1:
            raise NoRun("expected one folder: python3 read_run.py FOLDER")
        calls, trajectories = read_run(arguments[0])
    except NoRun as reason:
        print(f"read_run.py: {reason}", file=sys.stderr)
        return BAD_INPUT
    print_run(calls, trajectories)
    return 0


def print_run(calls: pd.DataFrame, trajectories: pd.DataFrame) -> None:
    print(trajectories[["outcome", "actions", "predictions", "accepted", "uas", "precision"]].to_string())
    if calls.empty:
        return
    predictions = calls[calls["event"] == "prediction"].astype({"accepted": int})
    table = predictions.groupby("kind").agg(predictions=("accepted", "size"), accepted=("accepted", "sum"))
    table["acceptance rate"] = table["accepted"] / table["predictions"]
    print(table.sort_values("predictions", ascending=False).to_string())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
