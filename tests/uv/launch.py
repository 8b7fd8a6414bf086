"""rondo uv and rondo node: small programs that use libuv, and programs that cannot be run.

  launch.py --rondo RONDO [TEST...]

Each test is a function of this file whose name begins with `test_`. The programs are compiled with Debian's libuv1-dev;
without it the tests are skipped."""
import ctypes
import json
import os
import re
import shutil
import stat
import subprocess
import sys

sys.path.append(f"{sys.path[0]}/../support")
from harness import cases, context, programs, reference  # noqa: E402
from harness.checks import Skipped, check  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
# The static library as a whole: the linker leaves out functions that the program does not call.
STATIC = ("-Wl,--whole-archive", "-l:libuv_a.a", "-Wl,--no-whole-archive", "-lpthread", "-ldl")
ORDER = "idle\nclosed idle\nwork: 1\nstat: ok\ntimer\nclosed timer\nend: 0\n"


class Context(context.Context):
    def compile(self, name, *options, output=None):
        """The path of the program."""
        path = self.path(output or name)
        command = ["gcc", "-w", "-O2", "-o", path, f"{HERE}/programs/{name}.c", *options]
        if shutil.which("gcc") is None:
            raise Skipped("there is no gcc")
        done = programs.run(command)
        if done.returncode != 0 and ("uv.h" in done.stderr or "cannot find -l" in done.stderr):
            raise Skipped("libuv1-dev is not installed")
        check(done.returncode == 0, f"{' '.join(command)}: {done.stderr}")
        return path

    def version(self, *command, **variables):
        """The version in the first line, which differs between Debian's libuv and ours; and the rest of the output."""
        done = self.run(command, env={**self.environment(), **variables})
        first, _, rest = done.stdout.partition("\n")
        check(" libuv " in f" {first}", f"{command}: code {done.returncode}, {done.stdout!r}, {done.stderr!r}")
        return first.split()[-1], rest, done

    def runs_on_our_loop(self, program, *arguments):
        """Compares a run of `order` on its own libuv with a run on ours."""
        own, output, plain = self.version(program, *arguments)
        ours, replaced, done = self.version(self.rondo, "uv", program, *arguments)
        check(done.stderr == "", done.stderr)
        check(ours != own, f"both runs used libuv {own}")
        check(output.startswith(ORDER), output)
        check(replaced == output, f"expected {output!r}, got {replaced!r}")
        check(done.returncode == plain.returncode, f"codes {plain.returncode} and {done.returncode}")

    def refused(self, *words, options=()):
        """The error message of a command that ends with code 1 and without output."""
        done = self.call(*options, *words)
        check(done.returncode == 1, f"{words}: code {done.returncode}, {done.stdout!r}, {done.stderr!r}")
        check(done.stdout == "", f"{words} printed {done.stdout!r}")
        check(done.stderr.count("\n") == 1, done.stderr)
        return done.stderr


def expect(text, *parts):
    for part in parts:
        check(part in text, f"no {part!r} in {text!r}")


def test_linked(test):
    test.runs_on_our_loop(test.compile("order", "-luv"), "one", "--two")


def test_static_inside(test):
    test.runs_on_our_loop(test.compile("order", "-pie", "-fPIE", "-rdynamic", *STATIC))


def test_static_inside_at_a_fixed_address(test):
    test.runs_on_our_loop(test.compile("order", "-no-pie", "-fno-pie", "-rdynamic", *STATIC))


def test_path_and_scripts(test):
    test.compile("order", "-luv", output="order-of-test")
    script = test.write("script", "#!/usr/bin/env order-of-test\n")
    split = test.write("split", "#!/usr/bin/env -S order-of-test first\n")
    direct = test.write("direct", f"#!{test.path('order-of-test')} first second\n")
    for path in (script, split, direct):
        os.chmod(path, 0o755)
    environment = test.environment(PATH=f"{test.scratch}:{os.environ['PATH']}")
    for words, arguments in ((("order-of-test", "x"), ["x"]), ((script, "x"), [script, "x"]),
                             ((split, "x"), ["first", split, "x"]), ((direct,), ["first second", direct])):
        plain = test.run(words, env=environment)
        done = test.call("uv", *words, env=environment)
        given = [line[len("argument "):] for line in done.stdout.splitlines() if line.startswith("argument ")]
        check(given == arguments, f"{words}: {done.stdout!r} {done.stderr!r}")
        check(done.stdout.split("\n", 1)[1] == plain.stdout.split("\n", 1)[1], f"{done.stdout!r}")


