'use strict';
// Connections of HTTP servers, for `rondo why` and the figures of `rondo top`. Like alive.js this may interrupt the
// program: it must not change any state.

const { ArrayPrototypePush, SafeMap } = primordials;

const { allConnections } = internalBinding('http_parser');
const { listenerOf } = require('internal/async_hooks');
const { observed } = require('internal/http/observe');
const { kConnection, kConnections } = require('internal/http/symbols');

// Calls `visit(socket, requests, server)`. `requests` are those without a complete response.
function forEachConnection(visit) {
  const servers = observed.liveServers();
  for (let i = 0; i < servers.length; i++) {
    const list = servers[i][kConnections];
    const parsers = list === undefined ? [] : allConnections(list);
    for (let j = 0; j < parsers.length; j++) {
      const { socket } = parsers[j];
      const requests = socket?.[kConnection]?.requests;
      if (requests !== undefined) visit(socket, requests, servers[i]);
    }
  }
}

// From descriptors to { isClosing, requests: ['GET /path', ...], handler }.
function connectionsByDescriptor() {
  const map = new SafeMap();
  forEachConnection((socket, requests, server) => {
    const fd = socket._handle?.fd;
    if (!(fd >= 0)) return;
    const names = [];
    for (let i = 0; i < requests.length; i++) ArrayPrototypePush(names, `${requests[i].method} ${requests[i].url}`);
    map.set(fd, { isClosing: !server._handle, requests: names, handler: listenerOf(server, 'request') });
  });
  return map;
}

// { servers, connections, inFlight } of the servers that exist.
function countConnections() {
  const servers = observed.liveServers();
  let connections = 0;
  let inFlight = 0;
  for (let i = 0; i < servers.length; i++) connections += servers[i]._connections;
  forEachConnection((socket, requests) => { inFlight += requests.length; });
  return { __proto__: null, servers: servers.length, connections, inFlight };
}

module.exports = { connectionsByDescriptor, countConnections };
