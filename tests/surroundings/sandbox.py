"""seccomp filters that deny io_uring, as in containers."""
import ctypes
import errno
import platform
import struct

from harness.checks import Skipped

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
ALLOW, DENY = 0x7FFF0000, 0x00050000
SETUP, ENTER, REGISTER = 425, 426, 427
USES_FILES = """
const fs = require('fs');
const fd = fs.openSync('other', 'w');
fs.fsync(fd, () => fs.close(fd, () => fs.writeFile('file', 'content', () => fs.readFile('file', 'utf8', (error, text) => {
  console.log(error, text);
  require('net').createServer(function() { this.close(); }).listen(0, '127.0.0.1', function() {
    require('net').connect(this.address().port, '127.0.0.1').on('close', () => console.log('closed')).resume();
    this.on('connection', (socket) => socket.end());
  });
}))));
"""


def denied(*calls, code=errno.EPERM):
    """These system calls fail with `code`, all others work."""
    if platform.machine() != "x86_64":
        raise Skipped("the numbers of system calls are those of x86-64")

    def install():
        def instruction(opcode, true, false, value):
            return struct.pack("=HBBI", opcode, true, false, value)
        program = instruction(0x20, 0, 0, 0)  # Load the number of the system call.
        for call in calls:
            program += instruction(0x15, 0, 1, call) + instruction(0x06, 0, 0, DENY | code)
        program += instruction(0x06, 0, 0, ALLOW)
        memory = ctypes.create_string_buffer(program)
        header = struct.pack("=HxxxxxxQ", len(program) // 8, ctypes.addressof(memory))
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 or libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, header) != 0:
            raise OSError(ctypes.get_errno(), "seccomp")
    return install


def expect_fallback(context, *calls, code=errno.EPERM):
    env = {name: value for name, value in context.environment().items() if name != "RONDO_BACKEND"}
    outcome = context.run([context.rondo, "-e", USES_FILES], env=env, before=denied(*calls, code=code))
    assert (outcome.returncode, outcome.stdout) == (0, "null content\nclosed\n"), f"{calls}, {code}: {outcome}"


def test_io_uring_denied(context):
    """Whichever of its system calls is denied, epoll is used."""
    for calls in ((SETUP,), (ENTER,), (REGISTER,), (ENTER, REGISTER), (SETUP, ENTER, REGISTER)):
        expect_fallback(context, *calls)
    expect_fallback(context, ENTER, code=errno.ENOSYS)


def test_io_uring_requested_and_denied(context):
    """If it was requested explicitly, it is an error that says what failed."""
    outcome = context.run([context.rondo, "-e", "1"], env=context.environment(RONDO_BACKEND="uring"), before=denied(ENTER))
    assert outcome.returncode == 1 and "io_uring_enter" in outcome.stderr, str(outcome)
