"""The command ``tribin``."""

import signal
import sys


def main() -> None:
    """Run the command with the arguments of the process, and end the process as the command does."""
    # The command handles signals by itself. What whoever started the process ignores stays ignored.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Python ignores it, and the binary does not.
    if hasattr(signal, "SIGXFSZ"):
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)

    from tribin import _native

    _native.run_command(["tribin", *sys.argv[1:]])


if __name__ == "__main__":
    main()
