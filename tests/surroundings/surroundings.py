#!/usr/bin/env python3
"""surroundings.py --program RONDO [TEST...]: runs programs in surroundings that are out of the ordinary.

Closed, full and hostile standard streams, signal masks, resource limits, odd directories, environments and terminals; and the
program itself, copied, moved and looked at.
Each test is a function `test_*` of a module beside this file and gets a harness.Context; without names all are run. The
same program runs under Node, where Node is installed, and must end in the same way. The exit code is 77 if the only test
that was asked for cannot run here."""
import argparse
import os
import subprocess
import sys
import tempfile

import limits
import places
import program
import sandbox
import settings
import signals
import stdio
import terminal
from harness import Context, Skipped

SKIP = 77
MODULES = (stdio, signals, limits, places, program, settings, terminal, sandbox)


def all_tests():
    return {f"{module.__name__}.{name[5:]}": test for module in MODULES
            for name, test in vars(module).items() if name.startswith("test_")}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--sanitized", action="store_true", help="the program was built with a sanitizer")
    parser.add_argument("tests", nargs="*", help="MODULE.NAME, or MODULE for all of one")
    options = parser.parse_args()
    tests = all_tests()
    names = [name for name in tests if not options.tests or name in options.tests or name.split(".")[0] in options.tests]
    if not names:
        parser.error(f"no such test; there are: {' '.join(tests)}")
    failed = 0
    for name in names:
        with tempfile.TemporaryDirectory(prefix="surroundings") as scratch:
            os.chmod(scratch, 0o777)
            try:
                tests[name](Context(os.path.abspath(options.program), os.path.realpath(scratch), options.sanitized))
                print(f"ok      {name}")
            except Skipped as reason:
                print(f"{name}: Skipped\n{reason}")
                if len(names) == 1:
                    sys.exit(SKIP)
            except (AssertionError, LookupError, ValueError, OSError, subprocess.TimeoutExpired) as reason:
                failed += 1
                print(f"FAILED  {name}: {reason}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
