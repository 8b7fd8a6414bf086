'use strict';
// Observes HTTP requests for traces, `rondo top`, --metrics and --trace-otlp. The other files of internal/http and
// internal/fetch call these functions while `observed.isOn`, which is their only cost otherwise.
//
// An Exchange is a request and its response, as a server or a client sees it. Observers are objects with the functions
// begins(exchange, message), continues(exchange) and ends(exchange), which must not throw, and whose calls must have no
// effect that the program can observe.

const {
  ArrayPrototypeIndexOf,
  ArrayPrototypePush,
  ArrayPrototypeSplice,
  SafeSet,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
  Symbol,
} = primordials;

const { now } = internalBinding('clock');

const kExchange = Symbol('kExchange'); // Of requests and responses.

const observers = [];

class Exchange {
  constructor(id, isServer, method, startedAt) {
    this.id = id;
    this.isServer = isServer;
    this.method = method;
    this.startedAt = startedAt; // When its first byte arrived, or the program made it: milliseconds of the clock.
    this.calledAt = startedAt; // When its handler was called.
    this.endedAt = 0;
    this.path = '';
    this.host = ''; // Of the server, for a client.
    this.port = 0;
    this.status = 0; // 0: no response yet.
    this.hasFailed = false; // The connection was closed, or there was an error, before the response was complete.
    this.isOver = false;
    this.hasBody = false; // Part of the body of the message that it receives has arrived.
    this.span = null; // Of --trace-otlp.
    this.addField = null; // A function that adds a header field to the request, unless the program decides on all.
  }
}

const observed = {
  __proto__: null,
  isOn: false, // There is an observer.
  add,
  begins,
  bodyArrived,
  bodyEnded,
  clientContinues,
  clientEnded,
  clientStarted,
  connectionClosed,
  dataArrived,
  exchangeContinues,
  exchangeEnded,
  fetchStarted,
  handle,
  liveServers,
  remove,
  responseEnded,
  serverListens,
  setContext,
  startClient,
};

let lastId = 0;
// Runs the handler of a request so that exchanges that begin in it, or in callbacks that it causes, can find it.
let runInContext = null;

function setContext(run) {
  runInContext = run;
}

function add(observer) {
  ArrayPrototypePush(observers, observer);
  observed.isOn = true;
}

function remove(observer) {
  const index = ArrayPrototypeIndexOf(observers, observer);
  if (index !== -1) ArrayPrototypeSplice(observers, index, 1);
  observed.isOn = observers.length !== 0;
}

function begins(exchange, message) {
  for (let i = 0; i < observers.length; i++) observers[i].begins(exchange, message);
}

function exchangeContinues(exchange) {
  for (let i = 0; i < observers.length; i++) observers[i].continues(exchange);
}

function exchangeEnded(exchange, hasFailed) {
  if (exchange.isOver) return;
  exchange.isOver = true;
  exchange.hasFailed = hasFailed;
  exchange.endedAt = now();
  for (let i = 0; i < observers.length; i++) observers[i].ends(exchange);
}

function pathOf(url) {
  const query = StringPrototypeIndexOf(url, '?');
  return query === -1 ? url : StringPrototypeSlice(url, 0, query);
}

// ---- Servers

// The socket of `connection` has data, which may be the begin of a request. Not called if native code parses the data:
// then a request is taken to arrive with its header fields.
function dataArrived(connection) {
  const incoming = connection.socket.parser?.incoming;
  if (incoming !== null && incoming !== undefined && !incoming.complete) return;
  if (connection.receivedAt === 0) connection.receivedAt = now();
}

// Part of the body of a request or a response has arrived.
function bodyArrived(message) {
  const exchange = message[kExchange] ?? message.req?.[kExchange];
  if (exchange === undefined || exchange.isOver) return;
  exchange.hasBody = true;
  exchangeContinues(exchange);
}

// A message is complete. A message without a body is complete as soon as its header fields have arrived.
function bodyEnded(message) {
  const exchange = message[kExchange] ?? message.req?.[kExchange];
  if (exchange !== undefined && exchange.hasBody && !exchange.isOver) exchangeContinues(exchange);
}

// The header fields have arrived: lets the connection call the handler.
function handle(connection, request, response) {
  const time = now();
  const exchange = new Exchange(++lastId, true, request.method, connection.receivedAt || time);
  connection.receivedAt = 0;
  exchange.calledAt = time;
  exchange.path = pathOf(request.url);
  request[kExchange] = exchange;
  response[kExchange] = exchange;
  begins(exchange, request);
  if (runInContext === null) {
    connection.dispatch(request, response);
  } else {
    runInContext(exchange, () => connection.dispatch(request, response));
  }
}

// All data of the response has been given to the kernel.
function responseEnded(response) {
  const exchange = response[kExchange];
  if (exchange === undefined) return;
  exchange.status = response.statusCode;
  exchangeEnded(exchange, false);
}

// Ends the exchanges of all requests that have no complete response.
function connectionClosed(connection) {
  const { requests } = connection;
  for (let i = 0; i < requests.length; i++) {
    const exchange = requests[i][kExchange];
    if (exchange !== undefined) exchangeEnded(exchange, true);
  }
}

// Servers that listen or still have connections: `rondo why` and the figures of connections list them.
const servers = new SafeSet();
let sweepAt = 16;

function isLive(server) {
  return server._handle || server._connections > 0;
}

function serverListens(server) {
  servers.add(server);
  if (servers.size < sweepAt) return;
  for (const one of servers) {
    if (!isLive(one)) servers.delete(one);
  }
  sweepAt = servers.size * 2 + 16;
}

// Only reads the set, because this may run between any two instructions of the program.
function liveServers() {
  const list = [];
  for (const server of servers) {
    if (isLive(server)) ArrayPrototypePush(list, server);
  }
  return list;
}

// ---- Clients

function startClient(method, host, port, path) {
  const exchange = new Exchange(++lastId, false, method, now());
  exchange.host = host;
  exchange.port = +port;
  exchange.path = pathOf(path);
  return exchange;
}

// A ClientRequest, before the program's header fields are set, which replace added ones. `isFixed`: the program wants
// no other fields, or gave them as a list.
function clientStarted(request, port, isFixed) {
  const exchange = startClient(request.method, request.host, port, request.path);
  if (!isFixed) exchange.addField = (name, value) => request.setHeader(name, value);
  request[kExchange] = exchange;
  begins(exchange, request);
}

// The header fields of the response, or more data of it, have arrived.
function clientContinues(request) {
  const exchange = request?.[kExchange];
  if (exchange !== undefined && !exchange.isOver) exchangeContinues(exchange);
}

function clientEnded(request, hasFailed) {
  const exchange = request[kExchange];
  if (exchange === undefined) return;
  if (request.res) exchange.status = request.res.statusCode;
  exchangeEnded(exchange, hasFailed);
}

// A fetch() that internal/fetch sends itself; `plan` describes it.
function fetchStarted(plan) {
  const { url } = plan;
  const exchange = startClient(plan.method, url.hostname, url.port || 80, url.pathname);
  exchange.addField = (name, value) => plan.addField(name, value);
  begins(exchange, plan);
  return exchange;
}

module.exports = { kExchange, observed };
