"""Standard streams that are closed, full, or not what a program expects."""
import os
import signal
import socket

from harness import programs
from harness.checks import check

LIST_DESCRIPTORS = """
const fs = require('fs');
const standard = [0, 1, 2].map((fd) => fs.readlinkSync(`/proc/self/fd/${fd}`));
const own = fs.openSync('own.txt', 'w');
console.log('to stdout');
console.error('to stderr');
const child = require('child_process').spawnSync('readlink', ['/proc/self/fd/0'], { stdio: ['inherit', 'pipe', 'pipe'] });
process.stdin.on('data', () => {}).on('end', () => {
  fs.writeFileSync('report.txt', JSON.stringify([standard, own > 2, fs.readFileSync('own.txt', 'utf8'), `${child.stdout}`]));
});
"""


def test_closed(context):
    """All three are closed: /dev/null replaces them, no other file gets their numbers, and stdin ends."""
    def close_all():
        for fd in (0, 1, 2):
            os.close(fd)

    def report_is_right(outcome):
        check(outcome.returncode == 0, f"ended with {outcome.returncode}")
        with open(context.path("report.txt"), encoding="utf-8") as file:
            report = file.read()
        check(report == '[["/dev/null","/dev/null","/dev/null"],true,"","/dev/null\\n"]', report)
        os.unlink(context.path("report.txt"))

    program = context.write("app.js", LIST_DESCRIPTORS)
    context.everywhere([program], report_is_right, before=close_all)


def test_one_closed(context):
    """Each one closed alone."""
    source = "console.log(require('fs').readlinkSync(`/proc/self/fd/${process.argv[1]}`))"
    for fd in (0, 2):
        context.expect_arguments(["-e", source, str(fd)], out="/dev/null\n", before=lambda fd=fd: os.close(fd))
    context.expect("process.exitCode = require('fs').readlinkSync('/proc/self/fd/1') === '/dev/null' ? 3 : 4", status=3,
                   before=lambda: os.close(1))


def test_full(context):
    """stdout is full: console ignores the error, process.stdout reports it."""
    for source, status, message in (
            ("console.log('x')", 0, ""),
            ("process.stdout.write('x', (error) => console.error(error.code))", 1, "ENOSPC"),
            ("process.stdout.on('error', (error) => console.error(error.code)).write('x')", 0, "ENOSPC"),
            ("process.stdout.write('x')", 1, "ENOSPC")):
        with open("/dev/full", "wb") as full:
            context.expect(source, status=status, err_part=message, stdout=full)


def test_full_stderr(context):
    """An uncaught error that cannot be printed still gives its exit code."""
    with open("/dev/full", "wb") as full:
        context.expect("throw new Error('nobody sees this')", status=1, stderr=full)
        context.expect("console.error('x'); console.log('goes on')", out="goes on\n", stderr=full)


def test_pipe_without_a_reader(context):
    """The reader of a pipe has closed it: EPIPE, no SIGPIPE. Children have the default action of SIGPIPE again."""
    reading, writing = os.pipe()
    os.close(reading)
    context.expect("process.stdout.on('error', (error) => console.error(error.code)).write('x')", err_part="EPIPE",
                   stdout=writing)
    context.expect("console.log('x'); process.exitCode = 5", status=5, stdout=writing)
    os.close(writing)
    context.expect("const { status, signal } = require('child_process').spawnSync('sh', ['-c', 'kill -PIPE $$'])\n"
                   "console.log(status, signal)", out="null SIGPIPE\n")


def test_directory_as_stdin(context):
    """A directory as stdin is at its end at once."""
    directory = os.open("/", os.O_RDONLY)
    context.expect("process.stdin.on('end', () => console.log('end')).resume()", out="end\n", stdin=directory)
    os.close(directory)


def test_write_only_stdin(context):
    """A descriptor that is not open for reading."""
    with open(context.path("file"), "wb") as file:
        context.expect("process.stdin.on('error', (error) => console.log(error.code)).resume()", out="EBADF\n",
                       stdin=file)


def test_socket_as_stdio(context):
    """A socket as stdin and stdout, as with inetd."""
    for name, program, env in context.programs():
        ours, theirs = socket.socketpair()
        with ours, theirs:
            ours.sendall(b"hello")
            ours.shutdown(socket.SHUT_WR)
            outcome = context.run([program, "-e", "process.stdin.pipe(process.stdout)"], env=env, stdin=theirs,
                                  stdout=theirs)
            check(outcome.returncode == 0 and ours.recv(100) == b"hello", f"{name}: {outcome}")


def test_descriptor_flags_are_restored(context):
    """A pipe that other processes share as their stdin is blocking again afterwards, however the program ended."""
    for source, status in (("process.stdin.once('data', () => process.exit(3))", 3),
                           ("process.stdin.once('data', () => process.kill(process.pid, 'SIGTERM'))", -signal.SIGTERM)):
        for name, program, env in context.programs():
            reading, writing = os.pipe()
            os.write(writing, b"x")
            outcome = context.run([program, "-e", source], env=env, stdin=reading)
            check(outcome.returncode == status, f"{name}: {outcome}")
            check(os.get_blocking(reading), f"{name}: stdin was left non-blocking")
            os.close(reading)
            os.close(writing)


def test_slow_reader(context):
    """stdout is a full pipe that the parent made non-blocking: everything still arrives."""
    for name, program, env in context.programs():
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        with programs.started([program, "-e", "for (let i = 0; i < 3; i++) process.stdout.write('x'.repeat(100000))"],
                              env=env, stdout=writing) as process:
            os.close(writing)
            with open(reading, "rb") as pipe:
                size = len(pipe.read())
            error = process.communicate()[1]
        check(process.returncode == 0 and size == 300000, f"{name}: {process.returncode}, {size} bytes, {error}")
