"""The driver: cuts the units of an experiment into batches, and has Ray measure each of them."""

from __future__ import annotations

import logging
import os
import signal
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Callable

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import ray
from ray.exceptions import RayError, RayTaskError

from napsim_ray.program import ENVIRONMENT, Experiment, Interrupted, NapsimError, Unit

BATCH_ACTIONS_MAX = 100_000
"""Most actions of a batch, unless another number is given. What a lost worker has not kept has to be measured again."""

BATCHES_PER_CPU = 8
"""How many batches a processor gets where there is little to do, so that none waits long for the last one."""

IN_FLIGHT_PER_CPU = 3
"""How many batches are handed to Ray a processor. The rest waits here, where it takes next to no memory."""

Files = dict[str, bytes]
"""The files of a store by their paths in it."""


@dataclass(frozen=True)
class Progress:
    """How far a sweep has come."""

    units: int
    """Units of finished batches."""
    total: int
    """Units that were not done at the beginning."""


@dataclass(frozen=True)
class Done:
    """What became of a batch."""

    units: int
    all_measured: bool
    files: Files | None = None


def measure(experiment: Experiment, units: Sequence[str], jobs: int) -> Done:
    """The task of a worker that shares the disk with the driver."""
    return Done(len(units), experiment.measure(units, jobs))


def measure_apart(experiment: Experiment, text: bytes, units: Sequence[str], jobs: int) -> Done:
    """The task of a worker on a machine of its own: the experiment comes with it, and the results are handed back."""
    with tempfile.TemporaryDirectory(prefix="napsim-ray-") as folder:
        # By its own name, which an experiment may be called by.
        file, store = Path(folder, Path(experiment.file).name), Path(folder, "store")
        file.write_bytes(text)
        all_measured = replace(experiment, file=str(file), store=str(store), folder=None).measure(units, jobs)
        paths = (path for path in store.rglob("*") if path.is_file())
        files = {path.relative_to(store).as_posix(): path.read_bytes() for path in paths}
        return Done(len(units), all_measured, files)


def sweep(
    experiment: Experiment,
    *,
    batch_actions: int | None = None,
    num_cpus: int = 1,
    retries: int = 3,
    shared_disk: bool = True,
    address: str = "local",
    workers: int | None = None,
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> bool:
    """Measures what is missing of an experiment; says whether all of it could be.

    A batch takes `num_cpus` processors, and is tried again `retries` times (-1: always) when its worker is lost or the
    machine stands in its way. Unless Ray is initialised already, `address` and `workers` say how it is (see `start`).
    Where the experiment is broken, or retries were in vain, NapsimError says so; what is done stays done, and the same
    call goes on.
    """
    units = experiment.plan()
    if not units:
        return True
    if not ray.is_initialized():
        start(address, workers)
    resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    cpus = max(1, int(resources.get("CPU", 1)) // num_cpus)
    if batch_actions is None:
        each = sum(unit.actions for unit in units) // (cpus * BATCHES_PER_CPU)
        batch_actions = min(BATCH_ACTIONS_MAX, each)

    options = {"num_cpus": num_cpus, "max_retries": retries, "retry_exceptions": [Interrupted]}
    if shared_disk:
        task = ray.remote(**options)(measure)  # type: ignore[call-overload]
        given: tuple[Any, ...] = (experiment,)
    else:
        task = ray.remote(**options)(measure_apart)  # type: ignore[call-overload]
        given = (experiment, Path(experiment.file).read_bytes())
    calls = (task.remote(*given, batch, num_cpus) for batch in batches(units, batch_actions))

    all_measured, n_done = True, 0
    for done in finished(calls, cpus * IN_FLIGHT_PER_CPU):
        keep(experiment, [batch.files for batch in done if batch.files is not None])
        all_measured &= all(batch.all_measured for batch in done)
        n_done += sum(batch.units for batch in done)
        on_progress(Progress(n_done, len(units)))
    return all_measured


def start(address: str = "local", num_cpus: int | None = None) -> None:
    """Starts Ray on this machine (`local`), without anything that a sweep has no use for, or joins a cluster."""
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if address == "local":
        options.update(num_cpus=num_cpus, include_dashboard=False, object_store_memory=100 << 20)
    terminate = signal.getsignal(signal.SIGTERM)
    ray.init(address=address, **options)
    if threading.current_thread() is threading.main_thread():
        # Ray has taken the signal for itself, and would print where it was when it came.
        signal.signal(signal.SIGTERM, terminate)


def batches(units: Iterable[Unit], batch_actions: int) -> Iterator[list[str]]:
    """The ids of the units in their order, cut wherever a batch has that many actions."""
    batch: list[str] = []
    n_actions = 0
    for unit in units:
        batch.append(unit.id)
        n_actions += unit.actions
        if n_actions >= batch_actions:
            yield batch
            batch, n_actions = [], 0
    if batch:
        yield batch


def finished(calls: Iterator[Any], in_flight_max: int) -> Iterator[list[Done]]:
    """What has become of the calls, several at a time where they come together. So many are in flight at most."""
    pending: list[Any] = []
    more = True
    try:
        while True:
            while more and len(pending) < in_flight_max:
                call = next(calls, None)
                more = call is not None
                pending += [call] if more else []
            if not pending:
                return
            ray.wait(pending, num_returns=1)
            ready, pending = ray.wait(pending, num_returns=len(pending), timeout=0)
            done = [outcome(call) for call in ready]
            # First what is good, which may have to be kept.
            yield [batch for batch in done if isinstance(batch, Done)]
            for error in done:
                if isinstance(error, NapsimError):
                    raise error
    except (KeyboardInterrupt, SystemExit):
        # With the driver its tasks end, so that Ray need not be asked to cancel what may be over this moment, at which it
        # can crash.
        pending = []
        raise
    finally:
        for call in pending:
            ray.cancel(call)


def outcome(call: Any) -> Done | NapsimError:
    """What has become of a call that has ended."""
    try:
        done: Done = ray.get(call)
        return done
    except RayTaskError as error:
        return error.cause if isinstance(error.cause, NapsimError) else NapsimError(1, str(error))
    except RayError as error:
        return NapsimError(ENVIRONMENT, f"failed to measure a batch: {error}")


def keep(experiment: Experiment, stores: Sequence[Files]) -> None:
    """Takes what workers have handed back into the store."""
    if not stores:
        return
    with tempfile.TemporaryDirectory(prefix="napsim-ray-") as folder:
        for files in stores:
            for name, content in files.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
        experiment.merge(Path(folder))
