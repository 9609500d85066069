"""Exceptions."""

class Error(Exception):
    """Whatever goes wrong in tribin. The text is that of the command."""

    __module__ = "tribin"


class InputError(Error, ValueError):
    """The input cannot be a graph. The text names the row, or the file and the line."""

    __module__ = "tribin"


class FileError(Error, OSError):
    """A file cannot be read. It has ``errno`` and ``filename``."""

    __module__ = "tribin"

    def __str__(self) -> str:
        # That of OSError is made of both, and says less.
        return str(self.args[0]) if self.args else ""


class DeviceError(Error, RuntimeError):
    """A GPU cannot be used, fails, or has too little memory."""

    __module__ = "tribin"


class UsageError(Error, ValueError):
    """An argument makes no sense, or several do not go together."""

    __module__ = "tribin"


class Cancelled(KeyboardInterrupt):
    """Ctrl-C ended the work. It is a `KeyboardInterrupt` and no `Error`, so that ``except Exception`` lets it pass."""

    __module__ = "tribin"
