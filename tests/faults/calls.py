"""Compares calls.def with the object files: every function of libc that the layers of src/ use has to be in the table,
and every row of the table has to be used."""
import ctypes
import pathlib
import re
import sys

sys.path.append(f"{sys.path[0]}/../support")
from harness import arguments, programs  # noqa: E402

LAYERS = ("base", "loop", "explore", "io", "uv", "runtime", "bindings", "cli")
BUILD_TOOLS = ("src/cli/mksnapshot.cc",)  # Run while Rondo is built, not by users.
ROW = re.compile(r"^(CALL|CALL_BY|SYSCALL|EXEMPT|PURE)\(([^,)]*)")
# Functions that are called by another name than in the source.
ALIASES = (re.compile(r"^__isoc(?:99|23)_(\w+)$"), re.compile(r"^__(\w+)_chk$"))
NOT_SHARED = ("pthread_atfork",)  # In libc_nonshared.a, and so not in libc.so.6.
# System calls made inside the C++ standard library: the name used in calls.def, and a pattern of the linker symbols.
STANDARD = {
    "std_filesystem": re.compile(r"^_ZNK?St10filesystem(?!7__cxx114path)"),
    "std_fstream": re.compile(r"^_ZNK?St1[34]basic_(filebuf|[io]?fstream)"),
    "std_thread": re.compile(r"^_ZNSt6thread15_M_start_thread"),
    "std_random_device": re.compile(r"^_ZNSt13random_device"),
}


def read_table(path):
    """Names by kind. The name of a SYSCALL is SYS_name, also in EXEMPT rows."""
    table = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        match = ROW.match(line)
        if not match:
            continue
        kind, names = match.groups()
        for name in names.split():
            name = f"SYS_{name}" if kind == "SYSCALL" else name
            if name in table:
                raise SystemExit(f"calls.def: {name} has two rows")
            table[name] = kind
    return table


def find_objects(build, source):
    """The object files of the layers, without those of tests and of removed sources. By source."""
    found = {}
    for path in build.glob("CMakeFiles/*.dir/src/**/*.cc.o"):
        name = path.as_posix()
        name = name[name.index(".dir/src/") + len(".dir/"):-len(".o")]
        is_layer = name.split("/")[1] in LAYERS
        if is_layer and not name.endswith("_test.cc") and name not in BUILD_TOOLS and (source / name).exists():
            found.setdefault(name, path)
    return found


def undefined_symbols(paths):
    """Pairs of an object file and a symbol."""
    done = programs.run(["nm", "-u", "-A", *paths])
    if done.returncode != 0:
        sys.exit(f"nm: {done.stderr}")
    for line in done.stdout.splitlines():
        path, symbol = line.rsplit(":", 1)
        yield path, symbol.split()[-1].split("@")[0]


def plain(symbol):
    for alias in ALIASES:
        match = alias.match(symbol)
        if match:
            return match.group(1)
    return symbol


def calls_of(objects, libc):
    """The used functions: {function: a source that uses it}."""
    calls = {}
    names = {str(path): name for name, path in objects.items()}
    for path, symbol in undefined_symbols(objects.values()):
        standard = [row for row, pattern in STANDARD.items() if pattern.match(symbol)]
        if standard:
            calls.setdefault(standard[0], names[path])
        elif symbol != "syscall" and plain(symbol) not in calls and (symbol in NOT_SHARED or hasattr(libc, symbol)):
            calls[plain(symbol)] = names[path]
    return calls


def direct_calls(source):
    """The numbers passed to syscall(2), from the text: {SYS_name: source}."""
    calls, problems = {}, []
    for path in sorted(source.glob("src/**/*")):
        if path.suffix not in (".cc", ".h") or path.name.endswith("_test.cc"):
            continue
        for argument in re.findall(r"\bsyscall\(\s*([^,)]+)", path.read_text(encoding="utf-8")):
            name = path.relative_to(source).as_posix()
            if argument.startswith("SYS_"):
                calls.setdefault(argument, name)
            elif "::syscall(" + argument in path.read_text(encoding="utf-8"):
                problems.append(f"{name}: syscall({argument}) has to name its number, SYS_…, for tests/faults/calls.py")
    return calls, problems


def main(words):
    parser = arguments.parser(__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--with-runtime", action="store_true", help="the runtime is built, too")
    options = parser.parse_args(words)
    table = read_table(options.source / "tests/faults/calls.def")
    objects = find_objects(options.build, options.source)
    expected = LAYERS if options.with_runtime else ("base", "loop", "explore", "io")
    missing = [layer for layer in expected if not any(name.startswith(f"src/{layer}/") for name in objects)]
    if missing:
        print(f"no object files of {', '.join(missing)} in {options.build}: build first")
        return 1
    calls = calls_of(objects, ctypes.CDLL("libc.so.6"))
    numbers, problems = direct_calls(options.source)
    calls.update(numbers)
    for name, user in sorted(calls.items()):
        if name not in table:
            problems.append(f"{user} calls {name}, which is not in tests/faults/calls.def: add a row (CONTRIBUTING.md)")
    if options.with_runtime:
        for name, kind in sorted(table.items()):
            if name not in calls and kind != "PURE":
                problems.append(f"tests/faults/calls.def: nothing calls {name} any more; remove its row")
    print("\n".join(problems) or f"{len(calls)} functions, {len(objects)} object files: all in the table")
    return 1 if problems else 0


if __name__ == "__main__":
    programs.exit_with(main)
