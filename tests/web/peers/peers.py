#!/usr/bin/env python3
"""peers.py --program RONDO [TEST...]: servers and clients of rondo with other programs: curl, nghttp2's clients, OpenSSL's, nginx in
front and behind, Chromium.

curl, openssl and chromium are those on PATH; nginx, h2load and nghttp are unpacked from Debian's packages, not installed. A test
whose program is missing is skipped, with a message. CHROMIUM names another browser."""
import contextlib
import hashlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys

sys.path.append(f"{sys.path[0]}/../../support")
from harness import cases, context, debian  # noqa: E402
from harness.checks import Skipped, check  # noqa: E402

FOLDER = os.path.dirname(os.path.abspath(__file__))
KEYS = os.path.join(FOLDER, "../../golden/tls/fixtures")
STORE = os.path.join(FOLDER, "../../../build/third_party/peers")
PACKAGES = {
    "nginx": ["nginx"],
    "nghttp2": ["nghttp2-client", "libev4", "libjansson4", "libjemalloc2", "libnghttp2-14", "libxml2"],
}
CA = ["--cacert", os.path.join(KEYS, "ca.pem")]


class Context(context.Context):
    @contextlib.contextmanager
    def served(self):
        """The ports of peers/server.js, and its process."""
        with self.started(os.path.join(FOLDER, "server.js"), stderr=None) as process:
            yield json.loads(process.stdout.readline()), process

    def fetch(self, name):
        return debian.fetch(os.path.abspath(STORE), name, PACKAGES[name])


def needed(name):
    path = shutil.which(name)
    if path is None:
        raise Skipped(f"there is no {name}; run: apt-get install {name}")
    return path


def curl(run, *words, code=0, **more):
    done = run.run([needed("curl"), "-sS", "--noproxy", "*", "--max-time", "50", *words], **more)
    check(done.returncode == code, f"curl {words} ended with {done.returncode}, not {code}: {done.stderr}")
    return done.stdout


def urls(ports):
    """Every way to the server: the name, options, the address, the version that the server sees."""
    host = "127.0.0.1"
    return [
        ("HTTP/1.1", ["--http1.1"], f"http://{host}:{ports['http']}", "1.1 plain"),
        ("HTTP/1.0", ["--http1.0"], f"http://{host}:{ports['http']}", "1.0 plain"),
        ("HTTP/2", ["--http2-prior-knowledge"], f"http://{host}:{ports['h2c']}", "2.0 plain"),
        ("HTTPS", ["--http1.1", *CA], f"https://{host}:{ports['https']}", "1.1 TLSv1.3"),
        ("HTTPS, TLS 1.2", ["--http1.1", "--tls-max", "1.2", *CA], f"https://{host}:{ports['https']}", "1.1 TLSv1.2"),
        ("HTTP/2 with TLS", ["--http2", *CA], f"https://{host}:{ports['h2']}", "2.0 TLSv1.3"),
        ("HTTP/1.1 at a server of HTTP/2", ["--http1.1", *CA], f"https://{host}:{ports['h2']}", "1.1 TLSv1.3"),
    ]


def reuses(options):
    """False for HTTP/2 without TLS: curl 7.88 fails when it uses such a connection again, with any server."""
    return "--http2-prior-knowledge" not in options


def test_curl(run):
    data = os.urandom(1 << 20)
    with open(run.path("data"), "wb") as file:
        file.write(data)
    with run.served() as (ports, _):
        for name, options, base, version in urls(ports):
            paths = ["/version", "/hello", "/version"] if reuses(options) else ["/version"]
            seen = curl(run, *options, *[base + path for path in paths])
            told = f"{version} anonymous\n"
            check(seen == (f"{told}hello\n{told}" if reuses(options) else told), f"{name}: {seen}")
            curl(run, *options, "--data-binary", f"@{run.path('data')}", "-o", run.path("same"), f"{base}/echo")
            with open(run.path("same"), "rb") as file:
                check(file.read() == data, f"{name}: another body came back")
            if name != "HTTP/1.0":
                # Of unknown length: chunks.
                seen = curl(run, *options, "-T", "-", f"{base}/digest", input=data)
                check(seen == hashlib.sha256(data).hexdigest(), f"{name}: chunks: {seen}")
            seen = curl(run, *options, "-o", run.path("big"), "-w", "%{size_download} %{http_code}", f"{base}/big?5000000")
            check(seen == "5000000 200", f"{name}: {seen}")
            for encoding in ("gzip", "br", "deflate", "identity"):
                seen = curl(run, *options, "--compressed", "-H", f"Accept-Encoding: {encoding}", f"{base}/compressed")
                check(seen == ("rondo " * 11000)[:65536], f"{name}: {encoding}: {len(seen)}")
            seen = curl(run, *options, "-I", "-o", "/dev/null", "-w", "%{http_code} %{size_download}", f"{base}/hello")
            check(seen == "200 0", f"{name}: HEAD: {seen}")
            seen = curl(run, *options, "-o", "/dev/null", "-w", "%{http_code}", f"{base}/none")
            check(seen == "404", f"{name}: {seen}")


