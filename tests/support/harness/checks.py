"""Checks, and how a test says that it cannot run here."""

SKIP = 77  # The exit code for ctest's SKIP_RETURN_CODE.


class Skipped(Exception):
    """Raised by a test that cannot run here. Its text is the reason."""


def check(is_so, message):
    if not is_so:
        raise AssertionError(message)


def skip(name, reason):
    """Prints the reason where ./dev looks for it. Returns the exit code."""
    print(f"{name}: Skipped\n{reason}", flush=True)
    return SKIP


class Failures:
    """Checks after which a test goes on: each failure is printed and counted."""

    def __init__(self):
        self.count = 0

    def check(self, is_so, what, more=""):
        if not is_so:
            self.count += 1
            print(f"FAILED {what}\n{more}", flush=True)

    def status(self):
        return 1 if self.count else 0
