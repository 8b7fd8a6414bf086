"""The program itself: its files, its name, its path, and how debuggers and profilers see it."""
import glob
import os
import re
import resource
import shutil

from harness import programs
from harness.checks import Skipped, check

MAGIC = rb"rdo\d"  # Of the snapshot, src/runtime/engine/sources.cc.
ENGINE = 24  # Offset of V8's version.


def files_of(program):
    """The program, and the library of Rondo's own code if it is a separate file (not with another V8)."""
    code = os.path.join(os.path.dirname(program), "librondo-code.so")
    return [program] + ([code] if os.path.exists(code) else [])


def copy(context, folder):
    """A copy of the program in a folder of that name."""
    os.makedirs(context.path(folder))
    for file in files_of(context.rondo):
        shutil.copy(file, context.path(folder))
    return os.path.join(context.path(folder), os.path.basename(context.rondo))


def test_snapshot_of_another_v8(context):
    """One line and exit code 1, not a check failure in V8."""
    program = copy(context, "other")
    file = files_of(program)[-1]
    with open(file, "rb") as stream:
        data = bytearray(stream.read())
    version = context.run([context.rondo, "-p", "process.versions.v8"]).stdout.strip().encode()
    places = [match.start() for match in re.finditer(MAGIC, data)]
    places = [at for at in places if data.startswith(version, at + ENGINE)]
    check(len(places) == 1, f"{file} holds {len(places)} snapshots")
    data[places[0] + ENGINE:places[0] + ENGINE + 2] = b"99"
    with open(file, "wb") as stream:
        stream.write(data)
    for arguments in (["-e", "console.log('ran')"], ["-p", "1"], ["test"]):
        outcome = context.run([program, *arguments])
        check(outcome.returncode == 1 and outcome.stdout == "", f"{arguments}: {outcome}")
        check(outcome.stderr.startswith("rondo: the start-up snapshot is for V8 99.") and outcome.stderr.count("\n") == 1 and
              "install or build them again" in outcome.stderr, f"{arguments}: {outcome}")
    check(context.run([program, "--help"]).returncode == 0, "--help needs no snapshot")


def shown_by_ps(context, program, env, source, *arguments):
    """Starts a program that prints a line when it is ready and then waits; (its PID, its line in ps, the line)."""
    with programs.started([program, "-e", source + "; process.stdin.resume(); console.log(process.title);", *arguments],
                          cwd=context.scratch, env=env, stderr=None) as process:
        line = process.stdout.readline().rstrip("\n")
        exe = os.readlink(f"/proc/{process.pid}/exe")
        shown = {name: programs.run(["ps", "-ww", "-o", f"{name}=", "-p", process.pid]).stdout.strip() for name in ("comm", "args")}
        process.stdin.close()
        process.wait(programs.TIMEOUT)
    check(process.returncode == 0, f"ended with {process.returncode}")
    return exe, shown, line


def needs(*programs):
    for program in programs:
        if shutil.which(program) is None:
            raise Skipped(f"there is no {program}")


def test_name_that_ps_shows(context):
    """The file's own name and arguments, not those of V8's host."""
    needs("ps")
    exe, shown, line = shown_by_ps(context, context.rondo, context.environment(), "1", "argument")
    check(exe == os.path.realpath(context.rondo), exe)
    check(shown["comm"] == "rondo" and shown["args"].startswith(f"{context.rondo} -e 1;") and
          shown["args"].endswith(" argument"), f"{shown}")
    check(line == context.rondo, line)


def test_title_that_ps_shows(context):
    """process.title replaces name and arguments, and is truncated to the length of the arguments."""
    needs("ps")
    for name, program, env in context.programs():
        _, shown, line = shown_by_ps(context, program, env, "process.title = 'a (title) of 24 characters'")
        check(line == shown["args"] == "a (title) of 24 characters" and shown["comm"] == "a (title) of 24", f"{name}: {shown}")
        _, shown, line = shown_by_ps(context, program, env, "process.title = 'x'.repeat(1e5)")
        check(set(line) == {"x"} and line == shown["args"] and 100 < len(line) < 1000, f"{name}: {len(line)} characters")
        _, shown, line = shown_by_ps(context, program, env, "process.title = 'first, and longer'; process.title = 'second'")
        check(line == shown["args"] == shown["comm"] == "second", f"{name}: {shown}")
    context.expect("process.title = 'other'; console.log(process.argv0 === process.title, process.execPath.length > 5, "
                   "require('child_process').execFileSync(process.execPath, ['-p', '1']).length)", out="false true 2\n")
    context.expect_arguments(["--title=given", "-p", "process.title"], out="given\n")