def test_curl_certificates(run):
    with run.served() as (ports, _):
        base = f"https://127.0.0.1:{ports['https']}"
        key = ["--cert", os.path.join(KEYS, "client.pem"), "--key", os.path.join(KEYS, "client-key.pem")]
        check(curl(run, *CA, *key, f"{base}/version") == "1.1 TLSv1.3 client\n", "the certificate of the client")
        curl(run, f"{base}/version", code=60)
        curl(run, *CA, f"https://localhost:{ports['https']}/hello", "--resolve", f"localhost:{ports['https']}:127.0.0.1")
        curl(run, *CA, f"https://other.test:{ports['https']}/hello", "--resolve", f"other.test:{ports['https']}:127.0.0.1", code=60)
        curl(run, *CA, "--tls-max", "1.1", f"{base}/hello", code=35)
        curl(run, "--http0.9", "-o", "/dev/null", f"http://127.0.0.1:{ports['https']}/hello", code=52)


def test_curl_in_parallel(run):
    with run.served() as (ports, _):
        for _name, options, base, _version in urls(ports):
            if not reuses(options):
                continue
            many = [f"{base}/big?{1000 * number}" for number in range(40)]
            seen = curl(run, *options, "--parallel", "-o", "/dev/null", "-w", "%{size_download} %{http_code}\n",
                        *[word for url in many for word in (url, "-o", "/dev/null")][:-2])
            lines = sorted(seen.split("\n")[:-1], key=lambda line: int(line.split()[0]))
            check(lines == [f"{1000 * number} 200" for number in range(40)], f"{base}: {lines}")


def tool(run, name, *words):
    root = run.fetch("nghttp2")
    done = run.run([os.path.join(root, "usr/bin", name), *words], env={**run.environment(), **debian.library_path(root)})
    check(done.returncode == 0, f"{name} {words}: {done.stdout}{done.stderr}")
    return done.stdout


def test_h2load(run):
    with run.served() as (ports, _):
        for url, *options in ((f"http://127.0.0.1:{ports['h2c']}",), (f"https://127.0.0.1:{ports['h2']}",),
                              (f"http://127.0.0.1:{ports['http']}", "--h1"), (f"https://127.0.0.1:{ports['h2']}", "--h1")):
            for path in ("/hello", "/big?100000"):
                count = 2000 if path == "/hello" else 200
                told = tool(run, "h2load", *options, "-n", count, "-c", 10, "-m", 1 if options else 20, f"{url}{path}")
                wanted = f"{count} total, {count} started, {count} done, {count} succeeded, 0 failed, 0 errored, 0 timeout"
                check(wanted in told and f"{count} 2xx" in told, f"{url}{path}: {told}")


def test_nghttp(run):
    with run.served() as (ports, _):
        base = f"http://127.0.0.1:{ports['h2c']}"
        told = tool(run, "nghttp", "-nv", "--no-dep", f"{base}/hello", f"{base}/trailers", f"{base}/none")
        check(len(re.findall(r":status: 200", told)) == 2 and ":status: 404" in told and "x-sum: 4" in told, told)
        with open(run.path("data"), "wb") as file:
            file.write(b"x" * 300_000)
        told = tool(run, "nghttp", "-d", run.path("data"), "--trailer", "x-sum: 1", "-w", 20, f"{base}/echo")
        check(told == "x" * 300_000, f"{len(told)} bytes")


def test_openssl_resumes_sessions(run):
    openssl = needed("openssl")
    with run.served() as (ports, _):
        for version in ("-tls1_2", "-tls1_3"):
            session = run.path(f"session{version}")
            address = ["-connect", f"127.0.0.1:{ports['https']}", "-CAfile", os.path.join(KEYS, "ca.pem"), version, "-ign_eof"]
            request = "GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            first = run.run([openssl, "s_client", *address, "-sess_out", session], input=request).stdout
            check("New, TLSv1." in first and "\nhello\n" in first, first)
            second = run.run([openssl, "s_client", *address, "-sess_in", session], input=request).stdout
            check("Reused, TLSv1." in second and "\nhello\n" in second, second)


def test_client_of_openssl(run):
    """https and fetch against openssl s_server."""
    openssl = needed("openssl")
    port = debian.free_port()
    command = [openssl, "s_server", "-accept", f"127.0.0.1:{port}", "-www", "-cert", os.path.join(KEYS, "server.pem"), "-key",
               os.path.join(KEYS, "server-key.pem"), "-cert_chain", os.path.join(KEYS, "middle.pem")]
    with debian.server(command, port, run.scratch):
        done = run.call(os.path.join(FOLDER, "client.js"), f"https://127.0.0.1:{port}/",
                        env=run.environment(NODE_EXTRA_CA_CERTS=os.path.join(KEYS, "ca.pem")))
        check(done.returncode == 0 and done.stdout == "https 200 true\nfetch 200 true\n", done.stdout + done.stderr)


