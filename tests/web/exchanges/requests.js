'use strict';
// Random requests of HTTP/1, most of them almost valid, for a server with random options. The events of the server and
// the bytes that it sends depend only on the seed.
const http = require('node:http');
const net = require('node:net');
const { Wire, describe, digest, finishTicks, withoutDate } = require('./wire');

const methods = ['GET', 'GET', 'POST', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'DELETE', 'CONNECT', 'TRACE', 'PRI',
  'M-SEARCH',
  'QUERY', 'get', 'X', '', 'G\x00T'];
const targets = ['/', '/a?b=c', '*', 'http://a/b', 'a:80', '/%00', '/\xe4', '/a b', '', '/\x01', '//', '/#x',
  `/${'a'.repeat(300)}`];
const versions = ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', 'HTTP/1.2',
  'HTTP/1', 'HTP/1.1',
  'http/1.1', ''];
const names = ['Content-Length', 'Transfer-Encoding', 'Connection', 'Host', 'Expect', 'Upgrade', 'X-Field', 'Cookie',
  'Set-Cookie', 'Trailer', 'Keep-Alive', 'TE', 'content-length', 'Transfer_Encoding', 'If-Match', 'Age', 'Referer',
  '__proto__', 'X\x01', 'X Y', '', 'X(', 'Proxy-Connection'];
const values = {
  'Content-Length': ['0', '1', '3', '5', '3, 3', '+3', '-1', '0x3', '', '3 ', '18446744073709551617', '03', '1e1',
    '3;a'],
  'Transfer-Encoding': ['chunked', 'chunked', 'chunked', 'Chunked', 'gzip, chunked', 'chunked, gzip', 'identity', '',
    'chunked;a',
    '"chunked"', '\x0bchunked', 'chunked\t', 'x'],
  'Connection': ['close', 'keep-alive', 'upgrade', 'Upgrade, close', 'x', '', 'keep-alive, upgrade'],
  'Expect': ['100-continue', '100-Continue', 'x', ''],
  'Upgrade': ['websocket', 'h2c', ''],
};
const anyValue = ['', 'a', ' a ', 'a\tb', 'a, b', '\xe4', 'a\x00b', 'a\x7fb', 'a\x01', '\x0b', 'a: b', '"a"',
  'x'.repeat(200)];
const ends = ['\r\n', '\r\n', '\r\n', '\r\n', '\r\n', '\r\n', '\r\n', '\r\n', '\r\n', '\n', '\r', '\r\r\n', '\r\n ',
  '\n\r'];

function field(numbers, makeValue = numbers.pick(anyValue)) {
  const name = numbers.pick(numbers.oneIn(3) ? names : names.slice(0, 8));
  const colon = numbers.oneIn(15) ? numbers.pick([':', ' :', '\t:', ':  ', ':\t', '']) : ': ';
  return `${name}${colon}${numbers.oneIn(6) ? makeValue : numbers.pick(values[name] ?? anyValue)}`;
}

function chunks(numbers) {
  let text = '';
  for (let i = numbers.below(3); i >= 0; i--) {
    const size = 1 + numbers.below(20);
    const shown = numbers.oneIn(10) ? numbers.pick([`0${size.toString(16)}`, ` ${size}`, `0x${size}`,
      'ffffffffffffffffff', '', '-1', 'g',
      `${size.toString(16)} `, (size + 1).toString(16), size.toString(16).toUpperCase()]) : size.toString(16);
    const extension = numbers.oneIn(5) ? numbers.pick([';a', ';a=b', ';a="b"', ';a="b\\""', ';', ';a=b;c', ' ;a',
      ';\x00', ';a\nb',
      `;${'x'.repeat(500)}`, ';a="']) : '';
    text += `${shown}${extension}${end(numbers)}${'d'.repeat(size)}${end(numbers)}`;
  }
  text += `0${end(numbers)}`;
  while (numbers.oneIn(4)) text += `${field(numbers)}${end(numbers)}`;
  return text + end(numbers);
}

