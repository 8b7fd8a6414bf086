"""Terminals: their modes are restored, however a program ends."""
import signal
import subprocess

from harness.checks import check
from harness.terminal import Terminal

RAW = "process.stdin.setRawMode(true); process.stdout.write('raw'); setInterval(() => {}, 1000);"
ON_KEY = "process.stdin.setRawMode(true); process.stdout.write('raw'); process.stdin.once('data', () => {{ {0} }})"


def run_on_terminal(program, env, source, then):
    """Runs `source` on a terminal, and calls then(terminal) once it has printed `raw`. Returns the exit code."""
    with Terminal([program, "-e", source], env=env, stderr=subprocess.PIPE) as terminal:
        check(terminal.read_until(lambda seen: seen.endswith(b"raw")), f"it printed {terminal.seen}")
        check(terminal.modes() != terminal.modes_before, "the terminal is not in raw mode")
        then(terminal)
        error = terminal.process.stderr.read().decode()
        status = terminal.finish()
        check(terminal.modes() == terminal.modes_before, f"the terminal was left in raw mode; {error}")
    return status


def expect_normal_mode(context, source, status, then):
    for name, program, env in context.programs():
        try:
            ended = run_on_terminal(program, env, source, then)
        except AssertionError as problem:
            raise AssertionError(f"{name}: {problem}") from None
        check(ended == status, f"{name}: ended with {ended}, not {status}")


def test_ended_by_a_signal(context):
    for number in (signal.SIGTERM, signal.SIGINT):
        expect_normal_mode(context, RAW, -number, lambda terminal, number=number: terminal.process.send_signal(number))


def test_ended_by_itself(context):
    for end, status in (("process.exit(3)", 3), ("throw new Error('uncaught')", 1), ("process.stdin.pause()", 0)):
        expect_normal_mode(context, ON_KEY.format(end), status, lambda terminal: terminal.type(b"x"))


def test_ended_in_a_busy_loop(context):
    source = "process.stdin.setRawMode(true); process.stdout.write('raw'); for (;;);"
    expect_normal_mode(context, source, -signal.SIGTERM, lambda terminal: terminal.process.terminate())


def test_after_a_listener(context):
    """A removed listener has no effect. Node leaves the terminal in raw mode then."""
    source = "const f = () => {}; process.on('SIGTERM', f); process.off('SIGTERM', f);" + RAW
    expect_normal_mode(context.without_node(), source, -signal.SIGTERM, lambda terminal: terminal.process.terminate())