def test_children(test):
    parent = test.compile("parent", "-luv")
    child = test.compile("order", "-rdynamic", *STATIC)
    other = test.write("other", "#!/bin/sh\nenv | grep -c '^RONDO_UV_'\nexit 3\n")
    os.chmod(other, 0o755)
    ours, rest, done = test.version(test.rondo, "uv", parent, child, other)
    check(rest == f"libuv {ours}\n{ORDER}order ended with 1, 0\n0\nother ended with 3, 0\n", f"{rest!r} {done.stderr!r}")
    check(done.stderr == "", done.stderr)


def test_fork_exec_and_threads(test):
    """With headers of libuv 1.44: a child that goes on with the loop, executes the program again, and threads that send to
    handles that are being closed."""
    used = "{0}\nstat: ok\nchild: 7, 0\n"
    for name, options in (("linked", ["-luv"]), ("inside", ["-pie", "-fPIE", "-rdynamic", *STATIC])):
        program = test.compile("processes", *options, output=name)
        own, output, plain = test.version(program)
        expected = (used.format("parent before") + "fork: 0\n" + used.format("child") + f"libuv {own}\n" + used.format("executed") +
                    "exit code of the child: 0\n" + used.format("parent after") + "received: 1\nend: 0\n")
        check(output == expected and plain.returncode == 0, f"on its own libuv: {output}")
        # Also with the threads that answer `rondo why`.
        for more in ({}, {"RONDO_NO_CONTROL": "0", "XDG_RUNTIME_DIR": test.scratch}):
            ours, replaced, done = test.version(test.rondo, "uv", program, **more)
            check(ours != own and done.returncode == 0 and done.stderr == "", f"{ours}, {done.returncode}, {done.stderr}")
            check(replaced == expected.replace(own, ours), f"expected {expected}, got {replaced}")


def test_signals_and_descriptors_are_inherited(test):
    """The program starts as from a shell: rondo changes no dispositions, masks or limits."""
    probe = test.write("probe.c", r"""
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <uv.h>
int main(void) {
  struct sigaction action;
  struct rlimit limit;
  sigset_t mask;
  sigaction(SIGPIPE, NULL, &action);
  sigprocmask(SIG_BLOCK, NULL, &mask);
  getrlimit(RLIMIT_NOFILE, &limit);
  printf("%d %d %lu\n", action.sa_handler == SIG_DFL, sigismember(&mask, SIGUSR1), (unsigned long)limit.rlim_cur);
  return uv_loop_close(uv_default_loop());
}
""")
    done = programs.run(["gcc", "-w", "-o", test.path("probe"), probe, "-luv"])
    if done.returncode != 0:
        raise Skipped("libuv1-dev is not installed")
    plain = test.run(["sh", "-c", "ulimit -Sn 99; exec ./probe"])
    done = test.run(["sh", "-c", f"ulimit -Sn 99; exec {test.rondo} uv ./probe"])
    check(done.stdout == plain.stdout and done.returncode == plain.returncode, f"{plain.stdout} {done.stdout} {done.stderr}")


