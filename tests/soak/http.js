'use strict';
// http.js SEED: rounds of requests over HTTP/1.1, TLS and HTTP/2 between this process, its children and its own
// servers, with aborts, resets and children that are killed; soak.py runs it. Prints `quiet ROUND HEAP` after each
// round, and waits for a line.
//
// Each request has a name. The servers count requests by name, and check at the end of the round: a request without
// interference has succeeded and was handled once; one that was aborted was handled at most once.
const assert = require('node:assert');
const { fork } = require('node:child_process');
const { createHash } = require('node:crypto');
const { once } = require('node:events');
const http = require('node:http');
const http2 = require('node:http2');
const https = require('node:https');
const net = require('node:net');
const readline = require('node:readline');
const { setTimeout: sleep } = require('node:timers/promises');
const { ca, pair } = require('../golden/tls/fixtures/keys');

const host = '127.0.0.1';
const isChild = process.argv[2] === 'child';
const ignore = () => {};

// Mulberry32: the same rounds for the same seed, as far as the machine allows.
let state = +process.argv[isChild ? 3 : 2] >>> 0;
function random(below) {
  state = state + 0x6d2b79f5 >>> 0;
  let value = Math.imul(state ^ state >>> 15, state | 1);
  value ^= value + Math.imul(value ^ value >>> 7, value | 61);
  return ((value ^ value >>> 14) >>> 0) % below;
}
const oneIn = (count) => random(count) === 0;

const digest = (bytes) => createHash('sha1').update(bytes).digest('hex');

// The servers.

const handled = new Map(); // Name -> how often a request of that name has begun.

// /NAME/SIZE/HOW: answers with the name, a digest of the body and SIZE bytes. HOW disturbs the response.
function onRequest(request, response) {
  const [, name, size, how] = request.url.split('/');
  handled.set(name, (handled.get(name) ?? 0) + 1);
  request.on('error', ignore);
  response.on('error', ignore);
  if (how === 'reset') return destroy(request, response);
  const hash = createHash('sha1');
  request.on('data', (data) => hash.update(data));
  request.on('end', () => {
    const text = `${name} ${hash.digest('hex')} `;
    if (how === 'length') response.setHeader('Content-Length', text.length + +size);
    response.write(text);
    if (how === 'half') return setImmediate(() => destroy(request, response));
    if (how === 'late') return setTimeout(() => response.end(Buffer.alloc(+size, 'b')), random(20));
    response.end(Buffer.alloc(+size, 'b'));
  });
}

function destroy(request, response) {
  if (request.httpVersionMajor === 2) request.stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR);
  else if (oneIn(2) && request.socket.resetAndDestroy && !request.socket.encrypted) request.socket.resetAndDestroy();
  else response.destroy();
}

async function startServers() {
  const made = {
    http: http.createServer(onRequest),
    https: https.createServer(pair('server'), onRequest),
    h2c: http2.createServer(onRequest),
    h2: http2.createSecureServer({ ...pair('server'), allowHTTP1: true }, onRequest),
  };
  const ports = {};
  for (const [name, server] of Object.entries(made)) {
    // An idle connection never closes by itself, so no request meets a connection that is about to close.
    server.keepAliveTimeout = 0;
    server.on('clientError', (error, socket) => socket.destroy());
    server.on('sessionError', ignore);
    server.on('tlsClientError', ignore);
    server.listen(0, host);
    await once(server, 'listening');
    ports[name] = server.address().port;
  }
  return { ports, servers: Object.values(made) };
}

// The clients. Each function makes some requests and resolves when they are over. `names` has what must have been
// handled once, and what may have been handled once.

class Names {
  constructor(prefix) {
    this.prefix = prefix;
    this.count = 0;
    this.certain = [];
    this.possible = [];
  }

  next(isDisturbed) {
    const name = `${this.prefix}-${this.count++}`;
    (isDisturbed ? this.possible : this.certain).push(name);
    return name;
  }
}

function describe(names, isDisturbed) {
  const size = oneIn(4) ? random(300_000) : random(2000);
  const how = ['length', 'plain', 'late'][random(3)];
  return { name: names.next(isDisturbed), size, how, body: oneIn(2) ? Buffer.alloc(random(100_000), 'c') : null };
}

