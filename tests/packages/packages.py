#!/usr/bin/env python3
"""Runs programs that use popular, unmodified npm packages, and compares their output.

  packages.py list                                        the programs
  packages.py fetch --store DIR                           the packages and servers, into DIR
  packages.py run --store DIR --program RONDO [NAME...]   all, or some
  packages.py update --store DIR [NAME...]                write the .out files, by node on PATH

The packages are those of package-lock.json; Redis and PostgreSQL are unpacked from Debian's packages, not
installed, and run while a test needs them, on a free port of 127.0.0.1. Ends with 77 (skipped) if they are
not available."""
import contextlib
import glob
import os
import shutil
import subprocess
import sys

sys.path.append(f"{sys.path[0]}/../support")
from harness import arguments, checks, debian, environment, files, programs, reference  # noqa: E402
from harness.checks import Skipped  # noqa: E402

FOLDER = os.path.dirname(os.path.abspath(__file__))
FETCH_NPM = os.path.join(FOLDER, "../../tools/fetch_npm")
TIMEOUT = 120
NOT_PROGRAMS = {"mocha_spec.cjs"}
# Debian's: the servers, and the libraries that a small machine lacks.
SERVERS = {
    "redis": ["redis-tools", "libjemalloc2", "liblzf1", "libatomic1"],
    "postgres": ["postgresql-15", "libpq5", "libxml2", "libldap-2.5-0", "libsasl2-2", "libgssapi-krb5-2", "libkrb5-3",
                 "libk5crypto3", "libkrb5support0", "libkeyutils1", "liblz4-1", "libzstd1"],
}


def names_of_programs():
    found = [name for room in ("", "web") for ending in ("cjs", "mjs") for name in glob.glob(f"{FOLDER}/{room}/*.{ending}")]
    return sorted(os.path.relpath(name, FOLDER) for name in found if os.path.basename(name) not in NOT_PROGRAMS)


def fetch_packages(store):
    done = programs.run([FETCH_NPM, store, FOLDER], timeout=None, stdout=None)
    print(done.stderr, end="", flush=True)
    if done.returncode != 0:
        raise Skipped((done.stderr.strip() or "fetch_npm failed").splitlines()[-1])


def fetch_server(store, name):
    """The root of the tree that contains the server."""
    return debian.fetch(store, name, SERVERS[name])


@contextlib.contextmanager
def redis(store, scratch):
    root = fetch_server(store, "redis")
    # One binary under several names: which it is called by says what it does.
    program = os.path.join(scratch, "redis-server")
    os.symlink(os.path.join(root, "usr/bin/redis-check-rdb"), program)
    port = debian.free_port()
    with debian.server([program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", scratch], port, scratch,
                       env=debian.library_path(root)):
        yield {"TEST_REDIS_PORT": str(port)}


@contextlib.contextmanager
def postgres(store, scratch):
    root = fetch_server(store, "postgres")
    programs_at = os.path.join(root, "usr/lib/postgresql/15/bin")
    data = os.path.join(scratch, "data")
    os.mkdir(data)
    password = os.path.join(scratch, "password")
    files.write(password, "secret\n")
    options = {"env": debian.library_path(root), "cwd": scratch}
    # PostgreSQL refuses to run as root.
    if os.geteuid() == 0:
        options["user"] = options["group"] = 65534
        options["extra_groups"] = []
        for path in (scratch, data, password):
            os.chown(path, 65534, 65534)
    try:
        made = programs.run([os.path.join(programs_at, "initdb"), "-D", data, "-U", "tester", "--auth=scram-sha-256",
                             f"--pwfile={password}", "--no-sync", "--locale=C", "--encoding=UTF8"],
                            timeout=TIMEOUT, stderr=subprocess.STDOUT, **options)
    except PermissionError as error:
        raise Skipped(f"another user, who PostgreSQL must be, cannot reach {programs_at}: {error}") from error
    if made.returncode != 0:
        raise Skipped(f"initdb: {made.stdout[-500:]}")
    port = debian.free_port()
    with debian.server([os.path.join(programs_at, "postgres"), "-D", data, "-p", str(port), "-h", "127.0.0.1", "-k", "", "-F"], port, scratch,
                       **options):
        yield {"TEST_PG_PORT": str(port)}


def needs(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        for line in file:
            if line.startswith("// needs: "):
                return {"redis": redis, "postgres": postgres}[line.split(":")[1].strip()]
    return lambda store, scratch: contextlib.nullcontext({})


def run(program, name, store):
    """The exit code and the output."""
    with files.Scratch("packages") as scratch:
        os.chmod(scratch.folder, 0o755)  # The server may be another user's.
        work = scratch.path("work")
        os.mkdir(work)
        for file in [name, *NOT_PROGRAMS]:
            shutil.copy(os.path.join(FOLDER, file), work)
        os.symlink(os.path.join(store, "node_modules"), os.path.join(work, "node_modules"))
        servers = scratch.path("server")
        os.mkdir(servers)
        with needs(name)(store, servers) as more:
            done = programs.run([program, os.path.basename(name)], timeout=TIMEOUT, may_hang=True, cwd=work, stderr=subprocess.STDOUT,
                                env=environment.minimal(work, NO_COLOR="1", **more))
            return f"none after {TIMEOUT} s" if done.returncode is None else done.returncode, done.stdout


def expected_of(name):
    return files.read(os.path.join(FOLDER, os.path.splitext(name)[0] + ".out"))


def main(words):
    parser = arguments.parser(__doc__)
    parser.add_argument("command", choices=("list", "fetch", "run", "update"))
    parser.add_argument("names", nargs="*")
    parser.add_argument("--store")
    parser.add_argument("--program")
    options = parser.parse_intermixed_args(words)
    if options.command == "list":
        print("\n".join(names_of_programs()))
        return 0
    names = options.names or names_of_programs()
    store = os.path.abspath(options.store)
    try:
        fetch_packages(store)
        if options.command == "fetch":
            for name in SERVERS:
                fetch_server(store, name)
            return 0
        failed = 0
        for name in names:
            code, text = run(programs.absolute(options.program) or reference.node(), name, store)
            if options.command == "update":
                files.write(os.path.join(FOLDER, os.path.splitext(name)[0] + ".out"), text)
            elif code != 0 or text != expected_of(name):
                failed += 1
                print(f"{name}: exit code {code}; expected:\n{expected_of(name)}\nprinted:\n{text}", flush=True)
        print(f"{len(names) - failed} passed, {failed} failed")
        return 1 if failed else 0
    except Skipped as reason:
        return checks.skip("packages", reason)


if __name__ == "__main__":
    programs.exit_with(main)