def test_started_through_links_and_from_a_moved_folder(context):
    """The library is found beside the program itself, and process.execPath is the program."""
    program = copy(context, "first")
    os.rename(context.path("first"), context.path("second folder"))
    program = os.path.join(context.path("second folder"), os.path.basename(program))
    os.symlink(program, context.path("link"))
    os.symlink("link", context.path("link to a link"))
    source = "[process.execPath, require('fs').readlinkSync('/proc/self/exe'), process.argv0].join()"
    for start in (program, "./link", context.path("link"), "./link to a link"):
        outcome = context.run([start, "-p", source])
        check(outcome.stdout == f"{program},{program},{start}\n", f"{start}: {outcome}")
    env = {**context.environment(), "PATH": context.scratch}
    outcome = context.run(["link", "-p", source], env=env)
    check(outcome.stdout == f"{program},{program},link\n", f"through PATH: {outcome}")
    outcome = context.run(["other name", "-p", source], executable=program)
    check(outcome.stdout == f"{program},{program},other name\n", f"with another argv[0]: {outcome}")


def test_core_dump(context):
    """gdb shows the frames of V8 and of Rondo by name."""
    needs("gdb")
    with open("/proc/sys/kernel/core_pattern", encoding="utf-8") as file:
        pattern = file.read().strip()
    if not re.fullmatch(r"[\w.%-]+", pattern):
        raise Skipped(f"core dumps go elsewhere: {pattern}")
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    if context.is_sanitized or hard == 0:
        raise Skipped("the limit of core dumps is 0" if hard == 0 else "sanitizers write no core dump")
    # V8 calls a function of Rondo, which aborts.
    outcome = context.run([context.rondo, "--max-old-space-size=20", "-e", "const all = []; for (;;) all.push(Array(1000).fill(1.5));"],
                          before=lambda: resource.setrlimit(resource.RLIMIT_CORE, (hard, hard)))
    check(outcome.returncode == -6, f"{outcome}")
    cores = glob.glob(context.path("*core*"))
    if not cores:
        raise Skipped("the kernel wrote no core dump")
    shown = context.run(["gdb", "--batch", "-nx", "-ex", "bt", context.rondo, cores[0]]).stdout
    for frame in ("abort", "on_fatal_error", "v8::internal::V8::FatalProcessOutOfMemory", "Builtins_"):
        check(re.search(rf"^#\d+ .*{frame}", shown, re.MULTILINE), f"no frame of {frame}:\n{shown}")


def test_perf_finds_names(context):
    """perf's map of JavaScript functions is written, and its samples have the names of V8's and Rondo's functions."""
    needs("perf")
    data = context.path("perf.data")
    app = context.write("app.js", """
        function spinInJavaScript() { while (process.cpuUsage().user < 500_000) for (let i = 0; i < 1000; i++) ; }
        spinInJavaScript();
        console.log(process.pid);""")
    recorded = context.run(["perf", "record", "-q", "--call-graph", "fp", "-e", "cpu-clock", "-o", data, context.rondo,
                            "--perf-basic-prof", app])
    if not os.path.exists(data) or not recorded.stdout.strip():
        raise Skipped(f"perf cannot record here: {(recorded.stderr.strip().splitlines() or ['it does not say why'])[-1]}")
    map_file = f"/tmp/perf-{recorded.stdout.strip()}.map"
    try:
        check(os.path.exists(map_file), f"no {map_file}: {recorded}")
        with open(map_file, encoding="utf-8") as file:
            names = file.read()
        check(re.search(r"^[0-9a-f]+ [0-9a-f]+ JS:.spinInJavaScript", names, re.MULTILINE), "the map has no function of app.js")
        samples = context.run(["perf", "script", "-i", data, "-F", "comm,ip,sym,dso"]).stdout
    finally:
        if os.path.exists(map_file):
            os.unlink(map_file)
    check("spinInJavaScript" in samples, "no sample in a function of JavaScript")
    code = os.path.basename(files_of(context.rondo)[-1])
    check(f"/{code})" in samples, f"no sample in {code}")
