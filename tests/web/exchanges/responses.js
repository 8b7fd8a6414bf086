'use strict';
// Random responses of HTTP/1, most of them almost valid, to requests with random options over a connection of an agent.
const http = require('node:http');
const { Wire, describe, digest, finishTicks, withoutDate } = require('./wire');
const { chunks, damage, end, field } = require('./requests');

const statuses = ['200 OK', '200 OK', '200 OK', '200', '201 Created', '204 No Content', '304 Not Modified',
  '100 Continue',
  '101 Switching Protocols', '103 Early Hints', '199 x', '404 Not Found', '500 \xe4', '999 x', '099 x', '20 x',
  '2000 x', ' 200 OK',
  '', '200 a\x00b', '205 Reset', '407 Proxy'];
const versions = ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'ICY',
  'HTTP/1.2', 'http/1.1', ''];
const connections = ['close', 'keep-alive', 'upgrade', 'keep-alive, upgrade'];
const keepAlives = ['timeout=5', 'timeout=0', 'timeout=1', 'max=1', 'x'];
const methods = ['GET', 'GET', 'GET', 'HEAD', 'POST', 'CONNECT', 'OPTIONS'];

function response(numbers) {
  const isPlain = numbers.oneIn(2);
  const status = numbers.pick(isPlain ? statuses.slice(0, 10) : statuses);
  let text = `${isPlain ? 'HTTP/1.1' : numbers.pick(versions)} ${status}${end(numbers)}`;
  const body = numbers.below(8);
  if (body === 1 || body === 2) text += 'Content-Length: 5\r\n';
  if (body === 3 || body === 4) text += 'Transfer-Encoding: chunked\r\n';
  if (numbers.oneIn(3)) text += `Connection: ${numbers.pick(connections)}\r\n`;
  if (numbers.oneIn(6)) text += `Keep-Alive: ${numbers.pick(keepAlives)}\r\n`;
  if (numbers.oneIn(6)) text += `Upgrade: ${numbers.pick(['websocket', 'x'])}\r\n`;
  for (let i = numbers.below(3); i > 0; i--) text += `${field(numbers)}${end(numbers)}`;
  text += end(numbers);
  if (body === 1 || body === 2 || body === 5) text += 'hello'.slice(0, numbers.oneIn(8) ? numbers.below(5) : 5);
  if (body === 3 || body === 4) text += chunks(numbers);
  return text;
}

function makeStream(numbers) {
  let text = response(numbers);
  while (numbers.oneIn(4)) text += response(numbers);
  while (numbers.oneIn(4)) text = damage(numbers, text);
  return text;
}

function makeOptions(numbers) {
  const options = { method: numbers.pick(methods), path: '/a', host: 'a' };
  if (numbers.oneIn(8)) options.insecureHTTPParser = true;
  if (numbers.oneIn(8)) options.joinDuplicateHeaders = true;
  if (numbers.oneIn(8)) options.maxHeaderSize = 60 + numbers.below(200);
  if (numbers.oneIn(8)) options.headers = { 'Expect': '100-continue' };
  if (numbers.oneIn(8)) options.headers = { 'Connection': 'upgrade', 'Upgrade': 'websocket' };
  return options;
}

function log(events, name, ...more) {
  events.push(`${name} ${more.map(describe).join(' ')}`);
}

// The ways in which a client uses the response.
const uses = ['read', 'read', 'read', 'resume', 'destroy', 'destroy later', 'ignore', 'iterate', 'pause'];

function listen(request, numbers, events, name) {
  const use = numbers.pick(uses);
  for (const event of ['continue', 'finish', 'abort', 'timeout']) {
    request.on(event, () => log(events, `${name} ${event}`));
  }
  request.on('information', ({ statusCode, statusMessage, rawHeaders }) => {
    log(events, `${name} information`, statusCode, statusMessage, rawHeaders);
  });
  request.on('error', (error) => log(events, `${name} error`, error.code, error.message, error.reason));
  request.on('close', () => {
    log(events, `${name} close`, request.destroyed, request.reusedSocket, request.res?.complete);
  });
  if (numbers.oneIn(3)) {
    for (const event of ['upgrade', 'connect']) {
      request.on(event, (answer, socket, head) => {
        log(events, `${name} ${event}`, answer.statusCode, answer.rawHeaders, digest(head));
        socket.on('data', (data) => log(events, `${name} ${event} data`, digest(data)));
        socket.on('error', () => {});
      });
    }
  }
  if (use === 'ignore' && numbers.oneIn(2)) return;
  request.on('response', (answer) => onResponse(answer, use, events, name));
}

function onResponse(answer, use, events, name) {
  log(events, `${name} response`, answer.statusCode, answer.statusMessage, answer.httpVersion, answer.rawHeaders,
    answer.headers,
    answer.upgrade);
  const parts = [];
  for (const event of ['aborted', 'error', 'end', 'close']) {
    answer.on(event, (error) => {
      log(events, `${name} response ${event}`, error?.code, answer.complete, digest(Buffer.concat(parts)),
        answer.rawTrailers);
    });
  }
  if (use === 'read') answer.on('data', (data) => parts.push(data));
  if (use === 'resume') answer.resume();
  if (use === 'destroy') answer.destroy();
  if (use === 'destroy later') setImmediate(() => answer.destroy());
  if (use === 'iterate') iterate(answer, parts);
  if (use === 'pause') answer.once('data', (data) => {
    parts.push(data);
    answer.pause();
    setImmediate(() => answer.on('data', (more) => parts.push(more)).resume());
  });
}

async function iterate(answer, parts) {
  try {
    for await (const data of answer) parts.push(data);
  } catch {
    // It is an event, too.
  }
}

// Two requests, for the second one of which the connection may be used again.
async function run(numbers) {
  const events = [];
  const wires = [];
  const agent = new http.Agent({ keepAlive: numbers.oneIn(2), maxSockets: 1 });
  agent.createConnection = () => {
    const wire = new Wire(events);
    wires.push(wire);
    return wire;
  };
  for (let i = 0; i < 2; i++) {
    const options = { ...makeOptions(numbers), agent };
    const input = Buffer.from(makeStream(numbers), 'latin1');
    events.push(`${i}: ${options.method} ${JSON.stringify(input.toString('latin1'))}`);
    const request = http.request(options);
    listen(request, numbers, events, String(i));
    if (numbers.oneIn(2)) request.end(options.method === 'POST' ? 'body' : undefined);
    else setImmediate(() => request.end());
    await finishTicks();
    const wire = wires.at(-1);
    const step = numbers.oneIn(2) ? input.length : 1 + numbers.below(40);
    for (let at = 0; at < input.length && !wire.destroyed; at += step) {
      wire.receive(input.subarray(at, at + step));
      await finishTicks();
    }
    if (numbers.oneIn(2)) wire.receive(null);
    await finishTicks();
    if (!request.destroyed) request.destroy();
    await finishTicks();
  }
  agent.destroy();
  await finishTicks();
  for (const wire of wires) wire.destroy();
  await finishTicks();
  return [...events, ...wires.map((wire) => `sent ${withoutDate(wire.sent)}`)];
}

module.exports = { run };
