"""Runs libuv's own tests, unmodified, with Rondo's libuv.so.1 and with Debian's.

  suite.py --library build/release/uv/libuv.so.1 [--work DIR] [--jobs N] [--both] [ENTRY...]

The tests come from Debian's source package libuv1, fetched with apt-get into DIR, never into the repository. Each
entry runs in a process of its own. An entry that fails with our library is tried again, and then with Debian's: the
run fails if Debian's passes and EXPECTED.md, beside this file, does not list the entry. --both runs all entries with
both libraries. As root the entries run as the user nobody, in network namespaces of their own, several at once.
Otherwise they run one by one, because they use fixed ports.

Skipped, with exit code 77, if there is no apt-get, no compiler, no libuv1-dev, or Debian's archive is unreachable."""
import concurrent.futures
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.append(f"{sys.path[0]}/../support")
from harness import arguments, checks  # noqa: E402
from source import compiled, fetch, link  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
NOBODY = 65534
SECONDS = 120  # Of one entry. libuv's own limit is shorter for most.
TRIES = 3  # Some entries depend on timing.
SKIPPED = 7  # The exit code of an entry that is skipped.
# Not part of the program: other programs, and other systems.
LEFT_OUT = ("benchmark-*", "run-benchmarks*", "runner-win*")
# An empty /tmp, as the tests have sockets with fixed names there, except for our folder if it is below /tmp.
ISOLATE = """set -e
mount --bind "$1" /mnt
mount -t tmpfs -o mode=1777 tmpfs /tmp
mkdir -p "$1"
mount --bind /mnt "$1"
ip link set lo up
cd "$2"
shift 2
exec "$@"
"""


def build(source, work, library):
    """The test programs for our library and for Debian's."""
    left_out = {path for pattern in LEFT_OUT for path in glob.glob(f"{source}/test/{pattern}.c")}
    link(work, compiled(source, f"{work}/objects", set(glob.glob(f"{source}/test/*.c")) - left_out), library)


class Runner:
    def __init__(self, source, work):
        self.source = source
        self.work = work
        self.is_root = os.geteuid() == 0
        self.is_isolated = self.is_root and subprocess.run(
            ["unshare", "-n", "-m", "true"], capture_output=True, check=False).returncode == 0

    def as_nobody(self, command):
        if not self.is_root:
            return command
        return ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *command]

    def names(self):
        listed = subprocess.run(self.as_nobody([f"{self.work}/with-rondo", "--list"]), capture_output=True, text=True,
                                check=True)
        return [line.split()[0] for line in listed.stdout.splitlines() if line.strip()]

    def run(self, program, name):
        """'passed', 'skipped' or the end of the output."""
        folder = tempfile.mkdtemp(prefix="entry-", dir=self.work)
        shutil.copytree(f"{self.source}/test/fixtures", f"{folder}/test/fixtures")
        if self.is_root:
            subprocess.run(["chown", "-R", f"{NOBODY}:{NOBODY}", folder], check=True)
        command = self.as_nobody(["timeout", "-k", "5", str(SECONDS), f"{self.work}/{program}", name])
        if self.is_isolated:
            command = ["unshare", "-n", "-m", "sh", "-c", ISOLATE, "sh", self.work, folder, *command]
        environment = {"PATH": os.environ["PATH"], "HOME": folder, "LC_ALL": "C"}
        try:
            done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, errors="replace",
                                  stdin=subprocess.DEVNULL, timeout=SECONDS + 30, check=False)
        except subprocess.TimeoutExpired:
            return "it did not end in time"
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        if done.returncode == 0:
            return "passed"
        return "skipped" if done.returncode == SKIPPED else (done.stdout + done.stderr)[-600:]

    def best(self, program, name):
        """The result of several tries."""
        for _ in range(TRIES):
            result = self.run(program, name)
            if result in ("passed", "skipped"):
                break
        return result


def expected():
    """The entries that EXPECTED.md lists."""
    with open(f"{HERE}/EXPECTED.md", encoding="utf-8") as file:
        return set(re.findall(r"^\| `(\w+)` \|", file.read(), re.MULTILINE))


def count(results):
    passed = sum(result == "passed" for result in results.values())
    skipped = sum(result == "skipped" for result in results.values())
    return f"{passed} passed, {skipped} skipped, {len(results) - passed - skipped} failed"


def main():
    parser = arguments.parser(__doc__)
    parser.add_argument("--library", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--both", action="store_true")
    parser.add_argument("entries", nargs="*")
    options = parser.parse_args()
    work = os.path.abspath(options.work)
    os.makedirs(work, exist_ok=True)
    try:
        source = fetch(work)
        build(source, work, options.library)
    except checks.Skipped as reason:
        checks.skip("libuv's tests", reason)
        return checks.SKIP
    runner = Runner(source, work)
    names = options.entries or runner.names()
    with concurrent.futures.ThreadPoolExecutor(options.jobs if runner.is_isolated else 1) as pool:
        ours = dict(zip(names, pool.map(lambda name: runner.best("with-rondo", name), names)))
        compared = names if options.both else [n for n in names if ours[n] not in ("passed", "skipped")]
        debians = dict(zip(compared, pool.map(lambda name: runner.best("with-debian", name), compared)))
    print(f"with Rondo: {count(ours)}")
    if options.both:
        print(f"with Debian's libuv: {count(debians)}")
    known = expected()
    worse = [name for name in compared if debians[name] == "passed" and ours[name] != "passed"]
    for name in worse:
        print(f"{'expected' if name in known else 'FAILED  '} {name}: {ours[name]}")
    for name in sorted(known & {name for name in names if ours[name] == "passed"}):
        print(f"{name} passes: remove it from EXPECTED.md")
    return 1 if set(worse) - known else 0


if __name__ == "__main__":
    sys.exit(main())
