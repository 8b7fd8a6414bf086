"""The program under test with a directory of the test's own."""
import os

from harness import environment, files, programs


class Context:
    """Suites derive from it. `scratch` is a path."""

    def __init__(self, rondo, scratch):
        self.rondo = rondo
        self.scratch = scratch

    def path(self, *names):
        return os.path.join(self.scratch, *names)

    def write(self, name, text):
        """Returns the path. Makes the directories that lead to it."""
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        return files.write(self.path(name), text)

    def environment(self, **more):
        return environment.inherited(NO_COLOR="1", RONDO_NO_CONTROL="1", **more)

    def run(self, command, env=None, **more):
        return programs.run(command, env=self.environment() if env is None else env, **{"cwd": self.scratch, **more})

    def call(self, *arguments, **more):
        """Runs rondo."""
        return self.run([self.rondo, *arguments], **more)

    def started(self, *arguments, env=None, **more):
        """Starts rondo; programs.started() says how it ends."""
        env = self.environment() if env is None else env
        return programs.started([self.rondo, *arguments], env=env, **{"cwd": self.scratch, **more})
