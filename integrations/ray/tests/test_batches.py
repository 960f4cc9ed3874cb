"""How units are cut into batches."""

from __future__ import annotations

import pickle
import tempfile
import unittest
from pathlib import Path

from napsim_ray.driver import batches
from napsim_ray.program import Experiment, Interrupted, NapsimError, Unit
from tests import napsim as _  # noqa: F401


class Batches(unittest.TestCase):
    def check(self, actions: list[int], batch_actions: int, expect: list[str]) -> None:
        units = [Unit(str(idx), n) for idx, n in enumerate(actions)]
        self.assertEqual(["".join(batch) for batch in batches(units, batch_actions)], expect)

    def test_batches_are_full_or_last(self) -> None:
        self.check([50, 50, 50, 120, 10, 10], 100, ["01", "23", "45"])
        self.check([50, 50], 100, ["01"])
        self.check([1, 1, 1], 0, ["0", "1", "2"])
        self.check([1, 1, 1], 100, ["012"])
        self.check([], 100, [])


class Errors(unittest.TestCase):
    def test_errors_come_back_from_workers_as_they_are(self) -> None:
        for error in (NapsimError(2, "bad input"), Interrupted(30, "disk full")):
            back = pickle.loads(pickle.dumps(error))
            self.assertEqual((type(back), back.code, str(back)), (type(error), error.code, error.message))


class Plan(unittest.TestCase):
    def test_done_units_are_left_out_and_shared_ones_come_once(self) -> None:
        lines = [
            '{"unit": "b", "variant": "x", "trajectory": "t", "seed": 0, "actions": 7, "state": "missing"}',
            '{"unit": "a", "variant": "x", "trajectory": "u", "seed": 0, "actions": 8, "state": "done"}',
            '{"unit": "c", "variant": "x", "trajectory": "v", "seed": 0, "actions": 9, "state": "failed"}',
            '{"unit": "b", "variant": "y", "trajectory": "t", "seed": 0, "actions": 7, "state": "missing"}',
        ]
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder, "napsim")
            program.write_text("#!/bin/sh\ncat <<'END'\n" + "\n".join(lines) + "\nEND\n")
            program.chmod(0o755)
            planned = Experiment("e.toml", "store", napsim=str(program)).plan()
        self.assertEqual(planned, [Unit("b", 7), Unit("c", 9)])
