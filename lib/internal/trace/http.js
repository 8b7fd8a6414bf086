'use strict';
// A minimal HTTP/1.1 server that shows a page to a browser on the same machine: GET and HEAD, no request bodies,
// answers in order. Requests that a browser would not send are refused, and slow clients are disconnected.
const net = require('net');

const kMostHead = 16 * 1024; // Bytes of a request.
const kMostTarget = 4096;
const kMostHeaders = 64;
const kMostConnections = 64;
const kHeadTime = 5000; // Milliseconds: from the first byte of a request to its last.
const kIdleTime = 20_000; // Without a byte in either direction.

const reasons = {
  __proto__: null,
  200: 'OK',
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  414: 'URI Too Long',
  421: 'Misdirected Request',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  505: 'HTTP Version Not Supported',
};

const requestLine = /^([A-Z]{1,20}) (\S+) HTTP\/(\d)\.(\d)$/;
const headerLine = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]{1,200}):[ \t]*([\t\x20-\x7e\x80-\xff]*?)[ \t]*$/;

// Parses `head`, the request up to the empty line. Returns { target, isHead, isLast }, or { status } for a bad request.
function parseHead(head, hosts) {
  const lines = head.split('\r\n');
  const line = requestLine.exec(lines[0]);
  if (line === null) return { status: 400 };
  const { 1: method, 2: target, 3: major, 4: minor } = line;
  if (major !== '1' || minor !== '1') return { status: 505 };
  if (method !== 'GET' && method !== 'HEAD') return { status: 405 };
  if (target.length > kMostTarget) return { status: 414 };
  if (target[0] !== '/') return { status: 400 };
  if (lines.length - 1 > kMostHeaders) return { status: 431 };
  let host;
  let isLast = false;
  for (let i = 1; i < lines.length; i++) {
    const header = headerLine.exec(lines[i]);
    if (header === null) return { status: 400 };
    const value = header[2];
    switch (header[1].toLowerCase()) {
      case 'host':
        if (host !== undefined) return { status: 400 };
        host = value.toLowerCase();
        break;
      case 'content-length':
        if (value !== '0') return { status: 400 };
        break;
      case 'transfer-encoding':
      case 'upgrade':
        return { status: 501 };
      case 'connection':
        isLast = /(?:^|,)\s*close\s*(?:,|$)/i.test(value);
        break;
      case 'sec-fetch-site':
        // The request comes from a page of another origin.
        if (value !== 'none' && value !== 'same-origin') return { status: 403 };
        break;
    }
  }
  if (host === undefined) return { status: 400 };
  // Refuse other host names: they indicate DNS rebinding.
  if (!hosts.includes(host)) return { status: 421 };
  return { target, isHead: method === 'HEAD', isLast };
}

function headOf(status, type, length, isLast) {
  return `HTTP/1.1 ${status} ${reasons[status]}\r\n` +
    `Content-Type: ${type}\r\n` +
    `Content-Length: ${length}\r\n` +
    'Cache-Control: no-store\r\n' +
    'X-Content-Type-Options: nosniff\r\n' +
    'X-Frame-Options: DENY\r\n' +
    'Referrer-Policy: no-referrer\r\n' +
    'Cross-Origin-Resource-Policy: same-origin\r\n' +
    'Cross-Origin-Opener-Policy: same-origin\r\n' +
    `${status === 405 ? 'Allow: GET, HEAD\r\n' : ''}` +
    `Connection: ${isLast ? 'close' : 'keep-alive'}\r\n\r\n`;
}

class Connection {
  constructor(server, socket) {
    this.server = server;
    this.socket = socket;
    this.text = ''; // Latin-1: one letter per byte.
    this.isWriting = false;
    this.isOver = false;
    this.deadline = undefined;
    socket.setTimeout(server.idleTime, () => socket.destroy());
    socket.on('error', () => {});
    socket.on('close', () => clearTimeout(this.deadline));
    socket.setEncoding('latin1');
    socket.on('data', (text) => {
      if (this.isOver) return;
      this.text += text;
      this.work();
    });
    socket.on('end', () => {
      if (!this.isWriting) socket.end();
    });
  }

  // Answers the received requests one at a time: the next one waits until the answer to this one has been sent.
  work() {
    while (!this.isWriting && !this.isOver) {
      const end = this.text.indexOf('\r\n\r\n');
      const size = end < 0 ? this.text.length : end;
      if (size > kMostHead) return this.refuse(431);
      if (end < 0) {
        // A line break alone, where a browser sends two letters, will not become one.
        if (/(?:^|[^\r])\n|\r[^\n]/.test(this.text)) return this.refuse(400);
        if (this.text !== '' && this.deadline === undefined) {
          this.deadline = setTimeout(() => this.refuse(408), this.server.headTime);
        }
        return;
      }
      clearTimeout(this.deadline);
      this.deadline = undefined;
      const head = this.text.slice(0, end);
      this.text = this.text.slice(end + 4);
      this.answer(parseHead(head, this.server.hosts));
    }
    // Back-pressure: stop reading from clients that send requests faster than they read answers.
    if (this.text.length > kMostHead) this.socket.pause();
  }

  answer(request) {
    if (request.status !== undefined) return this.refuse(request.status);
    let answer;
    try {
      answer = this.server.respond(request.target);
    } catch {
      answer = { status: 500 };
    }
    const { status = 200, type = 'text/plain; charset=utf-8', body = reasons[status] } = answer;
    this.write(status, type, Buffer.from(body), request.isHead, request.isLast);
  }

  // Answers with an error and closes the connection, because the end of the bad request is unknown.
  refuse(status) {
    this.write(status, 'text/plain; charset=utf-8', Buffer.from(`${reasons[status]}\n`), false, true);
  }

  write(status, type, body, isHead, isLast) {
    const { socket } = this;
    clearTimeout(this.deadline);
    this.deadline = undefined;
    this.isWriting = true;
    if (isLast) {
      this.isOver = true;
      this.text = '';
    }
    const done = () => {
      this.isWriting = false;
      if (isLast || this.socket.readableEnded) {
        socket.end();
        return;
      }
      this.socket.resume();
      this.work();
    };
    const head = headOf(status, type, body.length, isLast);
    if (isHead || body.length === 0) {
      socket.write(head, 'latin1', done);
    } else {
      socket.write(head, 'latin1');
      socket.write(body, done);
    }
  }
}

// respond(target) gives { status, type, body }, each of which has a default.
class LoopbackServer {
  constructor(respond, { headTime = kHeadTime, idleTime = kIdleTime } = {}) {
    this.respond = respond;
    this.headTime = headTime;
    this.idleTime = idleTime;
    this.sockets = new Set();
    this.hosts = [];
    // Half-open, so that a client that has ended its side still gets the answer.
    this.server = net.createServer({ allowHalfOpen: true }, (socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
      new Connection(this, socket);
    });
    this.server.maxConnections = kMostConnections;
  }

  // listening(error, port), on the loopback address only.
  listen(listening) {
    this.server.once('error', listening);
    this.server.listen(0, '127.0.0.1', () => {
      const { port } = this.server.address();
      this.hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
      listening(null, port);
    });
  }

  close() {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }
}

module.exports = { LoopbackServer, parseHead };