function check({ name, size, body }, text) {
  const wanted = `${name} ${digest(body ?? '')} `;
  assert.ok(text.startsWith(wanted) && text.length === wanted.length + size,
    `${name}: ${text.length} bytes, ${text.slice(0, 100)}`);
}

// Resolves with the response's text, or an error.
function send(options, { name, size, how, body }, disturb) {
  const { request: make } = options.ca === undefined ? http : https;
  return new Promise((resolve) => {
    let text = '';
    const request = make({ host, path: `/${name}/${size}/${how}`, method: body ? 'POST' : 'GET', ...options },
      (response) => {
        response.setEncoding('latin1').on('data', (data) => { text += data; });
        response.on('end', () => resolve(response.complete ? text : new Error('incomplete')));
        response.on('error', resolve);
        response.on('aborted', () => resolve(new Error('aborted')));
      });
    request.on('error', resolve);
    request.on('close', () => resolve(new Error('closed')));
    request.end(body ?? undefined);
    disturb?.(request);
  });
}

// Ends a request at a random time, in one of several ways.
function interrupt(request) {
  const end = () => {
    if (oneIn(2)) request.destroy();
    else if (request.socket?.encrypted) request.socket.destroy();
    else request.socket?.resetAndDestroy();
  };
  switch (random(4)) {
    case 0: end(); break;
    case 1: setTimeout(end, random(20)); break;
    case 2: request.on('socket', (socket) => socket.once('connect', end)); break;
    default: request.on('response', end);
  }
}

async function http1(ports, names) {
  const isSecure = oneIn(2);
  const port = isSecure ? [ports.https, ports.h2][random(2)] : ports.http;
  const secure = isSecure ? { ca } : {};
  // Disturbed requests have connections of their own.
  const agent = new (isSecure ? https : http).Agent({ keepAlive: oneIn(2), maxSockets: 1 + random(4) });
  await Promise.all(Array.from({ length: 1 + random(15) }, async () => {
    await sleep(random(30));
    if (oneIn(3)) {
      const request = describe(names, true);
      if (oneIn(2)) request.how = ['reset', 'half'][random(2)];
      const disturb = oneIn(2) ? interrupt : undefined;
      const result = await send({ port, agent: false, ...secure }, request, disturb);
      // The rest of a response is thrown away when its request is destroyed.
      if (typeof result === 'string' && disturb === undefined) {
        assert.ok(!['reset', 'half'].includes(request.how), `${request.name}: a success, after ${request.how}`);
        check(request, result);
      }
    } else {
      const request = describe(names, false);
      const result = await send({ port, agent, ...secure }, request);
      if (typeof result !== 'string') throw new Error(`${request.name} was lost: ${result.code} ${result.message}`);
      check(request, result);
    }
  }));
  agent.destroy();
}

async function pipelined(ports, names) {
  const requests = Array.from({ length: 1 + random(20) }, () => (
    { ...describe(names, false), size: random(3000), body: null }));
  const socket = net.connect(ports.http, host);
  socket.on('error', ignore);
  socket.write(requests.map(({ name, size }, i) => `GET /${name}/${size}/length HTTP/1.1\r\nHost: a\r\n${
    i === requests.length - 1 ? 'Connection: close\r\n' : ''}\r\n`).join(''));
  let text = '';
  for await (const data of socket.setEncoding('latin1')) text += data;
  const bodies = text.split(/HTTP\/1\.1 200 OK\r\n(?:[^\r]+\r\n)*\r\n/).slice(1);
  assert.strictEqual(bodies.length, requests.length, text.slice(0, 300));
  requests.forEach((request, i) => check(request, bodies[i]));
}

function stream(session, { name, size, how, body }, isAborted) {
  return new Promise((resolve) => {
    let text = '';
    const request = session.request({ ':path': `/${name}/${size}/${how}`, ':method': body ? 'POST' : 'GET' });
    request.on('error', ignore);
    request.setEncoding('latin1').on('data', (data) => { text += data; });
    request.on('close', () => {
      resolve(request.rstCode === 0 && !request.aborted ? text : new Error(`reset with ${request.rstCode}`));
    });
    request.end(body ?? undefined);
    if (isAborted) setTimeout(() => request.close(http2.constants.NGHTTP2_CANCEL), random(10));
  });
}