const end = (numbers) => (numbers.oneIn(14) ? numbers.pick(ends) : '\r\n');

function request(numbers) {
  const isPlain = numbers.oneIn(2);
  const method = isPlain ? numbers.pick(methods.slice(0, 8)) : numbers.pick(methods);
  const target = isPlain ? numbers.pick(targets.slice(0, 2)) : numbers.pick(targets);
  let text = `${method} ${target} ${isPlain ? 'HTTP/1.1' : numbers.pick(versions)}${isPlain ? '\r\n' : end(numbers)}`;
  if (!numbers.oneIn(10)) text += 'Host: a\r\n';
  const body = numbers.below(12);
  if (body === 1) text += 'Content-Length: 5\r\n';
  if (body === 2) text += 'Transfer-Encoding: chunked\r\n';
  for (let i = numbers.below(isPlain ? 2 : 4); i > 0; i--) text += `${field(numbers)}${end(numbers)}`;
  text += isPlain ? '\r\n' : end(numbers);
  if (body === 1 || body === 3) text += 'hello'.slice(0, numbers.oneIn(8) ? numbers.below(5) : 5);
  if (body === 2 || body === 4) text += chunks(numbers);
  return text;
}

// Changes a few bytes.
function damage(numbers, text) {
  const at = numbers.below(text.length);
  switch (numbers.below(4)) {
    case 0: return text.slice(0, at) + numbers.pick(['\r', '\n', '\0', ' ', ':', '\x80', '\r\n']) + text.slice(at);
    case 1: return text.slice(0, at) + text.slice(at + 1 + numbers.below(3));
    case 2: return text.slice(0, at);
    default: return text.slice(0, at) + String.fromCharCode(numbers.below(256)) + text.slice(at + 1);
  }
}

function makeStream(numbers) {
  let text = '';
  for (let i = numbers.below(4); i >= 0; i--) text += request(numbers);
  while (numbers.oneIn(3)) text = damage(numbers, text);
  return text;
}

function makeOptions(numbers) {
  const options = {};
  if (numbers.oneIn(8)) options.insecureHTTPParser = true;
  if (numbers.oneIn(8)) options.requireHostHeader = false;
  if (numbers.oneIn(8)) options.joinDuplicateHeaders = true;
  if (numbers.oneIn(8)) options.maxHeaderSize = 100 + numbers.below(300);
  if (numbers.oneIn(8)) options.keepAliveTimeout = 0;
  return options;
}

// The reactions of a server to requests, by the number of the request.
const answers = [
  (request, response) => response.end('text'),
  (request, response) => request.pipe(response),
  (request, response) => { response.write('a'); response.end('b'); },
  (request, response) => { response.writeHead(200, { 'Content-Length': 3 }); response.end('abc'); },
  (request, response) => { response.writeHead(204); response.end(); },
  (request, response) => { response.statusCode = 304; response.end('x'); },
  (request, response) => setImmediate(() => response.end('late')),
  (request, response) => request.on('end', () => response.end('after')).resume(),
  (request, response) => { response.setHeader('Connection', 'close'); response.end('last'); },
  (request, response) => { response.addTrailers?.({ t: 'u' }); response.write('x'); response.end(); },
  (request) => request.destroy(),
  (request, response) => response.destroy(),
  (request, response) => { response.flushHeaders(); setImmediate(() => response.end('flushed')); },
  (request, response) => { response.writeProcessing?.(); response.end(Buffer.alloc(100, 'b')); },
  (request, response) => { request.pause(); response.end('paused'); },
];

function log(events, name, ...more) {
  events.push(`${name} ${more.map(describe).join(' ')}`);
}

