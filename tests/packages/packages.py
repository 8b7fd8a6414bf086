#!/usr/bin/env python3
"""Runs programs that use well-known npm packages, as they are, and compares what they print.

  packages.py list                                        the programs
  packages.py fetch --store DIR                           the packages and servers, into DIR
  packages.py run --store DIR --program RONDO [NAME...]   all, or some
  packages.py update --store DIR [NAME...]                write the .out files, by node on PATH

The packages are those of package-lock.json; Redis and PostgreSQL are unpacked from Debian's packages, not
installed, and run while a test needs them, on a port of 127.0.0.1 that is free. Ends with 77 (skipped) where
neither can be had."""
import argparse
import contextlib
import fcntl
import glob
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "support"))
import reference  # noqa: E402

FOLDER = os.path.dirname(os.path.abspath(__file__))
FETCH_NPM = os.path.join(FOLDER, "../../tools/fetch_npm")
SKIPPED = 77
TIMEOUT = 120
NOT_PROGRAMS = {"mocha_spec.cjs"}
# Debian's: the servers, and the libraries that a small machine lacks.
SERVERS = {
    "redis": ["redis-tools", "libjemalloc2", "liblzf1", "libatomic1"],
    "postgres": ["postgresql-15", "libpq5", "libxml2", "libldap-2.5-0", "libsasl2-2", "libgssapi-krb5-2", "libkrb5-3",
                 "libk5crypto3", "libkrb5support0", "libkeyutils1", "liblz4-1", "libzstd1"],
}


class Missing(Exception):
    """Something that a test needs cannot be had here."""


def programs():
    found = glob.glob(os.path.join(FOLDER, "*.cjs")) + glob.glob(os.path.join(FOLDER, "*.mjs"))
    return sorted(os.path.basename(name) for name in found if os.path.basename(name) not in NOT_PROGRAMS)


