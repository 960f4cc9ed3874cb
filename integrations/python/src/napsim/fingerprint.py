"""Fingerprints: the same text promises the same answers."""

from __future__ import annotations

import hashlib
import os
import sys
import sysconfig
from collections.abc import Collection, Iterator
from pathlib import Path, PurePath

from napsim.version import __version__

_BYTES_AT_ONCE = 1 << 20

_INSTALLED = ("site-packages", "dist-packages")


class _CannotTell(Exception):
    """A value does not say all about itself."""


def fingerprint_of(*parts: object) -> str:
    """A SHA-256 over all parts: contents of files and folders for a :class:`pathlib.Path`, the value for numbers,
    texts, and lists and dictionaries of them.

    ``fingerprint_of("my-model/2", Path("weights"), self.context)`` changes with the text, the weights and the context.

    :raises OSError: if a file cannot be read.
    :raises TypeError: if a part is something else.
    """
    total = hashlib.sha256()
    for part in parts:
        if isinstance(part, Path):
            _add(total, "path", _hash_of_path(part))
            continue
        try:
            _add(total, "value", _canonical(part).encode("utf-8", "surrogatepass"))
        except _CannotTell as reason:
            raise TypeError(f"{reason} cannot be part of a fingerprint") from None
    return f"sha256:{total.hexdigest()}"


def fingerprint_of_object(thing: object, base: type) -> str | None:
    """A SHA-256 over the sources of the thing's classes below ``base``, the modules loaded from the folder of its own
    one, and the arguments that it was made with, if they can be told."""
    sources = [_source_of(cls) for cls in type(thing).__mro__ if issubclass(cls, base) and cls is not base]
    arguments = getattr(thing, "_constructor_arguments", None)
    if arguments is None or None in sources:
        return None
    total = hashlib.sha256()
    try:
        told = _canonical(arguments)
        named = dict.fromkeys(source for source in sources if source is not None)
        for source in named:
            _add(total, "source", source.read_bytes())
        for name, source in _modules_beside(next(iter(named), None), named):
            _add(total, "module", os.fsencode(name))
            _add(total, "source", source.read_bytes())
    except (_CannotTell, OSError):
        return None
    _add(total, "napsim", __version__.encode())
    _add(total, "class", type(thing).__qualname__.encode())
    _add(total, "arguments", told.encode("utf-8", "surrogatepass"))
    return f"sha256:{total.hexdigest()}"


def _source_of(cls: type) -> Path | None:
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    return Path(file) if file else None


def _modules_beside(module: Path | None, known: Collection[Path]) -> Iterator[tuple[str, Path]]:
    """The files of loaded modules in or below the folder of a module, with their paths within it, sorted; those known
    already, this package, the standard library, and what is installed are left out."""
    if module is None:
        return
    folders = [folder.parent for folder in _spellings(module)]
    known = {spelling for file in known for spelling in _spellings(file)}
    foreign = [Path(__file__).resolve().parent]
    foreign += [Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib")]
    found: dict[str, Path] = {}
    for loaded in list(sys.modules.values()):
        file = _file_of(loaded)
        if file is None or not known.isdisjoint(_spellings(file)):
            continue
        inside = _within(file, folders)
        if inside is not None and not _is_installed(inside, folders[0]) and _within(file, foreign) is None:
            found[inside.as_posix()] = file
    yield from sorted(found.items())


def _file_of(module: object) -> Path | None:
    try:
        # Past the module's own ways, since asking a module that is loaded on demand would load it.
        file = object.__getattribute__(module, "__dict__").get("__file__")
    except AttributeError:
        return None
    # Some libraries name files that were never there.
    return Path(file) if isinstance(file, str) and os.path.isfile(file) else None


def _spellings(file: Path) -> list[Path]:
    """A file as it is named and with all links followed, as either may be how a module was found."""
    return [Path(os.path.abspath(file)), file.resolve()]


def _within(file: Path, folders: Collection[Path]) -> PurePath | None:
    for spelling in _spellings(file):
        for folder in folders:
            if folder in spelling.parents:
                return spelling.relative_to(folder)
    return None


def _is_installed(inside: PurePath, folder: Path) -> bool:
    """Whether a path within a folder leads into installed packages or a virtual environment."""
    places = [*inside.parents][:-1]
    if any(place.name in _INSTALLED for place in (folder, *places)):
        return True
    return any((folder / place / "pyvenv.cfg").is_file() for place in places)


def _add(total: hashlib._Hash, label: str, content: bytes) -> None:
    """Adds a piece along with its length, so that no two lists of pieces read alike."""
    total.update(f"{label} {len(content)}\n".encode())
    total.update(content)


def _hash_of_path(path: Path) -> bytes:
    total = hashlib.sha256()
    for name, file in _files(path):
        _add(total, "name", os.fsencode(name))
        one = hashlib.sha256()
        with file.open("rb") as stream:
            while piece := stream.read(_BYTES_AT_ONCE):
                one.update(piece)
        _add(total, "content", one.digest())
    return total.digest()


def _files(path: Path) -> Iterator[tuple[str, Path]]:
    """The files of a folder with their names within it, sorted; or the one file, whose name makes no difference."""
    if not path.is_dir():
        yield "", path
        return
    inside = sorted(file for file in path.rglob("*") if file.is_file())
    for file in inside:
        yield file.relative_to(path).as_posix(), file


def _canonical(value: object) -> str:
    """A text that differs for different values, and is the same in every process."""
    if value is None or type(value) in (bool, int, float, str, bytes):
        return repr(value)
    if isinstance(value, PurePath):
        return f"path({str(value)!r})"
    if isinstance(value, (list, tuple)):
        return f"{type(value).__name__}({','.join(map(_canonical, value))})"
    if isinstance(value, (set, frozenset)):
        return f"set({','.join(sorted(map(_canonical, value)))})"
    if isinstance(value, dict):
        entries = sorted(f"{_canonical(key)}:{_canonical(entry)}" for key, entry in value.items())
        return f"dict({','.join(entries)})"
    raise _CannotTell(f"a value of type {type(value).__name__}")
