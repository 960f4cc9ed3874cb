"""Fingerprints: the same text promises the same answers."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path, PurePath

from napsim.version import __version__

_BYTES_AT_ONCE = 1 << 20


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
    """A SHA-256 over the sources of the thing's classes below ``base`` and the arguments that it was made with, if they
    can be told."""
    sources = [_source_of(cls) for cls in type(thing).__mro__ if issubclass(cls, base) and cls is not base]
    arguments = getattr(thing, "_constructor_arguments", None)
    if arguments is None or None in sources:
        return None
    total = hashlib.sha256()
    try:
        told = _canonical(arguments)
        for source in dict.fromkeys(source for source in sources if source is not None):
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
