"""Terminals: their modes are put back, however a program ends."""
import dataclasses
import os
import pty
import signal
import subprocess
import termios

from harness import check

RAW = "process.stdin.setRawMode(true); process.stdout.write('raw'); setInterval(() => {}, 1000);"
ON_KEY = "process.stdin.setRawMode(true); process.stdout.write('raw'); process.stdin.once('data', () => {{ {0} }})"


def run_on_terminal(program, env, source, then):
    """Runs `source` with a terminal of its own as stdin and stdout, and calls then(process, terminal) once it has printed `raw`."""
    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    with subprocess.Popen([program, "-e", source], env=env, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE,
                          start_new_session=True) as process:
        text = b""
        while not text.endswith(b"raw"):
            text += os.read(ours, 100)
        check(termios.tcgetattr(theirs) != before, "the terminal is not in raw mode")
        then(process, ours)
        error = process.stderr.read().decode()
    after = termios.tcgetattr(theirs)
    os.close(ours)
    os.close(theirs)
    check(after == before, f"the terminal was left in raw mode; {error}")
    return process.returncode


def expect_normal_mode(context, source, status, then):
    for name, program, env in context.programs():
        try:
            ended = run_on_terminal(program, env, source, then)
        except AssertionError as problem:
            raise AssertionError(f"{name}: {problem}") from None
        check(ended == status, f"{name}: ended with {ended}, not {status}")


def test_ended_by_a_signal(context):
    for number in (signal.SIGTERM, signal.SIGINT):
        expect_normal_mode(context, RAW, -number, lambda process, _, number=number: process.send_signal(number))


def test_ended_by_itself(context):
    for end, status in (("process.exit(3)", 3), ("throw new Error('uncaught')", 1), ("process.stdin.pause()", 0)):
        expect_normal_mode(context, ON_KEY.format(end), status, lambda _, terminal: os.write(terminal, b"x"))


def test_ended_in_a_busy_loop(context):
    source = "process.stdin.setRawMode(true); process.stdout.write('raw'); for (;;);"
    expect_normal_mode(context, source, -signal.SIGTERM, lambda process, _: process.terminate())


def test_after_a_listener(context):
    """A listener that was removed again does not get in the way. Node leaves the terminal in raw mode then."""
    source = "const f = () => {}; process.on('SIGTERM', f); process.off('SIGTERM', f);" + RAW
    expect_normal_mode(dataclasses.replace(context, node=""), source, -signal.SIGTERM, lambda process, _: process.terminate())
