'use strict';
// Time limits of servers, requests and agents. Real time is only ever waited for, never measured against a maximum.
const http = require('http');
const net = require('net');
const { exchange, rawServer, show } = require('../fixtures/raw');

const log = console.log;
const listen = (server) => new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));

async function limits() {
  const server = http.createServer({ headersTimeout: 60, requestTimeout: 120, connectionsCheckingInterval: 20 },
    (request, response) => {
      log('request', request.url);
      for (const event of ['error', 'aborted', 'close']) request.on(event, (error) => log(`request ${event}`, error?.code));
      request.resume();
    });
  const port = await listen(server);
  log('no byte');
  show(await exchange(port, ''));
  log('no whole head');
  show(await exchange(port, 'GET / HTTP/1.1\r\nHost: a\r\n'));
  log('no whole body');
  const start = Date.now();
  show(await exchange(port, 'POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc'));
  log(Date.now() - start >= 115);
  server.on('clientError', (error, socket) => {
    log('clientError', error.code, error.message, socket.bytesWritten);
    socket.destroy();
  });
  show(await exchange(port, 'GET / HTTP/1.1\r\n'));
  server.close();
}

async function keepAlive() {
  const server = http.createServer({ keepAliveTimeout: 50, keepAliveTimeoutBuffer: 0 }, (request, response) => {
    response.sendDate = false;
    response.end('a');
  });
  const port = await listen(server);
  const start = Date.now();
  show(await exchange(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
  log(Date.now() - start >= 45);
  server.close();
}

async function ofServer() {
  const server = http.createServer(() => {});
  server.setTimeout(40, (socket) => {
    log('server timeout', socket instanceof net.Socket);
    socket.destroy();
  });
  const port = await listen(server);
  show(await exchange(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
  server.removeAllListeners('timeout');
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    request.setTimeout(30, () => log('request timeout'));
    response.setTimeout(30, (socket) => {
      log('response timeout', socket === request.socket);
      response.sendDate = false;
      response.end('late');
    });
  });
  show(await exchange(port, [
    'POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 3\r\n\r\n', 'late', 'abc']));
  server.close();
}

async function ofClient() {
  for (const how of ['option', 'method', 'agent']) {
    const agent = new http.Agent(how === 'agent' ? { timeout: 30 } : {});
    await new Promise((resolve) => {
      rawServer([(socket) => socket.resume()], (server, port) => {
        const request = http.get({ port, host: '127.0.0.1', agent, timeout: how === 'option' ? 30 : undefined });
        if (how === 'method') request.setTimeout(30, () => log('callback'));
        request.on('timeout', () => {
          log(how, 'timeout', request.destroyed, request.timeout);
          request.destroy();
        });
        request.on('error', (error) => log(error.code, error.message));
        request.on('close', () => server.close(resolve));
      });
    });
  }
  // A timeout while the response is read is one of the response, too.
  await new Promise((resolve) => {
    rawServer([(socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab')], (server, port) => {
      const request = http.get({ port, host: '127.0.0.1', agent: false, timeout: 30 }, (response) => {
        response.on('timeout', () => {
          log('response timeout');
          response.destroy();
        });
        response.on('error', (error) => log('response', error.code));
        response.resume();
      });
      request.on('timeout', () => log('request timeout'));
      request.on('close', () => server.close(resolve));
    });
  });
}

// The agent closes a connection earlier than the server says that it will.
async function ofAgent() {
  for (const hint of ['timeout=1', 'timeout=2', 'timeout=x', 'max=3']) {
    const agent = new http.Agent({ keepAlive: true, timeout: 10_000 });
    await new Promise((resolve) => {
      const answer = `HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive\r\nKeep-Alive: ${hint}\r\n\r\n`;
      rawServer([(socket) => socket.write(answer)], (server, port) => {
        agent.on('free', (socket) => process.nextTick(() => {
          log(hint, Object.keys(agent.freeSockets).length, socket.timeout, socket.destroyed);
          socket.destroy();
          server.close(resolve);
        }));
        http.get({ port, host: '127.0.0.1', agent }, (response) => response.resume());
      });
    });
  }
}

(async () => {
  await limits();
  await keepAlive();
  await ofServer();
  await ofClient();
  await ofAgent();
})();