@contextlib.contextmanager
def locked(store):
    """One process fetches; the others wait for it. The same lock as fetch_npm's: never around a call of it."""
    os.makedirs(store, exist_ok=True)
    with open(os.path.join(store, "lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def fetch_packages(store):
    done = subprocess.run([FETCH_NPM, store, FOLDER], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    print(done.stderr, end="", flush=True)
    if done.returncode != 0:
        raise Missing((done.stderr.strip() or "fetch_npm failed").splitlines()[-1])


def fetch_server(store, name):
    """The root of the tree that holds the server."""
    root = os.path.join(store, name)
    with locked(store):
        if not os.path.isdir(root):
            unpack_server(store, name, root)
    return root


def unpack_server(store, name, root):
    if shutil.which("apt-get") is None:
        raise Missing(f"there is no apt-get to fetch {name} with")
    print(f"fetching {name}", flush=True)
    with tempfile.TemporaryDirectory(dir=store) as scratch:
        os.chmod(scratch, 0o755)
        done = subprocess.run(["apt-get", "download", "-qq", "-o", "APT::Sandbox::User=root", *SERVERS[name]], cwd=scratch,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            raise Missing(f"apt-get cannot fetch {name}: {(done.stdout.strip() or 'it failed').splitlines()[-1]}")
        made = os.path.join(scratch, "root")
        for archive in glob.glob(os.path.join(scratch, "*.deb")):
            subprocess.run(["dpkg-deb", "-x", archive, made], check=True)
        os.rename(made, root)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def library_path(root):
    return {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C",
            "LD_LIBRARY_PATH": ":".join(os.path.join(root, part) for part in ("usr/lib/x86_64-linux-gnu", "lib/x86_64-linux-gnu"))}


def wait_for(port, server, log):
    until = time.monotonic() + 60
    while time.monotonic() < until and server.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.02)
    with open(log, encoding="utf-8", errors="replace") as file:
        raise Missing(f"the server does not start: {file.read()[-500:]}")


@contextlib.contextmanager
def server(arguments, port, scratch, **options):
    log = os.path.join(scratch, "server.log")
    with open(log, "wb") as out:
        process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=out, stderr=out, **options)
    try:
        wait_for(port, process, log)
        yield
    finally:
        process.send_signal(signal.SIGINT)  # A fast stop, to PostgreSQL too.
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextlib.contextmanager
def redis(store, scratch):
    root = fetch_server(store, "redis")
    # One binary under several names: which it is called by says what it does.
    program = os.path.join(scratch, "redis-server")
    os.symlink(os.path.join(root, "usr/bin/redis-check-rdb"), program)
    port = free_port()
    with server([program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", scratch], port, scratch,
                env=library_path(root)):
        yield {"TEST_REDIS_PORT": str(port)}


@contextlib.contextmanager
def postgres(store, scratch):
    root = fetch_server(store, "postgres")
    programs_at = os.path.join(root, "usr/lib/postgresql/15/bin")
    data = os.path.join(scratch, "data")
    os.mkdir(data)
    password = os.path.join(scratch, "password")
    with open(password, "w", encoding="utf-8") as file:
        file.write("secret\n")
    options = {"env": library_path(root), "cwd": scratch}
    # PostgreSQL refuses to run as root.
    if os.geteuid() == 0:
        options["user"] = options["group"] = 65534
        options["extra_groups"] = []
        for path in (scratch, data, password):
            os.chown(path, 65534, 65534)
    try:
        made = subprocess.run([os.path.join(programs_at, "initdb"), "-D", data, "-U", "tester", "--auth=scram-sha-256",
                               f"--pwfile={password}", "--no-sync", "--locale=C", "--encoding=UTF8"],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False, **options)
    except PermissionError as error:
        raise Missing(f"another user, who PostgreSQL must be, cannot reach {programs_at}: {error}") from error
    if made.returncode != 0:
        raise Missing(f"initdb: {made.stdout[-500:]}")
    port = free_port()
    with server([os.path.join(programs_at, "postgres"), "-D", data, "-p", str(port), "-h", "127.0.0.1", "-k", "", "-F"], port, scratch,
                **options):
        yield {"TEST_PG_PORT": str(port)}


def needs(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        for line in file:
            if line.startswith("// needs: "):
                return {"redis": redis, "postgres": postgres}[line.split(":")[1].strip()]
    return lambda store, scratch: contextlib.nullcontext({})


def run(program, name, store):
    """The exit code and what was printed."""
    with tempfile.TemporaryDirectory(prefix="packages") as scratch:
        os.chmod(scratch, 0o755)  # The server may be another user's.
        work = os.path.join(scratch, "work")
        os.mkdir(work)
        for file in [name, *NOT_PROGRAMS]:
            shutil.copy(os.path.join(FOLDER, file), work)
        os.symlink(os.path.join(store, "node_modules"), os.path.join(work, "node_modules"))
        servers = os.path.join(scratch, "server")
        os.mkdir(servers)
        with needs(name)(store, servers) as more:
            environment = {key: os.environ[key] for key in ("PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "RONDO_BACKEND")
                           if key in os.environ}
            environment.update(HOME=work, TMPDIR=work, NO_COLOR="1", **more)
            try:
                done = subprocess.run([program, name], cwd=work, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, timeout=TIMEOUT, check=False)
            except subprocess.TimeoutExpired as late:
                return f"none after {TIMEOUT} s", (late.stdout or b"").decode(errors="replace")
            return done.returncode, done.stdout.decode(errors="replace")


def expected_of(name):
    with open(os.path.join(FOLDER, os.path.splitext(name)[0] + ".out"), encoding="utf-8") as file:
        return file.read()


def main(arguments):
    parser = argparse.ArgumentParser(prog="packages", description="npm packages under Rondo")
    parser.add_argument("command", choices=("list", "fetch", "run", "update"))
    parser.add_argument("names", nargs="*")
    parser.add_argument("--store")
    parser.add_argument("--program")
    options = parser.parse_intermixed_args(arguments)
    if options.command == "list":
        print("\n".join(programs()))
        return 0
    names = options.names or programs()
    store = os.path.abspath(options.store)
    try:
        fetch_packages(store)
        if options.command == "fetch":
            for name in SERVERS:
                fetch_server(store, name)
            return 0
        failed = 0
        for name in names:
            code, text = run(os.path.abspath(options.program) if options.program else reference.node(), name, store)
            if options.command == "update":
                with open(os.path.join(FOLDER, os.path.splitext(name)[0] + ".out"), "w", encoding="utf-8") as file:
                    file.write(text)
            elif code != 0 or text != expected_of(name):
                failed += 1
                print(f"{name}: exit code {code}; expected:\n{expected_of(name)}\nprinted:\n{text}", flush=True)
        print(f"{len(names) - failed} passed, {failed} failed")
        return 1 if failed else 0
    except Missing as reason:
        print(f"packages: Skipped\n{reason}")
        return SKIPPED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
