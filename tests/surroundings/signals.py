"""Signal masks and dispositions that the parent left behind."""
import signal

from harness.checks import check

ENDS_ITSELF = "process.kill(process.pid, '{0}'); setTimeout(() => console.log('alive'), 50)"
LISTENS = """
process.on('{0}', () => {{ console.log('heard'); clearInterval(timer); }});
const timer = setInterval(() => {{}}, 1000);
process.kill(process.pid, '{0}');
"""
STATUS = "const status = require('fs').readFileSync('/proc/self/status', 'utf8');\n" \
    "console.log(/SigBlk.*/.exec(status)[0], /SigIgn.*/.exec(status)[0])"


def block(*signals):
    return lambda: signal.pthread_sigmask(signal.SIG_BLOCK, signals)


def ignore(*signals):
    def set_all():
        for number in signals:
            signal.signal(number, signal.SIG_IGN)
    return set_all


def test_blocked(context):
    """Signals that the parent had blocked have their default action, and listeners."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name)
        context.expect(ENDS_ITSELF.format(name), status=-number, out="", before=block(number))
        context.expect(LISTENS.format(name), out="heard\n", before=block(number))


def test_ignored(context):
    """The same for signals that the parent ignored."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name)
        context.expect(ENDS_ITSELF.format(name), status=-number, out="", before=ignore(number))
        context.expect(LISTENS.format(name), out="heard\n", before=ignore(number))


def test_write_errors_stay_errors(context):
    """SIGPIPE and SIGXFSZ are ignored, whatever the parent had; no signal is blocked."""
    def block_all():
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    context.expect(STATUS, out="SigBlk:\t0000000000000000 SigIgn:\t0000000001001000\n", before=block_all)
    for name in ("SIGPIPE", "SIGXFSZ"):
        context.expect(ENDS_ITSELF.format(name), out="alive\n")


def test_children(context):
    """A child starts with an empty mask and default actions. Real-time signals do not count: glibc uses two itself."""
    source = "process.stdout.write(require('child_process').execFileSync('grep', ['-E', 'SigBlk|SigIgn', '/proc/self/status']))"

    def is_default(outcome):
        masks = [int(line.split()[1], 16) & 0x7fffffff for line in outcome.stdout.splitlines()]
        check(masks == [0, 0], "something is blocked or ignored")
    context.everywhere(["-e", source], is_default, before=block(signal.SIGTERM, signal.SIGCHLD))


def test_sigchld_ignored(context):
    """A parent that ignores SIGCHLD: exit codes of children are still collected."""
    source = "require('child_process').spawn('sh', ['-c', 'exit 7']).on('exit', (code) => console.log(code));\n" \
        "console.log(require('child_process').spawnSync('sh', ['-c', 'exit 8']).status)"
    context.expect(source, out="8\n7\n", before=ignore(signal.SIGCHLD))
    context.expect(source, out="8\n7\n", before=block(signal.SIGCHLD))


def test_after_a_listener(context):
    """Removing a listener restores the default action."""
    for name in ("SIGTERM", "SIGINT"):
        source = f"const f = () => {{}}; process.on('{name}', f); process.off('{name}', f);" + ENDS_ITSELF.format(name)
        context.expect(source, status=-getattr(signal, name), out="")


def test_exit_listener_does_not_run(context):
    """Ended by a signal, no 'exit' listener runs and the parent sees the signal."""
    source = "process.on('exit', () => console.log('exit')); console.log('ready');" + ENDS_ITSELF.format("SIGTERM")

    def by_signal(outcome):
        check(outcome.returncode == -signal.SIGTERM and outcome.stdout == "ready\n", "not ended by SIGTERM alone")
    context.everywhere(["-e", source], by_signal)