async function streams(ports, names) {
  const isSecure = oneIn(2);
  const session = http2.connect(isSecure ? `https://localhost:${ports.h2}` : `http://${host}:${ports.h2c}`,
    { ca, lookup: (name, { all }, callback) => callback(null, all ? [{ address: host, family: 4 }] : host, 4) });
  session.on('error', ignore);
  const closed = new Promise((resolve) => session.on('close', resolve));
  const isDestroyed = oneIn(4);
  if (isDestroyed) setTimeout(() => session.destroy(), random(40));
  await Promise.all(Array.from({ length: 1 + random(30) }, async () => {
    await sleep(random(20));
    if (session.destroyed || session.closed) return;
    const isDisturbed = oneIn(3);
    const request = describe(names, isDisturbed || isDestroyed);
    if (isDisturbed && oneIn(2)) request.how = ['reset', 'half'][random(2)];
    const result = await stream(session, request, isDisturbed && oneIn(2));
    if (typeof result === 'string') {
      if (!isDestroyed && !isDisturbed) check(request, result);
    } else if (!isDisturbed && !isDestroyed) {
      throw new Error(`${request.name} was lost: ${result.message}`);
    }
  }));
  session.close();
  await closed;
}

async function fetches(ports, names) {
  await Promise.all(Array.from({ length: 1 + random(5) }, async () => {
    const isDisturbed = oneIn(2);
    const request = describe(names, isDisturbed);
    const controller = new AbortController();
    if (isDisturbed) setTimeout(() => controller.abort(), random(15));
    try {
      const response = await fetch(`http://${host}:${ports.http}/${request.name}/${request.size}/${request.how}`, {
        signal: controller.signal, method: request.body ? 'POST' : 'GET', body: request.body,
        headers: { connection: 'close' },
      });
      check(request, await response.text());
    } catch (error) {
      if (!isDisturbed || error.name !== 'AbortError') throw error;
    }
  }));
}

const kinds = [http1, http1, pipelined, streams, fetches];

// Requests of a child, until it is killed. All of them may have been handled.
async function runChild() {
  const ports = JSON.parse(process.argv[4]);
  process.on('disconnect', () => process.exit());
  for (let i = 0; ; i++) await kinds[random(kinds.length)](ports, new Names(`${process.pid}-${i}`)).catch(ignore);
}

let children = 0;
async function child(ports) {
  const started = fork(__filename, ['child', String(state + children++), JSON.stringify(ports)], { stdio: 'ignore' });
  started.on('error', ignore);
  setTimeout(() => started.kill('SIGKILL'), 50 + random(400));
  await once(started, 'exit');
}

async function round(number) {
  handled.clear();
  const { ports, servers } = await startServers();
  const all = [];
  const tasks = Array.from({ length: 6 + random(6) }, (_, i) => {
    const names = new Names(`round${number}-${i}`);
    all.push(names);
    // The first round has each kind, so that what is opened once is open from then on.
    return kinds[number === 0 ? i % kinds.length : random(kinds.length)](ports, names);
  });
  if (number === 0 || oneIn(2)) tasks.push(child(ports));
  await Promise.all(tasks);
  // The pool of fetch keeps connections.
  for (const server of servers) {
    const closed = once(server, 'close');
    server.closeAllConnections?.();
    server.close();
    await closed;
  }
  for (const { certain, possible } of all) {
    for (const name of certain) assert.strictEqual(handled.get(name), 1, `${name}: ${handled.get(name)} times`);
    for (const name of possible) assert.ok((handled.get(name) ?? 0) <= 1, `${name}: ${handled.get(name)} times`);
  }
  for (const [name, count] of handled) assert.strictEqual(count, 1, `${name} was handled ${count} times`);
}

async function main() {
  const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  let before;
  for (let number = 0; ; number++) {
    await round(number);
    globalThis.gc();
    // Timers of closed connections are gone a turn later.
    for (let tries = 0; ; tries++) {
      const left = process.getActiveResourcesInfo().sort().join(' ');
      // The first line of output opens stdout, which stays open.
      if (number === 1) before ??= left;
      if (number === 0 || left.length <= before.length) break;
      assert.ok(tries < 1000, `left after round ${number}: ${left}; after the second: ${before}`);
      await sleep(10);
    }
    console.log(`quiet ${number} ${process.memoryUsage().heapUsed}`);
    if ((await lines.next()).done) break;
  }
}

if (isChild) runChild();
else main();
