"""HTTP requests in the report of rondo trace."""
import json

from harness.checks import check

CLIENT = """
const ask = (path, options) => new Promise((resolve) => {
  const request = http.request({ port: server.address().port, host: '127.0.0.1', path, ...options }, (answer) => {
    answer.resume().on('end', resolve);
  });
  request.on('error', resolve).end(options?.body);
});
"""


def trace(context, source, *options):
    """The report on the main thread, as data, and its text."""
    path = context.write("app.js", source)
    recording = context.path("run.rtrace")
    done = context.call("trace", "-q", "-o", recording, *options, path, cwd=context.scratch)
    check(done.returncode == 0, f"{done.returncode} {done.stderr}")
    data = context.call("trace", "--json", recording, cwd=context.scratch)
    text = context.call("trace", recording, cwd=context.scratch)
    check(data.returncode == 0 and text.returncode == 0, data.stderr + text.stderr)
    return json.loads(data.stdout)["threads"][0], text.stdout


def named(summary, name):
    found = [one for one in summary["requests"]["slowest"] if one["name"] == name]
    check(len(found) == 1, f"{name}: {summary['requests']}")
    return found[0]


def reason(request, kind):
    found = [one for one in request["reasons"] if one["kind"] == kind]
    check(found, f"no reason {kind}: {request}")
    return found[0]


def test_report(context):
    """A slow handler, a slow timer of a request, and a request that has to wait for something else."""
    summary, text = trace(context, """const http = require('node:http');
function spin(ms) { const end = performance.now() + ms; while (performance.now() < end); }
const server = http.createServer(function handler(request, response) {
  if (request.url === '/slow') spin(60);
  if (request.url.startsWith('/later')) return setTimeout(function later() { spin(50); response.end(); }, 20);
  response.statusCode = request.url === '/none' ? 404 : 200;
  response.end();
}).listen(0, '127.0.0.1', async () => {
  await ask('/slow');
  const blocker = setInterval(function blocker() { spin(5); }, 5);
  await ask('/later?id=1');
  clearInterval(blocker);
  await ask('/none');
  server.close();
  server.closeAllConnections();
});
""" + CLIENT)
    requests = summary["requests"]
    check(requests["count"] == 3 and requests["outgoing"] == 3 and requests["failed"] == 0, str(requests))
    slow, later, none = (named(summary, f"GET {path}") for path in ("/slow", "/later", "/none"))
    check([slow["status"], later["status"], none["status"]] == [200, 200, 404], str(requests))
    check(slow["total"] >= 60e6 and later["total"] >= 65e6, str(requests))
    check(slow["handler"]["line"] == 3 and slow["handler"]["function"] == "handler", str(slow))
    ran = reason(slow, "ran")
    check(ran["duration"] >= 55e6 and ran["place"]["line"] == 3, str(slow))
    ran = reason(later, "ran")
    check(ran["duration"] >= 45e6 and ran["place"]["function"] == "later" and ran["place"]["line"] == 5, str(later))
    check(any(one["kind"] == "blocked" and one["place"] and one["place"]["function"] == "blocker" and
              one["duration"] >= 4e6 for one in later["reasons"]), str(later))
    waited = reason(later, "waited")
    check(waited["duration"] >= 15e6 and waited["what"] == "setTimeout 20 ms", str(later))
    check("Slowest requests" in text and "GET /slow 200, queued " in text, text)
    check("handler handler (app.js:3:50)" in text, text)
    check("?id=1" not in text, "the query is in the report")


