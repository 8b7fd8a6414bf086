#!/usr/bin/env python3
"""surroundings.py --program RONDO [--sanitized] [TEST...]: runs programs in surroundings that are out of the ordinary.

Closed, full and hostile standard streams, signal masks, resource limits, odd directories, environments and terminals; and the
program itself, copied, moved and looked at.
Each test is a function `test_*` of a module beside this file; TEST is MODULE.NAME, or MODULE for all of one; without any all are
run. The same program runs under Node, where Node is installed, and must end in the same way. The exit code is 77 if the only test
that is required cannot run here."""
import sys

sys.path.append(f"{sys.path[0]}/../support")
import limits  # noqa: E402
import places  # noqa: E402
import program  # noqa: E402
import sandbox  # noqa: E402
import settings  # noqa: E402
import signals  # noqa: E402
import stdio  # noqa: E402
import terminal  # noqa: E402
from harness import arguments, cases, programs  # noqa: E402
from context import Context  # noqa: E402


def main(words):
    parser = arguments.parser(__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--sanitized", action="store_true", help="the program was built with a sanitizer")
    parser.add_argument("tests", nargs="*")
    options = parser.parse_args(words)
    rondo = programs.absolute(options.program)
    tests = cases.collect(stdio, signals, limits, places, program, settings, terminal, sandbox, is_qualified=True)
    return cases.run(tests, cases.choose(tests, options.tests), lambda scratch: Context(rondo, scratch, options.sanitized),
                     "surroundings")


if __name__ == "__main__":
    programs.exit_with(main)
