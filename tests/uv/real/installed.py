"""Installed programs that use libuv: the process that runs, the packages it is from, and a comparison of its own libuv with Rondo's."""
import os
import shutil

from harness import context, debian, environment, programs
from harness.checks import Skipped, check

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "../../.."))
STORE = os.path.join(ROOT, "build/third_party/installed")
# Debian's: the programs, and the libraries that a small machine lacks. libuv1 is their own libuv.
PACKAGES = {
    "nvim": ["neovim", "neovim-runtime", "lua-luv", "libluajit-5.1-2", "libmsgpackc2", "libtermkey1", "libtree-sitter0",
             "libunibilium4", "libuv1", "libvterm0"],
    "named": ["bind9", "bind9-libs", "dnsperf", "libcap2", "libfstrm0", "libgssapi-krb5-2", "libjemalloc2", "libjson-c5",
              "libk5crypto3", "libkeyutils1", "libkrb5-3", "libkrb5support0", "libldns3", "liblmdb0", "libmaxminddb0",
              "libnghttp2-14", "libprotobuf-c1", "libuv1", "libxml2"],
    "asyncio": ["python3-attr", "python3-automat", "python3-constantly", "python3-hyperlink", "python3-idna",
                "python3-incremental", "python3-twisted", "python3-uvloop", "python3-zope.interface", "libuv1"],
    "luv": ["lua5.1", "lua-luv", "libuv1"],
    "node18": ["nodejs=18.*", "libnode108", "libc-ares2", "libicu72", "libnghttp2-14", "libuv1", "node-acorn",
               "node-cjs-module-lexer", "node-undici"],
}


class Context(context.Context):
    def __init__(self, rondo, scratch):
        super().__init__(rondo, scratch)
        self.roots = []

    def unpack(self, name):
        """The root of the tree with the packages, whose libraries and Python packages are found from now on."""
        root = debian.fetch(STORE, name, PACKAGES[name])
        self.roots.append(root)
        return root

    def environment(self, **more):
        found = environment.minimal(self.scratch, LC_ALL="C", NO_COLOR="1", XDG_RUNTIME_DIR=self.scratch, **more)
        for root in self.roots:
            found["LD_LIBRARY_PATH"] = debian.library_path(root)["LD_LIBRARY_PATH"]
            found["PYTHONPATH"] = os.path.join(root, "usr/lib/python3/dist-packages")
            found["VIMRUNTIME"] = os.path.join(root, "usr/share/nvim/runtime")
        return found

    def can_run(self, *command, **more):
        """Skips the test if the program does not run on this system with its own libuv."""
        done = self.run(command, **more)
        if done.returncode != 0:
            raise Skipped(f"{' '.join(map(str, command))} does not run here: {(done.stdout + done.stderr)[-500:]}")
        return done.stdout

    def on_rondo(self, *command):
        """The command that runs a program on Rondo's loop. Its trace is written to run.rtrace."""
        return [self.rondo, f"--trace-file={self.path('run.rtrace')}", "uv", *command]

    def check_that_our_loop_ran(self):
        """Only loops of Rondo write traces."""
        traces = [name for name in os.listdir(self.scratch) if name.startswith("run.rtrace")]
        check(any(os.path.getsize(self.path(name)) > 1000 for name in traces), f"no loop of Rondo ran: {traces}")

    def same(self, *command, expected=None, before=lambda: None, **more):
        """Runs a program on its own libuv and on Rondo's loop: both must print the same, and end in the same way."""
        before()
        own = self.run(command, **more)
        before()
        ours = self.run(self.on_rondo(*command), **more)
        check((own.returncode, own.stdout) == (ours.returncode, ours.stdout),
              f"{command}: on its own libuv code {own.returncode}\n{own.stdout}{own.stderr}\n"
              f"on Rondo's loop code {ours.returncode}\n{ours.stdout}{ours.stderr}")
        check(ours.stderr == own.stderr, f"{command}: stderr differs:\n{own.stderr}\n{ours.stderr}")
        if expected is not None:
            check(own.stdout == expected, f"{command}: expected\n{expected}\nprinted\n{own.stdout}{own.stderr}")
        self.check_that_our_loop_ran()
        return ours


def needed(name):
    path = shutil.which(name)
    if path is None:
        raise Skipped(f"there is no {name}; run: apt-get install {name}")
    return path


def uses_libuv(path):
    """True if it is linked with libuv.so.1."""
    return "libuv.so.1" in programs.run(["ldd", path]).stdout
