#!/usr/bin/env python3
"""scale.py --program RONDO --packages DIR --store DIR: examples/scale on three hosts behind HAProxy, under load.

Kills processes, then a whole host, and takes one down for an upgrade. No accepted order may be lost or charged twice, the
number of failed requests is bounded, and the upgrade fails none. Hosts are network namespaces, which need root. Redis,
PostgreSQL and HAProxy are unpacked from Debian's packages into DIR of --packages, and the npm packages into that of
--store. Ends with 77 (skipped) if any of this is not available."""
import contextlib
import glob
import json
import os
import shutil
import signal
import socket
import subprocess
import sys

sys.path.append(f"{sys.path[0]}/../support")
from harness import arguments, checks, debian, environment, files, programs, servers  # noqa: E402
from harness.checks import Skipped, check  # noqa: E402
from harness.waiting import wait_until  # noqa: E402

import network  # noqa: E402

FOLDER = os.path.dirname(os.path.abspath(__file__))
EXAMPLE = os.path.join(FOLDER, "../../examples/scale")
FETCH_NPM = os.path.join(FOLDER, "../../tools/fetch_npm")
HOSTS = (1, 2, 3)
PORT = 8080
CUSTOMERS = 8
# Orders accepted between two events: enough for each customer to have been served.
ORDERS = 3 * CUSTOMERS
# A customer waits for one request at a time, and a retry may meet the same host.
MOST_FAILED_PER_KILL = 2 * CUSTOMERS
KILLED_WORKERS = 2
# Short limits, so that the test need not wait for the usual ones. They decide how soon, not whether, jobs are repeated.
SETTINGS = {"SERVICES": "2", "WORKERS": "1", "WORK_MS": "60", "LOCK_MS": "2000", "SWEEP_MS": "3000",
            "DRAIN_MS": "60000", "STOP_MS": "60000"}


class Proxy:
    """HAProxy with the configuration of the example."""

    def __init__(self, path):
        self.path = path

    def states(self):
        """Host -> UP, DOWN, NOLB (it shuts down) or a state in between."""
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(self.path)
            client.sendall(b"show stat\n")
            text = b"".join(iter(lambda: client.recv(65536), b"")).decode()
        names, *lines = [line.split(",") for line in text.lstrip("# ").strip().splitlines()]
        rows = [dict(zip(names, line)) for line in lines]
        return {row["svname"]: row["status"] for row in rows if row["svname"].startswith("host")}

    def wait_for(self, host, state):
        check(wait_until(lambda: self.states()[host.name] == state), f"{host.name} is {self.states()}, not {state}")


@contextlib.contextmanager
def haproxy(store, scratch):
    root = servers.fetch(store, "haproxy")
    path = os.path.join(scratch, "stats")
    port = debian.free_port(network.ROUTER)
    addresses = {f"HOST{number}": f"10.77.0.{10 + number}:{PORT}" for number in HOSTS}
    with debian.server([os.path.join(root, "usr/sbin/haproxy"), "-db", "-f", os.path.join(EXAMPLE, "haproxy.cfg")], port, scratch, network.ROUTER,
                       env={**debian.library_path(root), **addresses, "STATS_SOCKET": path, "PROXY_ADDRESS": f"{network.ROUTER}:{port}"}):
        yield Proxy(path), f"http://{network.ROUTER}:{port}"


class Load:
    """load.mjs, whose output is read as it comes."""

    def __init__(self, process):
        self.process = process

    def phase(self, name):
        programs.send(self.process, f"phase {name}\n")

    def line(self):
        text = self.process.stdout.readline()
        check(text, "load.mjs has ended")
        return json.loads(text)

    def more(self, orders=ORDERS):
        """Waits until so many more orders are accepted than now: lines about earlier ones may be waiting to be read."""
        programs.send(self.process, "count\n")
        while "count" not in (line := self.line()):
            pass
        wanted = line["count"] + orders
        while self.line()["accepted"] < wanted:
            pass

    def stop(self):
        programs.send(self.process, "stop\n")
        while "orders" not in (result := self.line()):
            pass
        return result


class Shop:
    """The hosts, and the programs of the test."""

    def __init__(self, rondo, app, scratch, shared):
        self.rondo, self.app, self.scratch = rondo, app, scratch
        self.variables = environment.minimal(scratch, RONDO_NO_CONTROL="1", NO_COLOR="1", **SETTINGS, **shared)
        self.hosts = contextlib.ExitStack()

    def host(self, number, version="1"):
        host = network.Host(number, [self.rondo, os.path.join(self.app, "host.mjs")], self.log(number), cwd=self.app,
                            env={**self.variables, "HOST_NAME": f"host{number}", "APP_VERSION": version, "PORT": str(PORT),
                                 "ADDRESS": f"10.77.0.{10 + number}"})
        self.hosts.callback(host.close)
        # Connections that wait to be accepted by a process that ends are given to the others.
        host.run("sh", "-c", "echo 1 > /proc/sys/net/ipv4/tcp_migrate_req")
        return host

    def log(self, number):
        return os.path.join(self.scratch, f"host{number}.log")

    def audit(self, *words, **more):
        done = programs.run([self.rondo, "audit.mjs", *words], cwd=self.app, env=self.variables, timeout=120, **more)
        check(done.returncode == 0, f"audit.mjs {words}: {done.stderr}")
        return json.loads(done.stdout)

    def load(self, base):
        return programs.started([self.rondo, "load.mjs", base, CUSTOMERS], cwd=self.app, env=self.variables, stderr=None)


