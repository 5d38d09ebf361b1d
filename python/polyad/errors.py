"""What can go wrong. Messages are one line: what is wrong, where, and how to fix it."""


class Error(Exception):
    """Any error of polyad."""


class UsageError(Error, ValueError):
    """An argument breaks a rule."""


class DataError(Error, ValueError):
    """The data cannot be read as, or used for, what was asked."""


class FileError(Error, OSError):
    """A file is missing, unreadable or cannot be written."""


class DivergedError(Error, ArithmeticError):
    """No finite model was found."""
