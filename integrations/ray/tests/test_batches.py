"""How units are cut into batches."""

from __future__ import annotations

import pickle
import unittest

from napsim_ray.driver import batches
from napsim_ray.program import Interrupted, NapsimError, Unit
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