def kill_services(hosts, load):
    """One process of each host, while requests are served."""
    for host in hosts:
        victim = host.processes("service.mjs")[0]
        os.kill(victim, signal.SIGKILL)
        load.more()
        check(wait_until(lambda: len(host.processes("service.mjs")) == int(SETTINGS["SERVICES"])), f"{host.name}: not started again")


def kill_workers(shop, hosts, load):
    """In the middle of a job."""
    by_name = {host.name: host for host in hosts}
    for _ in range(KILLED_WORKERS):
        name, _, pid = shop.audit("busy", *by_name).partition("/")
        victim = next((found for found in by_name[name].processes("worker.mjs") if network.pid_inside(found) == int(pid)), None)
        check(victim is not None, f"{name} has no worker {pid}")
        os.kill(victim, signal.SIGKILL)
        del by_name[name]
        load.more()


def run(shop, proxy, base):
    hosts = {number: shop.host(number) for number in HOSTS}
    for host in hosts.values():
        proxy.wait_for(host, "UP")
    with shop.load(base) as process:
        load = Load(process)
        load.more()
        load.phase("services")
        kill_services(hosts.values(), load)
        load.phase("workers")
        kill_workers(shop, hosts.values(), load)
        load.phase("power")
        hosts[2].power_off()
        proxy.wait_for(hosts[2], "DOWN")
        load.more()
        load.phase("return")
        hosts[2] = shop.host(2)
        proxy.wait_for(hosts[2], "UP")
        load.more()
        load.phase("upgrade")
        load.more()
        code = hosts[3].shut_down()
        check(code == 0, f"the host that shuts down ends with {code}")
        check("host3 is drained\n" in files.read(shop.log(3)), "the host has not waited until the proxy sent nothing more")
        load.more()
        hosts[3] = shop.host(3, version="2")
        proxy.wait_for(hosts[3], "UP")
        load.more()
        result = load.stop()
    found = shop.audit("check", input=json.dumps(result["orders"]))
    return result, found


def judge(result, found):
    phases = {name: f"{counts['failed']} of {counts['requests']} requests failed" for name, counts in result["phases"].items()}
    print(json.dumps({"phases": phases, "failures": result["failures"], "versions": result["versions"],
                      "accepted": len(result["orders"]), **found}, indent=1))
    check(not result["wrong"], f"sessions: {result['wrong']}")
    check(not found["lost"], f"accepted, but not paid: {found['lost']}")
    check(not found["unbalanced"], f"charged twice, or not at all: {found['unbalanced']}")
    check(found["paid"] >= len(result["orders"]), "fewer orders are paid than were accepted")
    check(found["repeated"] >= KILLED_WORKERS, "the killed workers had no job, so the test has not tested that jobs are repeated")
    check(set(result["versions"]) == {"host1/1", "host2/1", "host3/1", "host3/2"}, f"not all hosts served: {result['versions']}")
    bounds = {"start": 0, "services": len(HOSTS) * MOST_FAILED_PER_KILL, "workers": 0, "power": MOST_FAILED_PER_KILL,
              "return": 0, "upgrade": 0}
    for name, most in bounds.items():
        failed = result["phases"][name]["failed"]
        check(failed <= most, f"{name}: {failed} requests failed, more than {most}: {result['failures']}")


def copy_app(scratch, store):
    app = scratch.path("app")
    os.mkdir(app)
    for path in [*glob.glob(f"{EXAMPLE}/*.mjs"), *glob.glob(f"{FOLDER}/*.mjs"), f"{EXAMPLE}/package.json"]:
        shutil.copy(path, app)
    os.symlink(os.path.join(store, "node_modules"), os.path.join(app, "node_modules"))
    return app


def main(words):
    parser = arguments.parser(__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--packages", required=True)
    parser.add_argument("--store", required=True)
    options = parser.parse_args(words)
    packages, store = os.path.abspath(options.packages), os.path.abspath(options.store)
    try:
        if not os.environ.get(network.INSIDE):
            fetched = programs.run([FETCH_NPM, store, EXAMPLE], timeout=None)
            if fetched.returncode != 0:
                raise Skipped(fetched.stderr.strip() or "fetch_npm failed")
            for name in ("redis", "postgres", "haproxy"):
                servers.fetch(packages, name)
        network.enter()
        network.make_bridge()
        with files.Scratch("scale") as scratch, contextlib.ExitStack() as stack:
            os.chmod(scratch.folder, 0o755)  # PostgreSQL is another user's.
            for name in ("redis", "postgres", "haproxy"):
                os.mkdir(scratch.path(name))
            redis = stack.enter_context(servers.redis(packages, scratch.path("redis"), network.ROUTER))
            postgres = stack.enter_context(servers.postgres(packages, scratch.path("postgres"), network.ROUTER))
            proxy, base = stack.enter_context(haproxy(packages, scratch.path("haproxy")))
            shop = Shop(programs.absolute(options.program), copy_app(scratch, store), scratch.folder, {
                "REDIS_URL": f"redis://{network.ROUTER}:{redis}",
                "DATABASE_URL": f"postgres://tester:secret@{network.ROUTER}:{postgres}/postgres"})
            stack.enter_context(shop.hosts)
            try:
                judge(*run(shop, proxy, base))
            except (AssertionError, subprocess.SubprocessError) as error:
                print(f"FAILED  scale: {error}")
                for number in HOSTS:
                    print(f"--- host{number}\n{(files.read(shop.log(number)) or '')[-3000:]}")
                return 1
        return 0
    except Skipped as reason:
        return checks.skip("scale", reason)


if __name__ == "__main__":
    programs.exit_with(main)
