"""The environment variables of programs under test."""
import os

PASSED_ON = ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "RONDO_BACKEND")
OF_RUNTIMES = ("NODE_", "RONDO_", "UV_")


def minimal(scratch=None, **more):
    """PATH and the options of sanitizers, without anything else of the caller's. `scratch`: the home and temporary directory."""
    variables = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    variables["PATH"] = os.environ.get("PATH", "/usr/bin:/bin")
    if scratch is not None:
        variables.update(HOME=scratch, TMPDIR=scratch)
    return {**variables, **more}


def inherited(without=OF_RUNTIMES, **more):
    """The caller's environment without the variables whose names begin with one of `without`."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith(without)}
    return {**variables, **more}