def test_libraries_loaded_later(test):
    """A program that loads a library which uses libuv, as Python loads uvloop, or which has functions of libuv and exports them."""
    test.write("plugin.c", r"""
#include <stdio.h>
#include <uv.h>
#ifdef INSIDE
const char* uv_version_string(void) { return "of the library"; }
#endif
static void on_timer(uv_timer_t* timer) { puts("timer"); uv_close((uv_handle_t*)timer, 0); }
int work(void) {
  uv_timer_t timer;
  printf("libuv %s\n", uv_version_string());
  uv_timer_init(uv_default_loop(), &timer);
  uv_timer_start(&timer, on_timer, 1, 0);
  return uv_run(uv_default_loop(), UV_RUN_DEFAULT) + uv_loop_close(uv_default_loop());
}
""")
    test.write("loader.c", r"""
#include <dlfcn.h>
#include <stdio.h>
int main(int count, char** names) {
  if (count < 2) return 5;
  void* library = dlopen(names[1], RTLD_NOW);
  if (library == NULL) return puts(dlerror()), 6;
  int code = ((int (*)(void))dlsym(library, "work"))();
  dlclose(library);
  return code;
}
""")
    for words in (["-shared", "-fPIC", "-o", "./linked.so", "plugin.c", "-luv"],
                  ["-shared", "-fPIC", "-DINSIDE", "-o", "./inside.so", "plugin.c", "-luv"], ["-o", "./loader", "loader.c"]):
        done = test.run(["gcc", "-w", *words])
        if done.returncode != 0:
            raise Skipped("libuv1-dev is not installed")
    for library in ("./linked.so", "./inside.so"):
        own, rest, _ = test.version("./loader", library)
        ours, replaced, done = test.version(test.rondo, "--trace-file=run.rtrace", "uv", "./loader", library)
        check(own != ours and rest == replaced == "timer\n", f"{own} {ours} {replaced!r}")
        check(done.returncode == 0 and done.stderr == "" and os.path.getsize(test.path("run.rtrace")) > 0, done.stderr)
    done = test.call("uv", "./loader")
    check(done.returncode == 5, f"{done.returncode}")
    check(done.stderr == "rondo uv: ./loader loaded no library that uses libuv, so nothing ran on Rondo's loop\n", done.stderr)


def test_programs_without_libuv(test):
    expect(test.refused("uv", "true"), "rondo uv: true does not use libuv")
    hidden = test.compile("order", "-l:libuv_a.a", "-lpthread", "-ldl", output="hidden")
    expect(test.refused("uv", hidden), "does not use libuv", "exports")
    script = test.write("script", "#!/bin/sh\nexec order\n")
    os.chmod(script, 0o755)
    expect(test.refused("uv", script), f"{script} is a script", "/bin/sh does not use libuv")
    missing = test.write("missing", "#!/no/such/interpreter\n")
    os.chmod(missing, 0o755)
    expect(test.refused("uv", missing), "/no/such/interpreter does not exist")
    expect(test.refused("uv", test.rondo), "Rondo's own runtime")


def test_programs_that_cannot_be_preloaded(test):
    expect(test.refused("uv", "no-such-program"), "there is no program no-such-program on PATH")
    expect(test.refused("uv", "./no-such-program"), "ENOENT")
    expect(test.refused("uv", test.scratch), "is not an executable file")
    text = test.write("text", "hello, this is a text that is longer than the header of a program, at least 64 bytes\n")
    expect(test.refused("uv", text), "is not an executable file")
    os.chmod(text, 0o755)
    expect(test.refused("uv", text), "is neither a program nor a script")
    static = test.compile("order", "-static", "-l:libuv_a.a", "-lpthread", "-ldl", output="static")
    expect(test.refused("uv", static), "is statically linked")
    setuid = test.compile("order", "-luv", output="setuid")
    os.chmod(setuid, 0o755 | stat.S_ISUID)
    expect(test.refused("uv", setuid), "is setuid")
    musl = test.compile("order", "-luv", "-Wl,--dynamic-linker=/lib/ld-musl-x86_64.so.1", output="musl")
    expect(test.refused("uv", musl), "is linked with musl")
    other = test.path("other")
    with open(test.compile("order", "-luv"), "rb") as file:
        data = bytearray(file.read())
    data[18:20] = b"\xb7\x00"  # AArch64.
    with open(other, "wb") as file:
        file.write(data)
    os.chmod(other, 0o755)
    expect(test.refused("uv", other), "is not a program for x86-64")


