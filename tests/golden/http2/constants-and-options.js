'use strict';
// The names of the module, and checks of the options of servers and clients.
const http2 = require('http2');

console.log(Object.keys(http2), Object.keys(http2.constants).length);
console.log(Object.getOwnPropertyNames(http2.constants).filter((name) => !Object.keys(http2.constants).includes(name)));
for (const [name, value] of Object.entries(http2.constants)) console.log(name, value);
function failure(fn) {
  try {
    fn();
    return 'no error';
  } catch (error) {
    return `${error.name} ${error.code} ${error.message}`;
  }
}
for (const options of [
  1, 'x', null, [], { settings: 1 }, { settings: null }, { remoteCustomSettings: 1 },
  { remoteCustomSettings: Array(11).fill(1) }, { maxSessionInvalidFrames: -1 }, { maxSessionInvalidFrames: 'x' },
  { maxSessionRejectedStreams: 2 ** 32 }, { unknownProtocolTimeout: 'x' }, { strictSingleValueFields: 1 },
]) {
  console.log(failure(() => http2.createServer(options)), failure(() => http2.performServerHandshake({}, options)));
}
for (const options of [1, 'x', null, { maxOriginSetSize: 'x' }, { maxOriginSetSize: -1 }, { remoteCustomSettings: 1 },
                       { strictSingleValueFields: 'x' }]) {
  console.log(failure(() => http2.connect('http://127.0.0.1:1', options)));
}
const server = http2.createServer();
console.log(failure(() => server.setTimeout(1, 1)), server.setTimeout(10) === server, server.timeout);
for (const name of ['Http2ServerRequest', 'Http2ServerResponse']) console.log(http2[name].name, http2[name].length);
