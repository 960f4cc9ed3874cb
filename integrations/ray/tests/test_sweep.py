"""Sweeps that nothing happens to."""

from __future__ import annotations

import signal
from pathlib import Path

from tests.napsim import NAPSIM, Measured, modified, units, wait_for


class Sweep(Measured):
    def test_workers_measure_the_same_bytes(self) -> None:
        stdout, stderr = self.check_driver(self.driver())
        self.check_same()
        self.assertIn(f"{len(self.alone)} of {len(self.alone)} units", stderr)
        self.assertTrue(stdout.strip(), "the comparison is printed")

        before = modified(self.store)
        again, stderr = self.check_driver(self.driver())
        self.assertNotIn(" units\n", stderr, "nothing is left to do")
        self.assertEqual(again.splitlines()[0], stdout.splitlines()[0])
        self.assertEqual(modified(self.store), before)

    def test_workers_without_the_disk_hand_the_same_bytes_back(self) -> None:
        self.check_driver(self.driver("--no-shared-disk"))
        self.check_same()

    def test_settings_win_over_the_file(self) -> None:
        self.check_driver(self.driver("--set", "first=2", "--quiet"))
        found = units(self.store)
        self.assertEqual(len(found), 8 * 2)
        self.assertEqual(found, {path: self.alone[path] for path in found})

    def test_a_broken_experiment_fails_at_once(self) -> None:
        broken = self.folder / "broken.toml"
        broken.write_text("gird = 1\n")
        _, stderr = self.check_driver(self.driver(file=broken), 2)
        self.assertIn("gird", stderr)
        _, stderr = self.check_driver(self.driver(file=self.folder / "missing.toml"), 2)
        self.assertIn("missing.toml", stderr)
        _, stderr = self.check_driver(self.driver(napsim=str(self.folder / "no-napsim")), 30)
        self.assertIn("no-napsim", stderr)

    def test_what_the_machine_stood_in_the_way_of_is_tried_again(self) -> None:
        self.check_driver(self.driver(napsim=self.failing(30, always=False)))
        self.check_same()

    def test_retries_end(self) -> None:
        process = self.driver("--retries", "1", napsim=self.failing(30, always=True))
        _, stderr = self.check_driver(process, 30)
        self.assertIn("it fails", stderr)

    def test_what_would_fail_again_is_not_tried_again(self) -> None:
        for code in (1, 2, 10):
            process = self.driver(napsim=self.failing(code, always=False))
            _, stderr = self.check_driver(process, code)
            self.assertIn("it fails", stderr)

    def test_units_that_failed_are_told_at_the_end(self) -> None:
        _, stderr = self.check_driver(self.driver(napsim=self.failing(20, always=False)), 20)
        self.assertIn("failed", stderr)

    def test_interruptions_keep_what_is_done(self) -> None:
        self.check_interruption(signal.SIGINT, 130)
        self.check_interruption(signal.SIGTERM, 143)
        self.check_driver(self.driver())
        self.check_same()

    def check_interruption(self, sent: signal.Signals, code: int) -> None:
        n_done = len(modified(self.store))
        process = self.driver()
        wait_for(lambda: len(modified(self.store)) > n_done)
        process.send_signal(sent)
        self.check_driver(process, code)

    def failing(self, code: int, always: bool) -> str:
        """A program that fails when it is to measure units: always, or once."""
        program = Path(self.store.parent, f"napsim-{code}")
        marks = "/dev/null/none" if always else f"{program}.failed"
        fails = f'cat > /dev/null; echo "it fails" >&2; exit {code}'
        test = "true" if always else f"mkdir '{marks}' 2> /dev/null"
        program.write_text(
            f"#!/bin/sh\ncase \"$*\" in *'--units -'*) if {test}; then {fails}; fi ;; esac\nexec '{NAPSIM}' \"$@\"\n"
        )
        program.chmod(0o755)
        return str(program)