def test_programs_with_another_libuv(test):
    def pretender(name, *options):
        return test.refused("uv", test.compile("pretender", "-rdynamic", *options, output=name))
    expect(pretender("new", "-DVERSION=0x020000"), "contains libuv 131072", "versions 1.44 to 1.52")
    expect(pretender("old", "-DVERSION=0x012b00"), "versions 1.44 to 1.52")
    expect(pretender("small", "-DSMALL"), "uv_loop_t is smaller")
    expect(pretender("partial", "-DPARTIAL"), "does not export all")
    expect(pretender("short", "-DSHORT"), "cannot be replaced: uv_stop is too short")


def test_a_policy_forbids_changed_code(test):
    """With PR_SET_MDWE no memory becomes executable that was not executable before."""
    deny, refuse_exec_gain = 65, 1
    libc = ctypes.CDLL(None, use_errno=True)

    def forbid():
        if libc.prctl(deny, refuse_exec_gain, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "prctl")
    program = test.compile("order", "-rdynamic", *STATIC)
    try:
        done = test.call("uv", program, preexec_fn=forbid)
    except subprocess.SubprocessError as error:
        raise Skipped("the kernel has no PR_SET_MDWE") from error
    check(done.returncode == 1 and done.stdout == "", f"{done.returncode} {done.stdout} {done.stderr}")
    expect(done.stderr, "cannot be replaced: mprotect: Permission denied; a policy of this system")


def test_options(test):
    done = test.call("uv", "--help")
    check(done.returncode == 0 and done.stdout.startswith("usage: rondo uv"), done.stdout)
    for words, text in ((["uv"], "name a program"), (["--import=x", "uv", "true"], "--import works only in Rondo's own"),
                        (["uv", "--backend=none", "true"], "--backend must be"),
                        (["uv", "--no-such-option", "true"], "--no-such-option works only"),
                        (["--ticks=per-phase", "node", "-v"], "--ticks works only in Rondo's own runtime"),
                        (["--clock=real", "--record=file", "uv", "true"], "a schedule needs virtual time")):
        done = test.call(*words)
        check(done.returncode == 9 and text in done.stderr, f"{words}: {done.returncode} {done.stderr}")
    program = test.compile("order", "-luv")
    for words in (["--backend=epoll", "uv"], ["--backend", "uring", "uv"], ["uv", "--backend", "epoll"]):
        done = test.call(*words, program)
        check(done.stdout.endswith(ORDER) and done.returncode == 1, f"{words}: {done.stdout} {done.stderr}")


def steps_of(test, *words):
    """The callbacks that `rondo order` lists: (phase, what, function)."""
    done = test.call("order", "--json", "--output=steps.json", *words)
    with open(test.path("steps.json"), encoding="utf-8") as file:
        found = json.load(file)
    return [(each["phase"], each["what"], (each["place"] or {}).get("function")) for each in found], found, done


def test_trace(test):
    program = test.compile("order", "-luv")
    steps, found, done = steps_of(test, "uv", program)
    check(done.stdout.endswith(ORDER) and done.returncode == 1, f"{done.returncode} {done.stdout} {done.stderr}")
    check(steps == [("idle", "idle", "on_idle"), ("closing", "idle", "on_close"), ("poll", "work", "after_work"),
                    ("poll", "fs", "on_stat"), ("timers", "timer", "on_timer"), ("closing", "timer", "on_close")],
          f"{steps}")
    check(found[0]["place"]["file"] == "order", f"{found[0]}")
    # The number of the callback that scheduled it.
    check([each["by"] for each in found] == [0, 1, 2, 3, 4, 5], f"{found}")
    done = test.call("trace", "--json", "--report=report.json", "uv", program)
    with open(test.path("report.json"), encoding="utf-8") as file:
        report = json.load(file)
    check(report["code"] == 1 and len(report["threads"]) == 1 and not report["failures"], f"{report}")