def test_outgoing(context):
    """Requests that a request sends are its own, also on a connection that another one opened, and with fetch()."""
    summary, text = trace(context, """const http = require('node:http');
const agent = new http.Agent({ keepAlive: true });
const server = http.createServer(async function handler(request, response) {
  const { port } = server.address();
  if (request.url === '/slow') return setTimeout(function answer() { response.end('x'); }, 40);
  if (request.url === '/fetch') {
    await (await fetch(`http://127.0.0.1:${port}/slow`)).text();
    return setImmediate(function fetched() { response.end(); });
  }
  http.get({ agent, port, host: '127.0.0.1', path: '/slow' }, function onAnswer(answer) {
    answer.resume().on('end', function onEnd() { setImmediate(function done() { response.end(); }); });
  });
}).listen(0, '127.0.0.1', async () => {
  await ask('/one');
  await ask('/two');
  await ask('/fetch');
  server.close();
  server.closeAllConnections();
  agent.destroy();
});
""" + CLIENT, "--top=20")
    for path in ("/one", "/two", "/fetch"):
        request = named(summary, f"GET {path}")
        part = reason(request, "outgoing")
        check(part["duration"] >= 35e6 and part["what"].startswith("GET 127.0.0.1:") and
              part["what"].endswith("/slow 200"), f"{path}: {request}")
    check("waited for GET 127.0.0.1:" in text, text)


def test_attribution(context):
    """Callbacks belong to the request that caused them: pipelined requests, bodies that arrive later, promises."""
    summary, _ = trace(context, """const http = require('node:http');
const net = require('node:net');
function spin(ms) { const end = performance.now() + ms; while (performance.now() < end); }
let resolveShared;
const shared = new Promise((resolve) => { resolveShared = resolve; });
const server = http.createServer(async function handler(request, response) {
  if (request.url === '/a') return setImmediate(function ofA() { spin(30); response.end(); });
  if (request.url === '/b') return setImmediate(function ofB() { spin(40); response.end(); });
  if (request.url === '/body') {
    request.on('data', function onBody() { spin(50); });
    return request.on('end', () => response.end());
  }
  if (request.url === '/waits') {
    await shared;
    spin(60);
    return response.end();
  }
  resolveShared();
  response.end();
}).listen(0, '127.0.0.1', async () => {
  const socket = net.connect(server.address().port, '127.0.0.1');
  const head = (line) => `${line} HTTP/1.1\\r\\nHost: a\\r\\n`;
  socket.write(head('GET /a') + '\\r\\n' + head('GET /b') + '\\r\\n');
  await new Promise((resolve) => { let n = 0; socket.on('data', (data) => {
    n += String(data).split('HTTP/1.1 200').length - 1;
    if (n === 2) resolve();
  }); });
  socket.removeAllListeners('data');
  socket.write(head('POST /body') + 'Content-Length: 4\\r\\n\\r\\n');
  setTimeout(() => socket.write('body'), 20);
  await new Promise((resolve) => socket.once('data', resolve));
  socket.destroy();
  const waits = ask('/waits');
  await new Promise((resolve) => setTimeout(resolve, 20));
  await ask('/settles');
  await waits;
  server.close();
  server.closeAllConnections();
});
""" + CLIENT)
    for path, least, function in (("GET /a", 25e6, "ofA"), ("GET /b", 35e6, "ofB"), ("POST /body", 45e6, None),
                                  ("GET /waits", 55e6, None)):
        part = reason(named(summary, path), "ran")
        check(part["duration"] >= least, f"{path}: {part}")
        check(function is None or part["place"]["function"] == function, f"{path}: {part}")
    settles = named(summary, "GET /settles")
    check(not any(part["kind"] == "ran" and part["what"] == "promise" for part in settles["reasons"]), str(settles))


def test_aborted(context):
    """Clients that leave before the answer, and requests that are not finished at the end."""
    summary, text = trace(context, """const http = require('node:http');
const net = require('node:net');
const server = http.createServer((request, response) => {
  if (request.url === '/leave') request.socket.on('close', () => {
    const socket = net.connect(server.address().port, '127.0.0.1');
    socket.write('GET /unfinished HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n');
  });
  else setImmediate(() => process.exit());
  if (request.url === '/leave') client.destroy();
}).listen(0, '127.0.0.1', () => {
  client.connect(server.address().port, '127.0.0.1', () => client.write('GET /leave HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n'));
});
const client = new net.Socket();
""")
    check(named(summary, "GET /leave")["hasFailed"], str(summary["requests"]))
    check(named(summary, "GET /unfinished")["isUnfinished"], str(summary["requests"]))
    check("GET /leave aborted" in text and "GET /unfinished unfinished" in text, text)
    check("2 requests, 1 aborted, 1 unfinished" in text, text)