NGINX = """
daemon off; master_process off; pid %(scratch)s/nginx.pid; error_log stderr error;
events { worker_connections 200; }
http {
  access_log off;
  client_body_temp_path %(scratch)s/body; proxy_temp_path %(scratch)s/proxy; fastcgi_temp_path %(scratch)s/fastcgi;
  uwsgi_temp_path %(scratch)s/uwsgi; scgi_temp_path %(scratch)s/scgi;
  client_max_body_size 20m; gzip on; gzip_types *; gzip_min_length 1;
  upstream rondo { server 127.0.0.1:%(upstream)d max_fails=0; keepalive 4; }
  server {
    listen 127.0.0.1:%(port)d;
    root %(scratch)s/files;
    location /static/ { }
    location / {
      proxy_pass http://rondo; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_request_buffering off;
    }
    location /ws {
      proxy_pass http://rondo; proxy_http_version 1.1;
      proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection "upgrade";
    }
  }
}
"""


@contextlib.contextmanager
def nginx(run, upstream):
    """Its port: a proxy of the upstream, which serves the scratch directory's files itself."""
    root = run.fetch("nginx")
    port = debian.free_port()
    os.makedirs(run.path("files/static"), exist_ok=True)
    config = run.write("nginx.conf", NGINX % {"scratch": run.scratch, "port": port, "upstream": upstream})
    command = [os.path.join(root, "usr/sbin/nginx"), "-c", config, "-p", run.scratch, "-g", "error_log stderr;"]
    if os.geteuid() == 0:
        command[-1] += " user root;"
    with debian.server(command, port, run.scratch, env=debian.library_path(root)):
        yield port


def test_nginx_in_front(run):
    data = os.urandom(1 << 20)
    with run.served() as (ports, _), nginx(run, ports["http"]) as port:
        base = f"http://127.0.0.1:{port}"
        for _ in range(20):
            check(curl(run, f"{base}/hello", f"{base}/hello") == "hello\nhello\n", "through the proxy")
        for options in (["--data-binary", "@-"], ["-T", "-"]):
            seen = curl(run, *options, f"{base}/digest", input=data)
            check(seen == hashlib.sha256(data).hexdigest(), f"{options}: {seen}")
        seen = curl(run, "-o", "/dev/null", "-w", "%{size_download}", f"{base}/big?5000000")
        check(seen == "5000000", seen)
        # Clients that give up do not harm the connections between the two servers.
        for _ in range(5):
            with socket.create_connection(("127.0.0.1", port)) as client:
                client.sendall(b"GET /big?100000000 HTTP/1.1\r\nHost: a\r\n\r\n")
                check(client.recv(100_000), "the beginning of a response")
            check(curl(run, f"{base}/hello") == "hello\n", "after a client that has given up")
        done = run.call(os.path.join(FOLDER, "client.js"), "--websocket", f"ws://127.0.0.1:{port}/ws")
        check(done.returncode == 0 and done.stdout == "websocket hello 50000 1000\n", done.stdout + done.stderr)


def test_nginx_behind(run):
    with nginx(run, 9) as port:
        run.write("files/static/text.txt", "line\n" * 20000)
        done = run.call(os.path.join(FOLDER, "client.js"), "--origin", f"http://127.0.0.1:{port}/static/text.txt")
        check(done.returncode == 0 and done.stdout == "whole 100000\ncompressed true 100000\npart 206 line\n"
              "conditional 304\nmissing 404\nunavailable 502\nin parallel 50\n", done.stdout + done.stderr)


def browse(run, url, process):
    browser = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if not browser:
        raise Skipped("there is no chromium; run: apt-get install chromium")
    command = [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-proxy-server", "--ignore-certificate-errors",
               "--disable-dev-shm-usage", "--remote-debugging-port=0", f"--user-data-dir={run.path('profile')}", url]
    with open(run.path("browser.log"), "wb") as log:
        started = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
    try:
        return json.loads(process.stdout.readline())
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(started.pid, 9)
        started.wait()


EVENTS = ["event 0/0", "event 1/1", "event 2/2", "last none/2", "event 0/0", "event 1/1", "event 2/2", "last 2/2"]


def check_browser(run, scheme, kind, version, has_socket):
    with run.served() as (ports, process):
        found = browse(run, f"{scheme}://127.0.0.1:{ports[kind]}/{'' if has_socket else '?no-socket'}", process)
        wanted = {"version": f"{version} anonymous\n", "upload": True, "form": True, "parallel": True, "aborted": "AbortError",
                  "events": EVENTS, "compressed": 65536}
        if has_socket:
            wanted["socket"] = ["hello", 50000, 1000, True]
        check(found == wanted, json.dumps(found, indent=1))


def test_chromium(run):
    check_browser(run, "http", "http", "1.1 plain", True)


def test_chromium_http2(run):
    check_browser(run, "https", "h2", "2.0 TLSv1.3", False)


if __name__ == "__main__":
    cases.main(__doc__, cases.collect(sys.modules[__name__]), Context)