def test_trace_of_a_loop_that_is_not_the_default_one(test):
    """The only loop of a program is its main loop."""
    source = test.write("own.c", r"""
#include <uv.h>
static void on_timer(uv_timer_t* timer) { uv_close((uv_handle_t*)timer, 0); }
int main(void) {
  static uv_loop_t unused, loop;
  uv_timer_t timer;
  uv_loop_init(&unused);
  uv_loop_init(&loop);
  uv_timer_init(&loop, &timer);
  uv_timer_start(&timer, on_timer, 1, 0);
  return uv_run(&loop, UV_RUN_DEFAULT);
}
""")
    done = programs.run(["gcc", "-w", "-o", test.path("own"), source, "-luv"])
    if done.returncode != 0:
        raise Skipped("libuv1-dev is not installed")
    steps, _, _ = steps_of(test, "uv", "./own")
    check(steps == [("timers", "timer", "on_timer")], f"{steps}")
    done = test.call("--trace-file=own.rtrace", "uv", "./own")
    check(done.returncode == 0 and os.path.exists(test.path("own.rtrace")), done.stderr)
    expect(test.refused("uv", "./own", options=["--trace-file=/no/folder/file"]), "cannot record to '/no/folder/file.w1'")


def test_blocked(test):
    source = test.write("slow.c", r"""
#include <unistd.h>
#include <uv.h>
static void quick(uv_timer_t* timer) { uv_timer_stop(timer); }
static void slow(uv_timer_t* timer) { usleep(30 * 1000); }
int main(void) {
  uv_timer_t timers[2];
  uv_timer_init(uv_default_loop(), &timers[0]);
  uv_timer_init(uv_default_loop(), &timers[1]);
  uv_timer_start(&timers[0], quick, 1, 0);
  uv_timer_start(&timers[1], slow, 2, 0);
  return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
""")
    done = programs.run(["gcc", "-w", "-o", test.path("slow"), source, "-luv"])
    if done.returncode != 0:
        raise Skipped("libuv1-dev is not installed")
    done = test.call("--blocked=30", "uv", "./slow")
    found = re.findall(r"^rondo: a callback blocked the loop for (\d+) ms, in slow \(slow\)$", done.stderr, re.MULTILINE)
    check(done.returncode == 0 and len(found) == 1 and int(found[0]) >= 30, done.stderr)
    check(test.call("--blocked=1000000", "uv", "./slow").stderr == "", "a callback was reported that is not slow")


def test_seed(test):
    """A seed may change the order of callbacks, not what the program does."""
    program = test.compile("order", "-luv")
    for seed in range(5):
        done = test.call(f"--seed={seed}", "uv", program)
        check(sorted(done.stdout.splitlines()[1:]) == sorted(ORDER.splitlines()), f"{seed}: {done.stdout} {done.stderr}")


def test_node(test):
    node = reference.node()
    if node is None:
        raise Skipped("there is no Node")
    script = test.write("app.js", """
const [uptime] = [require('os').uptime()];
console.log(process.execPath, process.argv.slice(2).join(), uptime > 0, process.env.LD_PRELOAD.includes('libuv.so.1'));
process.title = 'new title';
console.log(process.title, Object.keys(process.env).filter((name) => name.startsWith('RONDO_UV')).length);
console.log(/ rwx.*(node|libuv)/.test(require('fs').readFileSync('/proc/self/maps', 'utf8')));
""")
    environment = test.environment(PATH=f"{os.path.dirname(node)}:{os.environ['PATH']}", NODE_OPTIONS="--no-deprecation")
    done = test.call("node", script, "a", "b", env=environment)
    check(done.stdout == f"{os.path.realpath(node)} a,b true true\nnew title 0\nfalse\n", f"{done.stdout} {done.stderr}")
    done = test.call("node", "-p", "process.versions.uv.startsWith('1.') && process.execArgv.length", env=environment)
    check(done.stdout == "2\n", f"{done.stdout} {done.stderr}")
    done = test.call("node", "-e", "process.exit(7)", env=environment)
    check(done.returncode == 7, f"{done.returncode} {done.stderr}")
    npm = test.write("tool", "#!/usr/bin/env node\nconsole.log(process.argv.length);\n")
    os.chmod(npm, 0o755)
    done = test.call("uv", npm, "x", env=environment)
    check(done.stdout == "3\n", f"{done.stdout} {done.stderr}")


if __name__ == "__main__":
    cases.main(__doc__, cases.collect(sys.modules[__name__]), Context, option="--rondo")
