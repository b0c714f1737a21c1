"""The `groundswell` command."""

from __future__ import annotations

import gc
import os
import sys


def main() -> None:
    """Run the command line and exit: 0 done, 1 findings, 2 usage, 3 changes found or facts incomplete, 70 internal."""
    # A run is short and frees next to nothing that is in cycles; collecting seldom saves a tenth of its time.
    gc.set_threshold(100_000, 50, 100)
    if any(not argument.isascii() and argument != _utf8(argument) for argument in sys.argv):
        sys.stderr.write("Error: the command line holds an argument that is not UTF-8.\n")
        sys.exit(2)
    try:
        from groundswell.cli.app import app  # noqa: PLC0415  counted as start-up time, after the line above

        app(prog_name="groundswell")
    except KeyboardInterrupt:  # before or after the time in which click takes care of it
        sys.stderr.write("\nAborted!\n")
        sys.exit(1)
    except OSError as error:
        # Python would complain again when it flushes stdout at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):  # the reader of our output has gone, which is no fault of anybody's
            sys.stderr.write(f"Error: {error.strerror}{f': {error.filename}' if error.filename else ''}\n")
        sys.exit(1)
    except RecursionError:
        sys.exit(_internal("the input is nested too deeply"))
    except Exception as error:
        if os.environ.get("GROUNDSWELL_DEBUG"):
            raise
        sys.exit(_internal(f"{type(error).__name__}: {error}"))
    finally:
        gc.freeze()  # the process ends: looking for cycles in what it leaves would be its slowest step


def _utf8(argument: str) -> str:
    """The argument without the bytes that Python could not decode."""
    return argument.encode(errors="ignore").decode()


def _internal(text: str) -> int:
    sys.stderr.write(f"groundswell: internal error: {text}\n")
    sys.stderr.write("This is a fault of groundswell. Set GROUNDSWELL_DEBUG=1 for a traceback and please report it.\n")
    return 70


if __name__ == "__main__":
    main()
