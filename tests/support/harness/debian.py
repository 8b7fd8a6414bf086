"""Servers and clients from Debian's packages: downloaded and unpacked into a folder of the build tree, not installed."""
import contextlib
import fcntl
import glob
import os
import shutil
import signal
import socket
import subprocess
import tempfile

from harness import files, programs
from harness.checks import Skipped
from harness.waiting import wait_until


@contextlib.contextmanager
def locked(store):
    """One process fetches; the others wait for it. The same lock as fetch_npm's: never around a call of it."""
    os.makedirs(store, exist_ok=True)
    with open(os.path.join(store, "lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def fetch(store, name, packages):
    """The root of the tree with the packages, which is called `name`; raises Skipped if they are not available."""
    root = os.path.join(store, name)
    with locked(store):
        if not os.path.isdir(root):
            unpack(store, name, root, packages)
    return root


def unpack(store, name, root, packages):
    if shutil.which("apt-get") is None:
        raise Skipped(f"there is no apt-get to fetch {name} with")
    print(f"fetching {name}", flush=True)
    with tempfile.TemporaryDirectory(dir=store) as scratch:
        os.chmod(scratch, 0o755)
        done = programs.run(["apt-get", "download", "-qq", "-o", "APT::Sandbox::User=root", *packages], timeout=None,
                            cwd=scratch, stderr=subprocess.STDOUT)
        if done.returncode != 0:
            raise Skipped(f"apt-get cannot fetch {name}: {(done.stdout.strip() or 'it failed').splitlines()[-1]}")
        made = os.path.join(scratch, "root")
        for archive in glob.glob(os.path.join(scratch, "*.deb")):
            subprocess.run(["dpkg-deb", "-x", archive, made], check=True)
        os.rename(made, root)


def library_path(root):
    """The environment for programs of the tree."""
    return {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C",
            "LD_LIBRARY_PATH": ":".join(os.path.join(root, part) for part in ("usr/lib/x86_64-linux-gnu", "lib/x86_64-linux-gnu"))}


def free_port(host="127.0.0.1"):
    with socket.socket() as probe:
        probe.bind((host, 0))
        return probe.getsockname()[1]


def await_server(host, port, process, log):
    def answers():
        with contextlib.suppress(OSError), socket.create_connection((host, port), timeout=1):
            return True

    if not wait_until(lambda: answers() or process.poll() is not None) or process.poll() is not None:
        raise Skipped(f"the server does not start: {files.read(log)[-500:]}")


@contextlib.contextmanager
def server(command, port, scratch, host="127.0.0.1", stop=signal.SIGINT, **options):
    """A server that runs until the end of the block. It has begun to accept connections on the port.

    `stop` ends it; SIGINT is a fast stop, to PostgreSQL too."""
    log = os.path.join(scratch, "server.log")
    with open(log, "wb") as out:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, **options)
    try:
        await_server(host, port, process, log)
        yield process
    finally:
        process.send_signal(stop)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
