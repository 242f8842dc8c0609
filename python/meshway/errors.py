"""errors.py -- what can go wrong, by the codes of the C interface (enum meshway_status).

Each is a MeshwayError, whose text is the library's own sentence, and the built-in exception that a
Python program would expect in its place.

SPDX-License-Identifier: Apache-2.0
"""


class MeshwayError(Exception):
    """Anything that libmeshway or this package refuses."""

    status = -70


class UsageError(MeshwayError, ValueError):
    """An argument is wrong: a root that is no vertex, a matrix that is not square."""

    status = -64


class DataError(MeshwayError, ValueError):
    """The edges or a file are wrong."""

    status = -65


class InputError(MeshwayError, OSError):
    """A file cannot be opened or read."""

    status = -66


class NoSuchFileError(InputError, FileNotFoundError):
    """There is no such file."""


class UnavailableError(MeshwayError, RuntimeError):
    """The build or the machine lacks what was asked for."""

    status = -69


class InternalError(MeshwayError, RuntimeError):
    """A mistake of the library: please report it."""

    status = -70


class NoMemoryError(MeshwayError, MemoryError):
    """An allocation failed."""

    status = -71


class InvalidError(MeshwayError, RuntimeError):
    """A result failed its validation."""

    status = -76


class RefusedError(MeshwayError, ValueError):
    """Too large, or a shape that does not fit."""

    status = -78


class LibraryNotFound(MeshwayError, ImportError):
    """There is no libmeshway.so, or not one that fits this package."""

    status = -69


class MeshwayWarning(UserWarning):
    """What is no error, but may not be meant, such as weights that a file does not have."""


_BY_STATUS = {e.status: e for e in (UsageError, DataError, InputError, UnavailableError, InternalError,
                                    NoMemoryError, InvalidError, RefusedError)}


def of_status(status: int, text: str) -> MeshwayError:
    e = _BY_STATUS.get(status, MeshwayError)(text or f"libmeshway says {status} and nothing else")
    e.status = status
    return e
