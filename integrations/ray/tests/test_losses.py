"""Sweeps that lose workers, a machine, or their driver."""

from __future__ import annotations

import logging
import os
import random
import signal
import subprocess
from typing import Any

import ray
from ray.cluster_utils import Cluster

from napsim_ray import Experiment, Progress, sweep
from tests.napsim import NAPSIM, Measured, descendants, is_alive, modified, wait_for

N_KILLED = int(os.environ.get("NAPSIM_RAY_KILLED", "10"))
"""How many workers are killed."""


class Losses(Measured):
    def test_workers_that_are_killed_change_nothing(self) -> None:
        chance = random.Random(0)
        n_killed = 0
        n_stores = 0
        root = self.store
        while n_killed < N_KILLED:
            self.store = root.with_name(f"store-{n_stores}")
            n_stores += 1
            # Ray tries a batch again as often as need be: chance may hit the same one many times.
            process = self.driver("--retries", "-1", "--batch-actions", "1000")
            while n_killed < N_KILLED and (pid := self.worker_at_work(process, chance)):
                os.kill(pid, signal.SIGKILL)
                n_killed += 1
            self.check_driver(process)
            self.check_same()

    def worker_at_work(self, process: subprocess.Popen[str], chance: random.Random) -> int | None:
        """A worker that is measuring something, after a number of glances that chance decides; none at the end."""
        n_glances = chance.randrange(1, 20)
        while process.poll() is None:
            at_work = [pid for pid, name in descendants(process.pid) if name.startswith("ray::measure")]
            n_glances -= bool(at_work)
            if at_work and n_glances <= 0:
                return chance.choice(at_work)
        return None

    def test_a_machine_that_is_removed_changes_nothing(self) -> None:
        small: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 100 << 20}
        cluster = Cluster(initialize_head=True, head_node_args={**small, "include_dashboard": False})
        self.addCleanup(cluster.shutdown)
        node = cluster.add_node(**small)
        ray.init(address=cluster.address, log_to_driver=False, logging_level=logging.ERROR)
        self.addCleanup(ray.shutdown)
        removed: list[int] = []

        def remove(progress: Progress) -> None:
            if not removed:
                removed.append(progress.units)
                cluster.remove_node(node, allow_graceful=False)

        experiment = Experiment(str(self.file), str(self.store), napsim=NAPSIM)
        self.assertTrue(sweep(experiment, batch_actions=2000, retries=-1, on_progress=remove))
        self.assertLess(removed[0], len(self.alone), "it was removed before the end")
        self.check_same()

    def test_a_driver_that_is_killed_is_gone_on_with(self) -> None:
        process = self.driver()
        wait_for(lambda: len(modified(self.store)) >= 5)
        started = [pid for pid, _ in descendants(process.pid)]
        process.kill()
        process.communicate()
        wait_for(lambda: not any(map(is_alive, started)))
        done = modified(self.store)
        self.assertLess(len(done), len(self.alone))
        _, stderr = self.check_driver(self.driver())
        self.assertIn(f" of {len(self.alone) - len(done)} units", stderr)
        self.check_same()
        self.assertEqual({path: at for path, at in modified(self.store).items() if path in done}, done)
