"""Runs one program in given surroundings under Rondo, with both backends, and under Node."""
import os

from harness import context as base
from harness import reference
from harness.checks import check


class Context(base.Context):
    """Every user may write to the directory `scratch`."""

    def __init__(self, rondo, scratch, is_sanitized=False, node=reference.node()):
        super().__init__(rondo, scratch)
        os.chmod(scratch, 0o777)
        self.is_sanitized = is_sanitized
        self.node = node

    def without_node(self):
        """For what Node does not define."""
        return Context(self.rondo, self.scratch, self.is_sanitized, None)

    def run(self, command, before=None, **more):
        """`before` runs in the child before the program does: limits, masks, closed descriptors."""
        return super().run(command, preexec_fn=before, **more)

    def programs(self):
        """What to run a test with: (name, program, environment)."""
        for backend in ("epoll", "uring"):
            yield f"rondo on {backend}", self.rondo, self.environment(RONDO_BACKEND=backend)
        if self.node:
            yield "node", self.node, self.environment()

    def everywhere(self, arguments, check_outcome, **more):
        """Runs `PROGRAM ARGUMENTS` under each program and gives each outcome to `check_outcome`."""
        extra = more.pop("variables", {})
        for name, program, env in self.programs():
            outcome = self.run([program, *arguments], env={**env, **extra}, **more)
            try:
                check_outcome(outcome)
            except AssertionError as problem:
                raise AssertionError(f"{name}: {problem}\n{outcome}") from None

    def expect(self, source, status=0, out=None, err_part=None, **more):
        """The program `source` ends with `status`, prints exactly `out`, and writes `err_part` somewhere on stderr."""
        self.expect_arguments(["-e", source], status, out, err_part, **more)

    def expect_arguments(self, arguments, status=0, out=None, err_part=None, **more):
        def check_outcome(outcome):
            check(outcome.returncode == status, f"ended with {outcome.returncode}, not {status}")
            check(out is None or outcome.stdout == out, f"printed something else than {out!r}")
            check(err_part is None or err_part in outcome.stderr, f"stderr has no {err_part!r}")
        self.everywhere(arguments, check_outcome, **more)
