'use strict';
// node:async_hooks.

const { ObjectDefineProperty, ObjectFreeze } = primordials;

const core = require('internal/async_hooks');
const { AsyncLocalStorage } = require('internal/async_context/storage');
const { AsyncResource } = require('internal/async_context/resource');
const { createHook } = require('internal/async_context/hooks');

// The kinds of resources that native code makes, as Node numbers them.
const providers = [
  'NONE', 'DIRHANDLE', 'DNSCHANNEL', 'ELDHISTOGRAM', 'FILEHANDLE', 'FILEHANDLECLOSEREQ', 'BLOBREADER', 'FSEVENTWRAP',
  'FSREQCALLBACK', 'FSREQPROMISE', 'GETADDRINFOREQWRAP', 'GETNAMEINFOREQWRAP', 'HEAPSNAPSHOT', 'HTTP2SESSION',
  'HTTP2STREAM', 'HTTP2PING', 'HTTP2SETTINGS', 'HTTPINCOMINGMESSAGE', 'HTTPCLIENTREQUEST', 'JSSTREAM', 'JSUDPWRAP',
  'MESSAGEPORT', 'PIPECONNECTWRAP', 'PIPESERVERWRAP', 'PIPEWRAP', 'PROCESSWRAP', 'PROMISE', 'QUERYWRAP',
  'QUIC_LOGSTREAM', 'QUIC_PACKET', 'SHUTDOWNWRAP', 'SIGNALWRAP', 'STATWATCHER', 'STREAMPIPE', 'TCPCONNECTWRAP',
  'TCPSERVERWRAP', 'TCPWRAP', 'TTYWRAP', 'UDPSENDWRAP', 'UDPWRAP', 'SIGINTWATCHDOG', 'WORKER', 'WORKERHEAPSNAPSHOT',
  'WRITEWRAP', 'ZLIB', 'CHECKPRIMEREQUEST', 'PBKDF2REQUEST', 'KEYPAIRGENREQUEST', 'KEYGENREQUEST', 'KEYEXPORTREQUEST',
  'CIPHERREQUEST', 'DERIVEBITSREQUEST', 'HASHREQUEST', 'RANDOMBYTESREQUEST', 'RANDOMPRIMEREQUEST', 'SCRYPTREQUEST',
  'SIGNREQUEST', 'TLSWRAP', 'VERIFYREQUEST',
];
const asyncWrapProviders = { __proto__: null };
for (let i = 0; i < providers.length; i++) asyncWrapProviders[providers[i]] = i;
ObjectFreeze(asyncWrapProviders);

module.exports = { AsyncLocalStorage, createHook };

// Who takes one of these functions wants ids: from then on, every callback says who it is.
for (const name of ['executionAsyncId', 'triggerAsyncId', 'executionAsyncResource']) {
  const store = (value) => {
    core.hooks.tracksIds = true;
    ObjectDefineProperty(module.exports, name, {
      __proto__: null, value, writable: true, enumerable: true, configurable: true,
    });
  };
  ObjectDefineProperty(module.exports, name, {
    __proto__: null,
    enumerable: true,
    configurable: true,
    get() {
      store(core[name]);
      return core[name];
    },
    set: store,
  });
}

module.exports.asyncWrapProviders = asyncWrapProviders;
module.exports.AsyncResource = AsyncResource;
