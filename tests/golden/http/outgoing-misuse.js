'use strict';
// Wrong arguments of messages, servers and requests.
const http = require('http');

function attempt(name, call) {
  try {
    const result = call();
    console.log(name, typeof result === 'object' ? 'object' : result);
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
}

const message = () => new http.OutgoingMessage();
for (const name of [undefined, null, '', 1, 'a b', 'ä', 'a:']) attempt(`name ${name}`, () => message().setHeader(name, 'x'));
for (const value of [undefined, 'a\nb', '\u2713', 'a\0', 1, null, [], ['a', 'b\r']]) {
  attempt(`value ${value}`, () => message().setHeader('x', value));
}
attempt('getHeader', () => message().getHeader());
attempt('hasHeader', () => message().hasHeader(1));
attempt('removeHeader', () => message().removeHeader());
attempt('appendHeader', () => message().appendHeader('x'));
attempt('setHeaders', () => message().setHeaders([]));
attempt('write', () => message().write('x'));
attempt('write null', () => message().write(null));
attempt('write number', () => message().write(1));
attempt('trailers', () => message().addTrailers({ 'a b': 'c' }));
attempt('trailers value', () => message().addTrailers({ a: 'c\n' }));
attempt('validateHeaderName', () => http.validateHeaderName('a b'));
attempt('validateHeaderName label', () => http.validateHeaderName('a b', 'Label'));
attempt('validateHeaderValue', () => http.validateHeaderValue('x', undefined));
attempt('validateHeaderValue char', () => http.validateHeaderValue('x', '\u0100'));
attempt('setMaxIdleHTTPParsers', () => http.setMaxIdleHTTPParsers(0));

const response = () => new http.ServerResponse({ method: 'GET', httpVersionMajor: 1, httpVersionMinor: 1 });
for (const status of [0, 99, 1000, 'x', undefined, 200.7]) attempt(`status ${status}`, () => response().writeHead(status));
attempt('statusMessage', () => response().writeHead(200, 'a\nb'));
attempt('odd list', () => response().writeHead(200, ['a']));
attempt('information', () => response().writeInformation(101));
attempt('information 200', () => response().writeInformation(200));
attempt('early hints', () => response().writeEarlyHints('x'));
attempt('early hints link', () => response().writeEarlyHints({ link: 'bad' }));
const sent = response();
sent.writeHead(200);
for (const name of ['setHeader', 'appendHeader', 'removeHeader', 'writeHead', 'setHeaders']) {
  attempt(`sent ${name}`, () => sent[name](name === 'setHeaders' ? new Map() : 'a', 'b'));
}

for (const options of [
  1, 'x', { maxHeaderSize: -1 }, { insecureHTTPParser: 1 }, { requestTimeout: -1 }, { headersTimeout: 2, requestTimeout: 1 },
  { keepAliveTimeout: 'x' }, { connectionsCheckingInterval: 1.5 }, { requireHostHeader: 0 }, { joinDuplicateHeaders: 1 },
  { rejectNonStandardBodyWrites: 1 }, { httpValidation: 'x' }, { httpValidation: 'strict', insecureHTTPParser: true },
  { optimizeEmptyRequests: 1 }, { shouldUpgradeCallback: 1 },
]) {
  attempt(`server ${JSON.stringify(options)}`, () => http.createServer(options));
}
for (const options of [
  { path: '/a b' }, { path: '/\u{1f600}' }, { protocol: 'x:' }, { agent: {} }, { host: 1 }, { hostname: {} }, { method: 'a b' },
  { method: 1 }, { timeout: -1 }, { timeout: 'x' }, { maxHeaderSize: -1 }, { insecureHTTPParser: 1 },
  { joinDuplicateHeaders: 'x' }, { headers: { 'a b': 1 } }, { headers: ['a'] }, { port: 70000 }, { port: 'x' },
]) {
  attempt(`request ${JSON.stringify(options)}`, () => {
    const request = http.request({ createConnection: () => undefined, ...options });
    request.on('error', (error) => console.log('error', error.code));
    request.destroy();
    return request;
  });
}
attempt('request url', () => http.request('nope'));
