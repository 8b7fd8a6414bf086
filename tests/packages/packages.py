#!/usr/bin/env python3
"""Runs programs that use popular, unmodified npm packages, and compares their output.

  packages.py list                                        the programs
  packages.py fetch --store DIR                           the packages and servers, into DIR
  packages.py run --store DIR --program RONDO [NAME...]   all, or some
  packages.py update --store DIR [NAME...]                write the .out files, by node on PATH

The packages are those of package-lock.json; servers such as Redis and PostgreSQL are unpacked from Debian's packages,
not installed, and run while a test needs them, on a free port of 127.0.0.1. Ends with 77 (skipped) if they are not
available. CHROMIUM names another browser."""
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
ROOMS = ("", "servers", "web")
NOT_PROGRAMS = {"mocha_spec.cjs"}


def names_of_programs():
    found = [name for room in ROOMS for ending in ("cjs", "mjs") for name in glob.glob(f"{FOLDER}/{room}/*.{ending}")]
    return sorted(os.path.relpath(name, FOLDER) for name in found if os.path.basename(name) not in NOT_PROGRAMS)


def fetch_packages(store):
    done = programs.run([FETCH_NPM, store, FOLDER], timeout=None, stdout=None)
    print(done.stderr, end="", flush=True)
    if done.returncode != 0:
        raise Skipped((done.stderr.strip() or "fetch_npm failed").splitlines()[-1])


def of_redis(port):
    return {"TEST_REDIS_PORT": port}


def of_postgres(port):
    return {"TEST_PG_PORT": port}


def of_mariadb(port):
    return {"TEST_MYSQL_PORT": port}


def of_mosquitto(ports):
    return {"TEST_MQTT_PORT": ports[0], "TEST_MQTT_WEB_PORT": ports[1]}


def of_nats(port):
    return {"TEST_NATS_PORT": port}


def of_smtp(place):
    return {"TEST_SMTP_PORT": place[0], "TEST_SMTP_MAILBOX": place[1]}


# The server, and the variables that tell a program where it is.
SERVERS = {
    "redis": (servers.redis, of_redis),
    "postgres": (servers.postgres, of_postgres),
    "mariadb": (servers.mariadb, of_mariadb),
    "mosquitto": (servers.mosquitto, of_mosquitto),
    "nats": (servers.nats, of_nats),
    "smtp": (servers.smtp, of_smtp),
}


def chromium():
    named = os.environ.get("CHROMIUM")
    found = next(filter(None, map(shutil.which, [named] if named else ["chromium", "chromium-browser", "google-chrome"])), None)
    if found is None:
        raise Skipped("there is no Chromium; run: apt-get install chromium")
    return {"TEST_CHROMIUM": found}


def remark_of(name, kind):
    """The rest of the line `// KIND: ...` of a program: the server that it `needs`, the command that it `runs as`."""
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return next((line.split(":")[1].strip() for line in file if line.startswith(f"// {kind}: ")), None)


def command_of(program, name):
    """The words before the file, and the directory where `rondo node` finds Node: for packages that need a module
    which only Node has."""
    if remark_of(name, "runs as") != "rondo node" or program == reference.node():
        return [program], None
    node = reference.node()
    if node is None:
        raise Skipped("there is no Node to run on the loop")
    return [program, "node"], os.path.dirname(node)


@contextlib.contextmanager
def needs(name, store, scratch):
    """The variables of the environment that tell a program where its server is, which runs meanwhile."""
    need = remark_of(name, "needs")
    if need is None:
        yield {}
    elif need == "chromium":
        yield chromium()
    else:
        server, variables = SERVERS[need]
        with server(store, scratch) as place:
            yield {variable: str(value) for variable, value in variables(place).items()}


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
        command, path = command_of(program, name)
        with needs(name, store, of_server) as more:
            env = environment.minimal(work, NO_COLOR="1", TEST_KEYS=servers.KEYS, **more)
            if path is not None:
                env["PATH"] = f"{path}:{env['PATH']}"
            done = programs.run([*command, os.path.basename(name)], timeout=TIMEOUT, may_hang=True, cwd=work, stderr=subprocess.STDOUT, env=env)
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
                servers.fetch(store, name)
            return 0
        failed = 0
        for name in names:
            code, text = run(programs.absolute(options.program) or reference.node(), name, store)
            if options.command == "update" and code == 0:
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
