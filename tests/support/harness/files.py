"""Text files, and directories for the files of one test."""
import os
import tempfile


def read(path):
    """The text of a file; None if there is no such file."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


class Scratch:
    """A temporary directory; a context manager that removes it."""

    def __init__(self, prefix="rondo-test-"):
        self.temporary = tempfile.TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True)
        self.folder = os.path.realpath(self.temporary.name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.remove()

    def remove(self):
        self.temporary.cleanup()

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, text):
        """Returns the path. Makes the directories that lead to it."""
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return write(path, text)

    def read(self, name):
        return read(self.path(name))

    def names(self, prefix=""):
        return sorted(name for name in os.listdir(self.folder) if name.startswith(prefix))
