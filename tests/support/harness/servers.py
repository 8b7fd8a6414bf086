"""Servers of Debian's packages that run until the end of a block, with what programs need to reach them.

Each takes the folder of the unpacked packages, a folder of its own and the address to listen on."""
import contextlib
import os
import subprocess

from harness import debian, files, programs
from harness.checks import Skipped

LOCAL = "127.0.0.1"
NOBODY = 65534
TIMEOUT = 120
# The servers, and the libraries that a small machine lacks.
PACKAGES = {
    "redis": ["redis-tools", "libjemalloc2", "liblzf1", "libatomic1"],
    "postgres": ["postgresql-15", "libpq5", "libxml2", "libldap-2.5-0", "libsasl2-2", "libgssapi-krb5-2", "libkrb5-3",
                 "libk5crypto3", "libkrb5support0", "libkeyutils1", "liblz4-1", "libzstd1"],
    "haproxy": ["haproxy", "liblua5.3-0", "libopentracing-c-wrapper0", "libopentracing1", "libpcre2-8-0"],
}


def fetch(store, name):
    """The root of the tree that contains the server."""
    return debian.fetch(store, name, PACKAGES[name])


def as_nobody(*paths):
    """The options for a server that refuses to run as root; it becomes the owner of the paths."""
    if os.geteuid() != 0:
        return {}
    for path in paths:
        os.chown(path, NOBODY, NOBODY)
    return {"user": NOBODY, "group": NOBODY, "extra_groups": []}


@contextlib.contextmanager
def redis(store, scratch, host=LOCAL):
    """Its port."""
    root = fetch(store, "redis")
    # One binary under several names: which it is called by says what it does.
    program = os.path.join(scratch, "redis-server")
    os.symlink(os.path.join(root, "usr/bin/redis-check-rdb"), program)
    port = debian.free_port(host)
    with debian.server([program, "--port", str(port), "--bind", host, "--protected-mode", "no", "--save", "", "--dir", scratch],
                       port, scratch, host, env=debian.library_path(root)):
        yield port


@contextlib.contextmanager
def postgres(store, scratch, host=LOCAL, settings=()):
    """Its port, for the user tester with the password secret. `settings`: NAME=VALUE of postgresql.conf."""
    root = fetch(store, "postgres")
    programs_at = os.path.join(root, "usr/lib/postgresql/15/bin")
    data = os.path.join(scratch, "data")
    os.mkdir(data)
    password = os.path.join(scratch, "password")
    files.write(password, "secret\n")
    options = {"env": debian.library_path(root), "cwd": scratch, **as_nobody(scratch, data, password)}
    try:
        made = programs.run([os.path.join(programs_at, "initdb"), "-D", data, "-U", "tester", "--auth=scram-sha-256",
                             f"--pwfile={password}", "--no-sync", "--locale=C", "--encoding=UTF8"],
                            timeout=TIMEOUT, stderr=subprocess.STDOUT, **options)
    except PermissionError as error:
        raise Skipped(f"another user, who PostgreSQL must be, cannot reach {programs_at}: {error}") from error
    if made.returncode != 0:
        raise Skipped(f"initdb: {made.stdout[-500:]}")
    with open(os.path.join(data, "pg_hba.conf"), "a", encoding="utf-8") as rules:
        rules.write("host all all samenet scram-sha-256\n")
    port = debian.free_port(host)
    words = [word for setting in settings for word in ("-c", setting)]
    with debian.server([os.path.join(programs_at, "postgres"), "-D", data, "-p", str(port), "-h", host, "-k", "", "-F", *words],
                       port, scratch, host, **options):
        yield port
