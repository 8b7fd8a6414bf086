"""Runs test functions, each with a directory of its own, and says which failed.

A test is a function `test_NAME(context)` of a module. It fails by raising AssertionError, among others, and is skipped by
raising checks.Skipped."""
import os
import subprocess
import sys

from harness import arguments, checks, files

PROBLEMS = (AssertionError, LookupError, ValueError, OSError, subprocess.SubprocessError)


def collect(*modules, is_qualified=False):
    """NAME -> function, in the order of the source; MODULE.NAME if qualified."""
    found = {}
    for module in modules:
        for name, test in vars(module).items():
            if name.startswith("test_") and getattr(test, "__module__", None) == module.__name__:
                name = f"{module.__name__}.{name[5:]}" if is_qualified else name[5:]
                if name in found:
                    sys.exit(f"two tests are called {name}")
                found[name] = test
    return found


def choose(tests, wanted):
    """The names that are wanted: of tests, or of modules for all of their tests; all if none is named."""
    unknown = [name for name in wanted if not any(name in (test, test.split(".")[0]) for test in tests)]
    if unknown:
        sys.exit(f"no test {' '.join(unknown)}; there are: {' '.join(tests)}")
    return [name for name in tests if not wanted or name in wanted or name.split(".")[0] in wanted]


def run(tests, names, make_context, prefix="rondo-test-"):
    """Runs tests, each with make_context(directory). Returns the exit code: 77 if the only test was skipped."""
    failed = skipped = 0
    for name in names:
        with files.Scratch(prefix) as scratch:
            try:
                tests[name](make_context(scratch.folder))
                print(f"ok      {name}", flush=True)
            except checks.Skipped as reason:
                skipped += 1
                checks.skip(name, reason)
            except PROBLEMS as reason:
                failed += 1
                said = str(reason) if isinstance(reason, AssertionError) else f"{type(reason).__name__}: {reason}"
                print(f"FAILED  {name}: {said}", flush=True)
    if failed:
        return 1
    return checks.SKIP if len(names) == 1 and skipped else 0


def main(description, tests, make_context, option="--program", prefix="rondo-test-"):
    """The command line `RUNNER OPTION RONDO [TEST...]`; make_context(rondo, directory). Ends this process."""
    parser = arguments.parser(description)
    parser.add_argument(option, required=True, dest="rondo", metavar="RONDO")
    parser.add_argument("tests", nargs="*", metavar="TEST")
    options = parser.parse_args()
    rondo = os.path.abspath(options.rondo)
    sys.exit(run(tests, choose(tests, options.tests), lambda folder: make_context(rondo, folder), prefix))
