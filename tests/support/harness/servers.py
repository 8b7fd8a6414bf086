"""Servers of Debian's packages that run until the end of a block, with what programs need to reach them.

Each takes the folder of the unpacked packages, a folder of its own and the address to listen on."""
import contextlib
import os
import shutil
import signal
import subprocess
import sys

from harness import debian, files, programs
from harness.checks import Skipped

LOCAL = "127.0.0.1"
NOBODY = 65534
# Certificates for localhost and 127.0.0.1, and the authority that has signed them.
KEYS = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../golden/tls/fixtures"))
TIMEOUT = 120
# The servers, and the libraries that a small machine lacks.
PACKAGES = {
    "redis": ["redis-tools", "libjemalloc2", "liblzf1", "libatomic1"],
    "postgres": ["postgresql-15", "libpq5", "libxml2", "libldap-2.5-0", "libsasl2-2", "libgssapi-krb5-2", "libkrb5-3",
                 "libk5crypto3", "libkrb5support0", "libkeyutils1", "liblz4-1", "libzstd1"],
    "mariadb": ["mariadb-server-core", "mariadb-server", "mariadb-client-core", "liburing2", "libaio1", "libnuma1"],
    "mosquitto": ["mosquitto", "libcjson1", "libdlt2", "libwrap0", "libmosquitto1"],
    "nats": ["nats-server"],
    "smtp": ["python3-aiosmtpd", "python3-public", "python3-attr", "python3-typing-extensions", "python3-pkg-resources"],
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


def server_key(scratch):
    """Copies of the certificate and its key, for a server that refuses keys that others may read."""
    paths = []
    for name in ("server.pem", "server-key.pem"):
        paths.append(shutil.copy(os.path.join(KEYS, name), scratch))
        os.chmod(paths[-1], 0o600)
    return paths


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
    """Its port, for the user tester with the password secret, with and without TLS. `settings`: NAME=VALUE of postgresql.conf."""
    root = fetch(store, "postgres")
    programs_at = os.path.join(root, "usr/lib/postgresql/15/bin")
    data = os.path.join(scratch, "data")
    os.mkdir(data)
    password = os.path.join(scratch, "password")
    files.write(password, "secret\n")
    certificate, key = server_key(scratch)
    options = {"env": debian.library_path(root), "cwd": scratch, **as_nobody(scratch, data, password, certificate, key)}
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
    settings = [*settings, "ssl=on", f"ssl_cert_file={certificate}", f"ssl_key_file={key}"]
    words = [word for setting in settings for word in ("-c", setting)]
    with debian.server([os.path.join(programs_at, "postgres"), "-D", data, "-p", str(port), "-h", host, "-k", "", "-F", *words],
                       port, scratch, host, **options):
        yield port


@contextlib.contextmanager
def mariadb(store, scratch, host=LOCAL):
    """Its port, for the user tester with the password secret and the database test, with and without TLS."""
    root = os.path.join(fetch(store, "mariadb"), "usr")
    data = os.path.join(scratch, "data")
    # One statement in each line, or only the first one is run.
    start = files.write(os.path.join(scratch, "start.sql"),
                        "CREATE DATABASE test;\nCREATE USER tester@'%' IDENTIFIED BY 'secret';\nGRANT ALL ON test.* TO tester@'%';\n")
    certificate, key = server_key(scratch)
    options = {"env": debian.library_path(os.path.dirname(root)), "cwd": scratch, **as_nobody(scratch, start, certificate, key)}
    common = ["--no-defaults", f"--basedir={root}", f"--datadir={data}", "--innodb-log-file-size=4M", "--innodb-buffer-pool-size=16M",
              "--innodb-flush-log-at-trx-commit=0"]
    try:
        made = programs.run([os.path.join(root, "bin/mariadb-install-db"), *common, "--auth-root-authentication-method=normal",
                             "--skip-test-db"], timeout=TIMEOUT, stderr=subprocess.STDOUT, **options)
    except PermissionError as error:
        raise Skipped(f"another user, who MariaDB must be, cannot reach {root}: {error}") from error
    if made.returncode != 0:
        raise Skipped(f"mariadb-install-db: {made.stdout[-500:]}")
    port = debian.free_port(host)
    with debian.server([os.path.join(root, "sbin/mariadbd"), *common, f"--port={port}", f"--bind-address={host}", "--skip-name-resolve",
                        f"--socket={scratch}/socket", f"--init-file={start}", f"--ssl-cert={certificate}", f"--ssl-key={key}"],
                       port, scratch, host, stop=signal.SIGTERM, **options):
        yield port


@contextlib.contextmanager
def mosquitto(store, scratch, host=LOCAL):
    """Its ports: MQTT for the user tester with the password secret, and the same over WebSockets."""
    root = fetch(store, "mosquitto")
    env = debian.library_path(root)
    port, web = debian.free_port(host), debian.free_port(host)
    passwords = os.path.join(scratch, "passwords")
    done = programs.run([os.path.join(root, "usr/bin/mosquitto_passwd"), "-b", "-c", passwords, "tester", "secret"], env=env)
    if done.returncode != 0:
        raise Skipped(f"mosquitto_passwd: {done.stderr}")
    os.chmod(passwords, 0o644)
    settings = files.write(os.path.join(scratch, "mosquitto.conf"),
                           f"listener {port} {host}\nlistener {web} {host}\nprotocol websockets\nallow_anonymous false\n"
                           f"password_file {passwords}\npersistence false\n")
    with debian.server([os.path.join(root, "usr/sbin/mosquitto"), "-c", settings], port, scratch, host, env=env):
        yield port, web


@contextlib.contextmanager
def nats(store, scratch, host=LOCAL):
    """Its port, with JetStream."""
    root = fetch(store, "nats")
    port = debian.free_port(host)
    with debian.server([os.path.join(root, "usr/sbin/nats-server"), "-a", host, "-p", str(port), "-js", "-sd", scratch], port, scratch, host):
        yield port


@contextlib.contextmanager
def smtp(store, scratch, host=LOCAL):
    """Its port, with STARTTLS, and the directory of the mailbox that gets all mail."""
    root = fetch(store, "smtp")
    port = debian.free_port(host)
    mailbox = os.path.join(scratch, "mailbox")
    with debian.server([sys.executable, "-B", "-m", "aiosmtpd", "-n", "-l", f"{host}:{port}", "-s", "2000000",
                        "--tlscert", os.path.join(KEYS, "server.pem"), "--tlskey", os.path.join(KEYS, "server-key.pem"), "--no-requiretls",
                        "-c", "aiosmtpd.handlers.Mailbox", mailbox],
                       port, scratch, host, env={**os.environ, "PYTHONPATH": os.path.join(root, "usr/lib/python3/dist-packages")}):
        yield port, mailbox
