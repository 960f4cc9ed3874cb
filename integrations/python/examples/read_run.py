"""Reads what ``napsim run --out FOLDER`` kept into pandas: one row a call, and one row a trajectory.

python3 read_run.py FOLDER
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

try:
    import pandas as pd
except ImportError as missing:
    print(f"read_run.py needs pandas (pip install pandas): {missing}", file=sys.stderr)
    sys.exit(30)

CALLS = ("prediction", "empty", "error")


def read_run(folder: str | Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The calls and the trajectories of a run.

    A call has ``trajectory``, ``event`` (``prediction``, ``empty`` or ``error``), ``t``, ``user_steps``, and for a
    prediction ``predicted`` (its lines), ``kind`` (of the first one), ``accepted``, every figure as ``metrics.NAME``,
    and ``confidence`` where the predictor tells it. A trajectory has its ``name`` as index, and ``uas``, ``accepted``,
    ``precision`` and so on.
    """
    calls: list[dict[str, Any]] = []
    trajectories: list[dict[str, Any]] = []
    for unit in sorted(Path(folder, "units").glob("*.jsonl")):
        header, *events = read_lines(unit)
        trajectory = header["trajectory"]
        for event in events:
            if event.get("event") in CALLS:
                kind = event["predicted"][0].split(" | ")[0] if "predicted" in event else None
                calls.append({"trajectory": trajectory["name"], "kind": kind, "accepted": None, **event})
            elif event.get("event") == "end":
                trajectories.append({"title": trajectory.get("title"), **event})
    return pd.json_normalize(calls), pd.json_normalize(trajectories).set_index("name")


def read_lines(unit: Path) -> Iterator[dict[str, Any]]:
    with unit.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def main() -> None:
    calls, trajectories = read_run(sys.argv[1])
    print(trajectories[["outcome", "actions", "predictions", "accepted", "uas", "precision"]].to_string())
    predictions = calls[calls["event"] == "prediction"].astype({"accepted": int})
    table = predictions.groupby("kind").agg(predictions=("accepted", "size"), accepted=("accepted", "sum"))
    table["acceptance rate"] = table["accepted"] / table["predictions"]
    print(table.sort_values("predictions", ascending=False).to_string())


if __name__ == "__main__":
    main()
