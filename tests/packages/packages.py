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
from harness import arguments, checks, environment, files, programs, reference, servers  # noqa: E402
from harness.checks import Skipped  # noqa: E402

FOLDER = os.path.dirname(os.path.abspath(__file__))
FETCH_NPM = os.path.join(FOLDER, "../../tools/fetch_npm")
TIMEOUT = 120
NOT_PROGRAMS = {"mocha_spec.cjs"}


def names_of_programs():
    found = [name for room in ("", "web") for ending in ("cjs", "mjs") for name in glob.glob(f"{FOLDER}/{room}/*.{ending}")]
    return sorted(os.path.relpath(name, FOLDER) for name in found if os.path.basename(name) not in NOT_PROGRAMS)


def fetch_packages(store):
    done = programs.run([FETCH_NPM, store, FOLDER], timeout=None, stdout=None)
    print(done.stderr, end="", flush=True)
    if done.returncode != 0:
        raise Skipped((done.stderr.strip() or "fetch_npm failed").splitlines()[-1])


@contextlib.contextmanager
def redis(store, scratch):
    with servers.redis(store, scratch) as port:
        yield {"TEST_REDIS_PORT": str(port)}


@contextlib.contextmanager
def postgres(store, scratch):
    with servers.postgres(store, scratch) as port:
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
        of_server = scratch.path("server")
        os.mkdir(of_server)
        with needs(name)(store, of_server) as more:
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
            for name in servers.PACKAGES:
                servers.fetch(store, name)
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
