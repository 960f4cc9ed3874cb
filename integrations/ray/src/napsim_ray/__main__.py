"""The command: `python -m napsim_ray EXPERIMENT --store DIR`."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import ray

from napsim_ray import driver
from napsim_ray.program import INCOMPLETE, Experiment, NapsimError


def arguments(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m napsim_ray",
        description="Measures what is missing of an experiment by Ray, then prints what `napsim sweep` prints.",
        epilog="What comes after -- goes to the last `napsim sweep`, as in: -- --gate 'uas >= 0.12'",
    )
    parser.add_argument("experiment", help="the experiment file")
    parser.add_argument("--store", default=os.environ.get("NAPSIM_STORE", "napsim-store"), help="where units are kept")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="set something besides the file"
    )
    parser.add_argument("--napsim", default="napsim", help="the program, on every machine")
    parser.add_argument("--batch-actions", type=int, help="cut the units into batches of so many actions")
    parser.add_argument("--num-cpus", type=int, default=1, help="processors a batch (default: %(default)s)")
    parser.add_argument(
        "--address",
        default=os.environ.get("RAY_ADDRESS", "local"),
        help="`local` starts Ray on this machine, `auto` joins the cluster that it is a part of (default: %(default)s)",
    )
    parser.add_argument("--workers", type=int, help="processors that are used with --address local (default: all)")
    parser.add_argument(
        "--retries", type=int, default=3, help="how often a batch is tried again (default: %(default)s)"
    )
    parser.add_argument(
        "--no-shared-disk", action="store_true", help="workers do not see the store: results come back through Ray"
    )
    parser.add_argument("--quiet", action="store_true", help="do not tell how far it is")
    parser.add_argument("rest", nargs="*", metavar="-- ...", help=argparse.SUPPRESS)
    return parser.parse_args(given)


def main(given: Sequence[str] | None = None) -> int:
    options = arguments(given)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    # Workers may start in another folder; a bare name is looked for on each machine.
    napsim = os.path.abspath(options.napsim) if os.sep in options.napsim else options.napsim
    file, store = os.path.abspath(options.experiment), os.path.abspath(options.store)
    try:
        return run(Experiment(file, store, tuple(options.set), napsim, os.getcwd()), options)
    except (KeyboardInterrupt, SystemExit) as stop:
        leave(130 if isinstance(stop, KeyboardInterrupt) else 143)
    except NapsimError as error:
        print(error, file=sys.stderr)
        return error.code
    finally:
        ray.shutdown()


def leave(code: int) -> NoReturn:
    """Ends with the workers, whatever Ray has to say about tasks that are not over; what is done stays."""
    ray.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def run(experiment: Experiment, options: argparse.Namespace) -> int:
    all_measured = driver.sweep(
        experiment,
        batch_actions=options.batch_actions,
        num_cpus=options.num_cpus,
        retries=options.retries,
        shared_disk=not options.no_shared_disk,
        address=options.address,
        workers=options.workers,
        on_progress=quiet if options.quiet else tell,
    )
    ray.shutdown()
    if not all_measured:
        print("some units failed; the same command tries them again", file=sys.stderr)
        subprocess.call(experiment.command("status"))
        return INCOMPLETE
    return subprocess.call(experiment.command("sweep", *options.rest))


def tell(progress: driver.Progress) -> None:
    print(f"{progress.units} of {progress.total} units", file=sys.stderr)


def quiet(_: Any) -> None:
    pass


if __name__ == "__main__":
    sys.exit(main())
