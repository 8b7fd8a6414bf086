"""Programs on a terminal of their own."""
import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time


class Terminal:
    """A process whose standard streams, unless given, are a terminal that also sends it signals for keys."""

    def __init__(self, command, rows=24, columns=80, **more):
        self.ours, theirs = pty.openpty()
        self.resize(rows, columns)
        self.modes_before = self.modes()
        self.seen = b""
        streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs, **more}
        self.process = subprocess.Popen(command, start_new_session=True, preexec_fn=lambda: fcntl.ioctl(theirs, termios.TIOCSCTTY, 0),
                                        **streams)
        os.close(theirs)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
        os.close(self.ours)

    def resize(self, rows, columns):
        fcntl.ioctl(self.ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def modes(self):
        return termios.tcgetattr(self.ours)

    def type(self, keys):
        os.write(self.ours, keys)

    def read(self, seconds=0.1):
        """Adds what comes next to `seen`. False at the end: no process has the terminal open any more."""
        if select.select([self.ours], [], [], seconds)[0]:
            try:
                data = os.read(self.ours, 65536)
            except OSError:
                return False
            self.seen += data
            return data != b""
        return True

    def read_until(self, holds, seconds=60):
        """Reads until holds(seen); False if that did not come about."""
        end = time.monotonic() + seconds
        while not holds(self.seen):
            if time.monotonic() > end or not self.read():
                return holds(self.seen)
        return True

    def finish(self, seconds=60):
        """Reads to the end. Returns the exit code; negative for a signal, None if the process does not end."""
        end = time.monotonic() + seconds
        while self.read() and time.monotonic() < end:
            pass
        try:
            return self.process.wait(max(1, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            return None
