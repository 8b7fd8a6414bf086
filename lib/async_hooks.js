'use strict';
// node:async_hooks.

const { ObjectFreeze } = primordials;

const core = require('internal/async_hooks');
const { AsyncLocalStorage } = require('internal/async_context/storage');
const { AsyncResource } = require('internal/async_context/resource');
const { createHook } = require('internal/async_context/hooks');

// Node's names of native resource types, indexed by Node's provider number.
const providers = [
  'NONE', 'DIRHANDLE', 'DNSCHANNEL', 'ELDHISTOGRAM', 'FILEHANDLE', 'FILEHANDLECLOSEREQ', 'BLOBREADER', 'FSEVENTWRAP',
  'FSREQCALLBACK', 'FSREQPROMISE', 'GETADDRINFOREQWRAP', 'GETNAMEINFOREQWRAP', 'HEAPSNAPSHOT', 'HTTP2SESSION',
  'HTTP2STREAM', 'HTTP2PING', 'HTTP2SETTINGS', 'HTTPINCOMINGMESSAGE', 'HTTPCLIENTREQUEST', 'LOCKS', 'DTLS_ENDPOINT',
  'DTLS_SESSION', 'JSSTREAM', 'JSUDPWRAP', 'MESSAGEPORT', 'PIPECONNECTWRAP', 'PIPESERVERWRAP', 'PIPEWRAP',
  'PROCESSWRAP', 'PROMISE', 'QUERYWRAP', 'QUIC_ENDPOINT', 'QUIC_LOGSTREAM', 'QUIC_SESSION', 'QUIC_STREAM', 'QUIC_UDP',
  'SHUTDOWNWRAP', 'SIGNALWRAP', 'STATWATCHER', 'STREAMPIPE', 'TCPCONNECTWRAP', 'TCPSERVERWRAP', 'TCPWRAP', 'TTYWRAP',
  'UDPSENDWRAP', 'UDPWRAP', 'SIGINTWATCHDOG', 'WORKER', 'WORKERCPUPROFILE', 'WORKERCPUUSAGE', 'WORKERHEAPPROFILE',
  'WORKERHEAPSNAPSHOT', 'WORKERHEAPSTATISTICS', 'WRITEWRAP', 'ZLIB', 'CHECKPRIMEREQUEST', 'PBKDF2REQUEST',
  'KEYPAIRGENREQUEST', 'KEYGENREQUEST', 'KEYEXPORTREQUEST', 'ARGON2REQUEST', 'CIPHERREQUEST', 'DERIVEBITSREQUEST',
  'HASHREQUEST', 'RANDOMBYTESREQUEST', 'RANDOMPRIMEREQUEST', 'SCRYPTREQUEST', 'SIGNREQUEST', 'TLSWRAP',
  'VERIFYREQUEST',
];
const asyncWrapProviders = { __proto__: null };
for (let i = 0; i < providers.length; i++) asyncWrapProviders[providers[i]] = i;
ObjectFreeze(asyncWrapProviders);

// A program that loads this module may read async ids, so every callback sets its ids from now on. The runtime itself
// requires only the internal files above, and does not pay for this.
core.trackIds();
core.hooks.isUsed = true;
core.hooks.onlyTraced = false;

module.exports = {
  AsyncLocalStorage,
  createHook,
  executionAsyncId: core.executionAsyncId,
  triggerAsyncId: core.triggerAsyncId,
  executionAsyncResource: core.executionAsyncResource,
  asyncWrapProviders,
  AsyncResource,
};
