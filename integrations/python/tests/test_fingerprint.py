"""Fingerprints: the same text for the same predictor, another one for another."""

from __future__ import annotations

import dataclasses
import importlib
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

from napsim import Call, Predictor, fingerprint_of
from tests.program import PACKAGE

CODE = """\
from napsim import Predictor

class Base(Predictor):
    def predict(self, call):
        return []

class Mine(Base):
    def __init__(self, *args, **kwargs):
        pass
"""


class Fingerprints(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        sys.path.insert(0, folder.name)
        self.addCleanup(sys.path.remove, folder.name)
        self.n_modules = 0

    def mine(self, *args: Any, code: str = CODE, **kwargs: Any) -> str | None:
        self.n_modules += 1
        # Each in a folder of its own, as those beside it would count.
        name = f"fingerprinted_{self.id().rpartition('.')[2]}_{self.n_modules}"
        (self.folder / name).mkdir()
        (self.folder / name / "mine.py").write_text(code, encoding="utf-8")
        importlib.invalidate_caches()
        predictor: Predictor = importlib.import_module(f"{name}.mine").Mine(*args, **kwargs)
        return predictor.fingerprint()

    def test_it_follows_from_source_and_arguments_alone(self) -> None:
        self.assertEqual(self.mine(), self.mine())
        self.assertEqual(self.mine(1, "a", b=[2.0, None]), self.mine(1, "a", b=[2.0, None]))
        self.assertEqual(self.mine(a=1, b=2), self.mine(b=2, a=1))
        self.assertEqual(self.mine({"a": 1, "b": 2}), self.mine({"b": 2, "a": 1}))

    def test_other_sources_and_arguments_have_others(self) -> None:
        arguments: list[Any] = [0, 1, 1.0, True, "1", b"1", None, [1], (1,), {1: 1}, {1}, Path("1"), [[1], 1], [[1, 1]]]
        told = [self.mine(argument) for argument in arguments]
        told += [self.mine(), self.mine(1, 1), self.mine(a=1), self.mine(b=1), self.mine(code=CODE + "\n")]
        self.assertNotIn(None, told)
        self.assertEqual(len(set(told)), len(told))

    def test_it_changes_with_the_source_of_a_base(self) -> None:
        told = set()
        for name, base in (("base_before", CODE), ("base_after", CODE + "\n")):
            (self.folder / f"{name}.py").write_text(base, encoding="utf-8")
            told.add(self.mine(code="from base import Base\n\nclass Mine(Base):\n    pass\n".replace("base", name)))
        self.assertEqual(len(told), 2)

    def told_with(self, files: dict[str, str], imports: str, *, main: str = "mine.py") -> str:
        """What a program tells that lies in a folder among other files and imports some of them."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            paths = "import sys; sys.path[:0] = ['lib/site-packages', 'inner']"
            told = f"{paths}; {imports}\nprint(Mine().fingerprint())\n"
            for path, content in {main: CODE + told, **files}.items():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_text(content, encoding="utf-8")
            environment = {"PYTHONPATH": str(PACKAGE / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
            command = [sys.executable, main]
            run = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, check=True)
            return run.stdout.decode()

    def test_modules_from_its_folder_count(self) -> None:
        helper, deep = "value = 1\n", "value = 2\n"
        for files, imports in (
            ({"helper.py": helper}, "import helper"),
            ({"package/__init__.py": "", "package/deep.py": helper}, "import package.deep"),
            ({"inner/helper.py": helper}, "import helper"),
        ):
            with self.subTest(files=files):
                last = list(files)[-1]
                told = self.told_with(files, imports)
                self.assertRegex(told, "^sha256:")
                self.assertEqual(self.told_with(files, imports), told)
                self.assertEqual(self.told_with(files, imports, main="named_otherwise.py"), told)
                self.assertNotEqual(self.told_with({**files, last: deep}, imports), told)
        same = [self.told_with({place: helper}, "import helper") for place in ("helper.py", "inner/helper.py")]
        self.assertNotEqual(*same)

    def test_modules_that_are_not_loaded_or_installed_do_not_count(self) -> None:
        for path, imports in (
            ("helper.py", "pass"),
            ("lib/site-packages/helper.py", "import helper"),
            ("environment/helper.py", "import environment.helper"),
        ):
            with self.subTest(path=path):
                files = {"environment/pyvenv.cfg": "home = /usr/bin\n", path: "value = 1\n"}
                changed = {**files, path: "value = 2\n"}
                self.assertEqual(self.told_with(files, imports), self.told_with(changed, imports))

    def test_a_module_loaded_on_the_way_changes_nothing(self) -> None:
        files = {"helper.py": "value = 1\n"}
        told = self.told_with(files, "m = Mine(); print(m.fingerprint()); import helper; print(m.fingerprint())")
        first, second, third = told.splitlines()
        self.assertEqual(first, second)
        self.assertNotEqual(first, third)

    def test_modules_that_name_no_file_do_no_harm(self) -> None:
        odd = "import types; odd = types.ModuleType('odd'); odd.__file__ = 'never_there.py'; sys.modules['odd'] = odd"
        self.assertRegex(self.told_with({}, f"{odd}; sys.modules['none'] = 7"), "^sha256:")

    def test_a_link_to_the_program_changes_nothing(self) -> None:
        (self.folder / "mine.py").write_text(f"import helper\n{CODE}\nprint(Mine().fingerprint())\n", encoding="utf-8")
        (self.folder / "elsewhere").mkdir()
        (self.folder / "elsewhere" / "link.py").symlink_to(self.folder / "mine.py")
        told = []
        for value in ("1", "2"):
            (self.folder / "helper.py").write_text(f"value = {value}\n", encoding="utf-8")
            for program in ("mine.py", "elsewhere/link.py"):
                command = [sys.executable, "-B", str(self.folder / program)]
                environment = {"PYTHONPATH": str(PACKAGE / "src")}
                told.append(subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True).stdout)
        self.assertEqual((told[0], told[2]), (told[1], told[3]))
        self.assertNotEqual(told[0], told[2])

    def test_it_is_the_same_in_every_process(self) -> None:
        code = "import sys; sys.path[:0] = sys.argv[1:]; import mine; print(mine.Mine({'a', 'b', 'c'}).fingerprint())"
        (self.folder / "mine.py").write_text(CODE, encoding="utf-8")
        told = set()
        for seed in ("0", "1", "2"):
            command = [sys.executable, "-c", code, str(self.folder), str(PACKAGE / "src")]
            environment = {"PYTHONHASHSEED": seed}
            told.add(subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True).stdout)
        self.assertEqual(len(told), 1)
        self.assertRegex(told.pop().decode(), r"^sha256:[0-9a-f]{64}\n$")

    def test_there_is_none_where_it_cannot_be_told(self) -> None:
        self.assertIsNone(self.mine(object()))
        self.assertIsNone(self.mine([lambda: 1]))
        without_file: dict[str, Any] = {"__name__": "typed_in"}
        exec(CODE, without_file)
        self.assertIsNone(without_file["Mine"]().fingerprint())


class Parts(unittest.TestCase):
    def test_files_and_folders_count_by_their_contents(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            told = [fingerprint_of(folder)]
            (folder / "weights").write_bytes(b"1")
            told.append(fingerprint_of(folder))
            told.append(fingerprint_of(folder / "weights"))
            (folder / "weights").write_bytes(b"2")
            told.append(fingerprint_of(folder))
            (folder / "weights").rename(folder / "other")
            told.append(fingerprint_of(folder))
            (folder / "inner").mkdir()
            (folder / "other").rename(folder / "inner" / "other")
            told.append(fingerprint_of(folder))
            self.assertEqual(len(set(told)), len(told))
            self.assertEqual(fingerprint_of(folder), told[-1])
            with self.assertRaises(OSError):
                fingerprint_of(folder / "missing")

    def test_values_count_by_what_they_are(self) -> None:
        told = [
            fingerprint_of("a", "b"),
            fingerprint_of("ab"),
            fingerprint_of("ab", ""),
            fingerprint_of(1),
            fingerprint_of(),
        ]
        self.assertEqual(len(set(told)), len(told))
        self.assertEqual(fingerprint_of("ä", [1.5, {"x": None}]), fingerprint_of("ä", [1.5, {"x": None}]))
        with self.assertRaisesRegex(TypeError, "a value of type object cannot be part of a fingerprint"):
            fingerprint_of(object())


class Constructing(unittest.TestCase):
    def test_a_predictor_without_a_constructor_takes_no_arguments(self) -> None:
        class Plain(Predictor):
            def predict(self, call: Call) -> list[str]:
                return []

        Plain()
        with self.assertRaisesRegex(TypeError, "takes no arguments"):
            Plain(1)  # type: ignore[call-arg]

    def test_a_predictor_may_be_a_frozen_dataclass(self) -> None:
        @dataclasses.dataclass(frozen=True)
        class Frozen(Predictor):
            n: int

            def predict(self, call: Call) -> list[str]:
                return []

        self.assertEqual(Frozen(3).fingerprint(), Frozen(3).fingerprint())
        self.assertNotEqual(Frozen(3).fingerprint(), Frozen(4).fingerprint())

    def test_predict_has_to_be_there(self) -> None:
        class Lacking(Predictor):
            pass

        with self.assertRaisesRegex(TypeError, "predict"):
            Lacking()  # type: ignore[abstract]


if __name__ == "__main__":
    unittest.main()
