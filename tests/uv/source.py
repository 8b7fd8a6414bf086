"""libuv's source package of Debian, which is never part of the repository: fetching it, and compiling its programs."""
import concurrent.futures
import glob
import os
import re
import shutil
import subprocess
import sys

sys.path.append(f"{os.path.dirname(os.path.abspath(__file__))}/../support")
from harness import checks  # noqa: E402

PACKAGE = "libuv1"
APT = "/etc/apt"


def machine_sources(folder=APT):
    """The text of the machine's lists of package sources: (text, whether its format is deb822)."""
    found = []
    for path in [f"{folder}/sources.list", *sorted(glob.glob(f"{folder}/sources.list.d/*"))]:
        if path.endswith((".list", ".sources")) and os.path.isfile(path):
            with open(path, encoding="utf-8") as file:
                found.append((file.read(), path.endswith(".sources")))
    return found


def source_lines(texts, codename):
    """The lines of a sources.list with the source packages of Debian's release `codename`, from the lists of binary
    packages. Suites of others, which have names of their own, are left out."""
    lines = []

    def add(options, uri, suites, components):
        for suite in suites:
            if re.fullmatch(rf"{codename}(-\w+)?", suite):
                lines.append(" ".join(["deb-src", *options, uri, suite, *components]))

    for text, is_deb822 in texts:
        text = re.sub(r"^\s*#.*\n?", "", text, flags=re.MULTILINE)
        if not is_deb822:
            for match in re.finditer(r"^\s*deb(?:-src)?\s+(\[[^]]*\])?\s*(\S+)\s+(\S+)\s+(.*)$", text, re.MULTILINE):
                options, uri, suite, components = match.groups()
                add([options] if options else [], uri, [suite], components.split())
            continue
        for paragraph in re.split(r"\n\s*\n", text):
            fields = dict(re.findall(r"^([\w-]+):[ \t]*(.*(?:\n[ \t]+.*)*)", paragraph, re.MULTILINE))
            key = fields.get("Signed-By", "").strip()
            options = [f"[signed-by={key}]"] if key.startswith("/") else []
            for uri in fields.get("URIs", "").split():
                add(options, uri, fields.get("Suites", "").split(), fields.get("Components", "").split())
    return sorted(set(lines))


def codename():
    with open("/etc/os-release", encoding="utf-8") as file:
        found = re.search(r"^VERSION_CODENAME=\"?(\w+)", file.read(), re.MULTILINE)
    return found.group(1) if found else ""


def attempt(command, what, **options):
    """Runs a command that needs the network or a tool; the test is skipped if it fails."""
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=300, **options)
    except (OSError, subprocess.SubprocessError) as reason:
        said = getattr(reason, "stderr", None) or str(reason)
        raise checks.Skipped(f"{what}: {said.strip().splitlines()[-1] if said.strip() else reason}") from reason


def fetch(work):
    """The folder of the unpacked source package."""
    found = glob.glob(f"{work}/source/libuv1-*/test/test-list.h")
    if found:
        return os.path.dirname(os.path.dirname(found[0]))
    sources = source_lines(machine_sources(), codename()) if os.path.isdir(APT) else []
    if not sources:
        raise checks.Skipped("the machine's package sources are not those of a Debian release")
    apt = f"{work}/apt"
    for folder in ("lists/partial", "cache/archives/partial", "etc"):
        os.makedirs(f"{apt}/{folder}", exist_ok=True)
    with open(f"{apt}/etc/libuv.list", "w", encoding="utf-8") as file:
        file.write("\n".join(sources) + "\n")
    with open(f"{apt}/apt.conf", "w", encoding="utf-8") as file:
        file.write(f'Dir::Etc::sourcelist "{apt}/etc/libuv.list";\nDir::Etc::sourceparts "-";\n'
                   f'Dir::State::lists "{apt}/lists";\nDir::Cache "{apt}/cache";\nAPT::Sandbox::User "";\n')
    environment = {**os.environ, "APT_CONFIG": f"{apt}/apt.conf", "LC_ALL": "C"}
    attempt(["apt-get", "-q", "update"], "cannot fetch Debian's package lists", env=environment)
    attempt(["apt-get", "-q", "source", "--download-only", PACKAGE], f"cannot fetch the source of {PACKAGE}",
            env=environment, cwd=apt)
    archives = glob.glob(f"{apt}/{PACKAGE}_*.orig.tar.gz")
    if not archives:
        raise checks.Skipped(f"the source package of {PACKAGE} has no .orig.tar.gz")
    os.makedirs(f"{work}/source", exist_ok=True)
    attempt(["tar", "xzf", archives[0], "-C", f"{work}/source"], "cannot unpack the source package")
    unpacked = glob.glob(f"{work}/source/libuv*/")[0].rstrip("/")
    wanted = f"{work}/source/libuv1-{os.path.basename(unpacked).split('-')[-1].lstrip('v')}"
    if unpacked != wanted:
        os.rename(unpacked, wanted)
    return wanted


def compiled(source, objects, files, *options):
    """The object files of C files of the source package, with Debian's header, as for every program of Debian."""
    os.makedirs(objects, exist_ok=True)

    def compile_one(path):
        target = f"{objects}/{os.path.basename(path)[:-2]}.o"
        if not os.path.exists(target):
            attempt(["gcc", "-w", "-g", *options, "-D_GNU_SOURCE", f"-I{source}/test", "-c", path, "-o", target],
                    "cannot compile libuv's programs")
        return target

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return list(pool.map(compile_one, sorted(files)))


def link(work, objects, library):
    """Links the same object files with our library and with Debian's: WORK/with-rondo and WORK/with-debian."""
    rest = ["-lpthread", "-ldl", "-lutil"]
    shutil.copyfile(os.path.realpath(library), f"{work}/libuv.so.1")
    ours = ["gcc", "-o", f"{work}/with-rondo", *objects, f"{work}/libuv.so.1", "-Wl,-rpath,$ORIGIN", *rest]
    linked = subprocess.run(ours, capture_output=True, text=True, check=False)
    if linked.returncode != 0:
        raise AssertionError("libuv's programs do not link with our library:\n" + linked.stderr[-2000:])
    attempt(["gcc", "-o", f"{work}/with-debian", *objects, "-luv", *rest], "cannot link with Debian's libuv")
    for path in (work, f"{work}/source"):
        os.chmod(path, 0o755)
