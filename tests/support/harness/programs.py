"""Runs programs to their end, or while a test looks at them."""
import contextlib
import os
import subprocess
import sys
from subprocess import TimeoutExpired

TIMEOUT = 60  # Seconds; generous, as sanitized programs share the machine with a build.


def text_of(data):
    return (data or b"").decode(errors="replace")


def run(command, timeout=TIMEOUT, may_hang=False, **more):
    """A subprocess.CompletedProcess with text of both streams. The program has no input unless some is given.

    If it does not end in time: TimeoutExpired, or with `may_hang` a result whose returncode is None."""
    if isinstance(more.get("input"), str):
        more["input"] = more["input"].encode()
    if "input" not in more:
        more.setdefault("stdin", subprocess.DEVNULL)
    more = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
    try:
        done = subprocess.run([str(word) for word in command], timeout=timeout, check=False, **more)
    except TimeoutExpired as late:
        if not may_hang:
            raise
        done = subprocess.CompletedProcess(command, None, late.stdout, late.stderr)
    done.stdout, done.stderr = text_of(done.stdout), text_of(done.stderr)
    return done


def output_of(command, **more):
    """What a program prints; how it ended, and what it wrote to stderr, if that is not exit code 0."""
    done = run(command, may_hang=True, **more)
    if done.returncode is None:
        return f"{done.stdout}no end after {more.get('timeout', TIMEOUT)} s\n"
    return done.stdout if done.returncode == 0 else f"{done.stdout}{done.stderr}exit code {done.returncode}\n"


@contextlib.contextmanager
def started(command, **more):
    """A process that is killed at the end. Its streams are pipes of text unless given."""
    more = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **more}
    process = subprocess.Popen([str(word) for word in command], **more)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


def send(process, text):
    """Writes to the standard input of a process that runs."""
    process.stdin.write(text)
    process.stdin.flush()


def exit_with(main):
    """Ends this process with the status that main(arguments) returns."""
    sys.exit(main(sys.argv[1:]))


def absolute(path):
    """Of a program on the command line: it is called from other directories."""
    return path and os.path.abspath(path)
