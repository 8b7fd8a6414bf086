"""Hosts that are network namespaces: each has a link to a bridge, an address, and processes that die with it.

Everything is inside of one more network and process namespace, which enter() makes: nothing outside of it can see the
addresses, and nothing is left when the test ends, however it ends."""
import contextlib
import os
import signal
import subprocess
import sys

from harness import checks, programs
from harness.waiting import wait_until

INSIDE = "RONDO_TEST_NAMESPACES"
NAMESPACES = ["unshare", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
ROUTER = "10.77.0.1"


def enter():
    """Runs this program again in namespaces of its own, and ends with its exit code; inside of them, returns."""
    if os.environ.get(INSIDE):
        return
    refused = checks.Skipped("network namespaces are not available: they need root, unshare and ip")
    try:
        if programs.run([*NAMESPACES, "ip", "link", "add", "name", "test0", "type", "bridge"]).returncode != 0:
            raise refused
    except FileNotFoundError as error:
        raise refused from error
    done = subprocess.run([*NAMESPACES, sys.executable, "-B", *sys.argv], env={**os.environ, INSIDE: "1"}, check=False)
    sys.exit(done.returncode)


def ip(*words, of=()):
    done = programs.run([*of, "ip", *words])
    checks.check(done.returncode == 0, f"ip {' '.join(words)}: {done.stderr}")


def make_bridge():
    ip("link", "set", "lo", "up")
    ip("link", "add", "name", "bridge0", "type", "bridge")
    ip("address", "add", f"{ROUTER}/24", "dev", "bridge0")
    ip("link", "set", "bridge0", "up")


def parent_and_names(pid):
    """The parent and the command line of a process; None if it has ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="latin-1") as file:
            parent = int(file.read().rpartition(")")[2].split()[1])
        with open(f"/proc/{pid}/cmdline", encoding="latin-1") as file:
            return parent, file.read().split("\0")
    except (FileNotFoundError, ProcessLookupError):
        return None


def pid_inside(pid):
    """The number of a process in its own namespace."""
    with open(f"/proc/{pid}/status", encoding="latin-1") as file:
        return int(next(line for line in file if line.startswith("NSpid:")).split()[-1])


class Host:
    """A host that runs one program, whose children are its services. `number`: 1 to 250."""

    def __init__(self, number, command, log, **options):
        self.name = f"host{number}"
        self.address = f"10.77.0.{10 + number}"
        self.link = f"link{number}"
        with open(log, "ab") as out:
            # The program starts when the host has a network.
            self.unshare = subprocess.Popen([*NAMESPACES, "sh", "-c", 'read -r go; exec "$@"', "sh", *command], stdin=subprocess.PIPE,
                                            stdout=out, stderr=out, **options)
        inside = ["nsenter", "--target", str(self.unshare.pid), "--net"]
        own = os.readlink("/proc/self/ns/net")
        wait_until(lambda: os.readlink(f"/proc/{self.unshare.pid}/ns/net") != own)
        ip("link", "add", "name", self.link, "type", "veth", "peer", "name", "eth0", "netns", str(self.unshare.pid))
        ip("link", "set", self.link, "master", "bridge0", "up")
        ip("link", "set", "lo", "up", of=inside)
        ip("address", "add", f"{self.address}/24", "dev", "eth0", of=inside)
        ip("link", "set", "eth0", "up", of=inside)
        self.first = wait_until(self.child_of_unshare)
        self.unshare.stdin.write(b"go\n")
        self.unshare.stdin.close()

    def child_of_unshare(self):
        return next((pid for pid, (parent, _) in everything().items() if parent == self.unshare.pid), None)

    def processes(self, script):
        """The processes that run a script; a host has started them."""
        return [pid for pid, (parent, words) in everything().items()
                if parent == self.first and any(os.path.basename(word) == script for word in words)]

    def run(self, *command):
        return programs.run(["nsenter", "--target", str(self.unshare.pid), "--net", "--pid", "--mount", *command])

    def power_off(self):
        """At once: nothing is sent to anybody, not even the end of a connection."""
        ip("link", "delete", self.link)
        os.kill(self.first, signal.SIGKILL)
        self.unshare.wait()

    def shut_down(self, seconds=60):
        """The exit code of the program, which gets SIGTERM."""
        os.kill(self.first, signal.SIGTERM)
        code = self.unshare.wait(seconds)
        # The kernel removes it with the namespace, some time later, and its name is needed again.
        programs.run(["ip", "link", "delete", self.link])
        return code

    def close(self):
        with contextlib.suppress(ProcessLookupError):
            self.unshare.kill()
        self.unshare.wait()


def everything():
    """PID -> (parent, command line), of all processes."""
    found = {int(pid): parent_and_names(pid) for pid in os.listdir("/proc") if pid.isdigit()}
    return {pid: value for pid, value in found.items() if value is not None}
