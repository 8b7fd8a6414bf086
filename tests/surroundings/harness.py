"""Runs one program in given surroundings under Rondo, with both backends, and under Node."""
import dataclasses
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "support"))
import reference  # noqa: E402

TIMEOUT = 60  # Seconds; a program that is still running then hangs.


class Skipped(Exception):
    pass


@dataclasses.dataclass
class Outcome:
    status: int  # Negative: the number of the signal that ended the process.
    out: str
    err: str


@dataclasses.dataclass
class Context:
    """The program under test, and a directory of the test's own, which every user may write to."""
    rondo: str
    scratch: str
    is_sanitized: bool = False
    node: str = reference.node() or ""

    def path(self, name):
        return os.path.join(self.scratch, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def environment(self, **more):
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("NODE_", "RONDO_", "UV_"))}
        return {**kept, "NO_COLOR": "1", "RONDO_NO_CONTROL": "1", **more}

    def run(self, command, env=None, before=None, **more):
        """`before` runs in the child before the program does: limits, masks, closed descriptors."""
        if "input" not in more:
            more.setdefault("stdin", subprocess.DEVNULL)
        more.setdefault("stdout", subprocess.PIPE)
        more.setdefault("stderr", subprocess.PIPE)
        more.setdefault("cwd", self.scratch)
        done = subprocess.run(command, env=self.environment() if env is None else env, preexec_fn=before,
                              timeout=TIMEOUT, check=False, **more)
        return Outcome(done.returncode, (done.stdout or b"").decode(errors="replace"),
                       (done.stderr or b"").decode(errors="replace"))

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
            check(outcome.status == status, f"ended with {outcome.status}, not {status}")
            check(out is None or outcome.out == out, f"printed something else than {out!r}")
            check(err_part is None or err_part in outcome.err, f"stderr has no {err_part!r}")
        self.everywhere(arguments, check_outcome, **more)

    def expect_of_rondo(self, arguments, status=0, out=None, err_part=None, **more):
        """As expect_arguments(), for what Node does not define."""
        without_node = dataclasses.replace(self, node="")
        without_node.expect_arguments(arguments, status, out, err_part, **more)


def check(is_so, message):
    if not is_so:
        raise AssertionError(message)