function listen(server, numbers, events) {
  let number = 0;
  const choices = Array.from({ length: 6 }, () => numbers.pick(answers));
  const isQuiet = numbers.oneIn(2);
  function onRequest(name, request, response) {
    const which = number++;
    log(events, `${name} ${which}`, request.method, request.url, request.httpVersion, request.rawHeaders,
      request.headers,
      request.headersDistinct.host, request.upgrade);
    const parts = [];
    if (!isQuiet) request.on('data', (data) => parts.push(data));
    for (const event of ['aborted', 'error', 'end', 'close']) {
      request.on(event, (error) => {
        log(events, `${which} ${event}`, error?.code, request.complete, digest(Buffer.concat(parts)),
          request.rawTrailers);
      });
    }
    response.on('error', (error) => log(events, `response ${which} error`, error.code));
    response.on('finish', () => log(events, `response ${which} finish`));
    response.on('close', () => log(events, `response ${which} close`, response.writableFinished));
    response.sendDate = false;
    choices[which % choices.length](request, response);
  }
  server.on('request', (request, response) => onRequest('request', request, response));
  if (numbers.oneIn(4)) {
    server.on('checkContinue', (request, response) => {
      if (which(request)) response.writeContinue();
      onRequest('continue', request, response);
    });
  }
  if (numbers.oneIn(4)) {
    server.on('checkExpectation', (request, response) => onRequest('expectation', request, response));
  }
  for (const event of ['upgrade', 'connect']) {
    if (!numbers.oneIn(3)) continue;
    server.on(event, (request, socket, head) => {
      log(events, event, request.method, request.url, request.headers, digest(head));
      socket.on('error', (error) => log(events, `${event} error`, error.code));
      socket.on('data', (data) => log(events, `${event} data`, digest(data)));
      socket.end('bye');
    });
  }
  if (numbers.oneIn(3)) {
    server.on('clientError', (error, socket) => {
      log(events, 'clientError', error.code, error.message, error.reason);
      socket.end('HTTP/1.1 400 Own\r\n\r\n');
    });
  }
  if (numbers.oneIn(6)) server.maxRequestsPerSocket = 1 + numbers.below(2);
  if (numbers.oneIn(6)) server.maxHeadersCount = 1 + numbers.below(3);
  server.on('dropRequest', () => log(events, 'dropRequest'));
}

const which = (request) => request.url.length % 2 === 0;

// One connection. Resolves with the events as lines, the last of which is what was sent.
async function run(numbers) {
  const events = [];
  const server = http.createServer(makeOptions(numbers));
  listen(server, numbers, events);
  const input = Buffer.from(makeStream(numbers), 'latin1');
  const isSocket = numbers.oneIn(2);
  const found = await (isSocket ? overSocket : overWire)(server, input, numbers, events);
  return [`input ${JSON.stringify(input.toString('latin1'))}`, ...found];
}

async function overWire(server, input, numbers, events) {
  const wire = new Wire(events);
  server.emit('connection', wire);
  const step = numbers.oneIn(2) ? input.length : 1 + numbers.below(40);
  for (let at = 0; at < input.length && !wire.destroyed; at += step) {
    wire.receive(input.subarray(at, at + step));
    await finishTicks();
  }
  if (!wire.destroyed && !wire.hasEnded) wire.receive(null);
  await finishTicks();
  await finishTicks();
  events.push(`destroyed ${wire.destroyed}`);
  wire.destroy();
  server.close();
  await finishTicks();
  return [...events, `sent ${withoutDate(wire.sent)}`];
}

// Sorted: the order of events of the two ends depends on the kernel.
async function overSocket(server, input, numbers, events) {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = net.connect({ port: server.address().port, host: '127.0.0.1', allowHalfOpen: true });
  let received = '';
  client.setEncoding('latin1').on('data', (data) => { received += data; });
  client.on('error', (error) => events.push(`client ${error.code}`));
  client.on('end', () => client.end());
  client.write(input);
  for (let i = 0; i < 4; i++) await finishTicks();
  client.end();
  for (let i = 0; i < 2; i++) await finishTicks();
  events.push(`ended ${client.readableEnded}`);
  client.destroy();
  for (let i = 0; i < 2; i++) await finishTicks();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return [...events.sort(), `sent ${withoutDate(received)}`];
}

module.exports = { chunks, damage, end, field, run };
