'use strict';
// Records the asynchronous activity of JavaScript for a trace (docs/TRACE-FORMAT.md): where callbacks were scheduled,
// and when they ran. Loaded only in traced programs. It uses the same events as async_hooks and is invisible to
// programs: ids of promises are in private fields, and resources that have no id without a trace get hidden ids.

const { MathTrunc, SafeMap, Uint32Array } = primordials;

const {
  begin,
  beginImmediate,
  end,
  keepsAlive,
  kinds: {
    callbackBegin: kCallback,
    microtaskBegin: kMicrotaskBegins,
    over: kOver,
    promiseSettled: kSettled,
    tickBegin: kTickBegins,
  },
  note,
  origin,
  placeOf: placeOfFunction,
  promise: notePromise,
  schedule,
  serveHandle,
  text,
  watchCounts,
} = internalBinding('trace');
const { handleKinds } = internalBinding('loop');
const { setTracer } = require('internal/async_context/hooks');
const {
  kClose,
  kConnection,
  kData,
  kEnd,
  kListener,
  kListens,
  kMessage,
  kMicrotask,
  kTick,
  kWhat,
} = require('internal/trace/events');
const { asyncIdSymbol, listenerOf: listenerOfEmitter, newHiddenId } = require('internal/async_hooks');
const { start: startRequests } = require('internal/trace/requests_record');
const { forEachRefedTimer } = require('internal/timers');
const { forEachRefedImmediate } = require('internal/timers/immediates');

// A record's word: its kind, and its detail in the upper half.
const kCancelled = kOver | 1 << 16;

// Readable names for the resource types of async_hooks. If native code finds the function that the program called
// (fs.readFile), that name is recorded instead.
const kinds = {
  __proto__: null,
  FSREQCALLBACK: 'fs',
  FSREQPROMISE: 'fs',
  FSEVENTWRAP: 'fs.watch',
  STATWATCHER: 'fs.watchFile',
  TCPWRAP: handleKinds.tcpSocket,
  PIPEWRAP: handleKinds.pipe,
  TTYWRAP: 'terminal',
  TCPSERVERWRAP: handleKinds.tcpServer,
  PIPESERVERWRAP: handleKinds.pipeServer,
  UDPWRAP: handleKinds.udp,
  UDPSENDWRAP: 'send',
  TCPCONNECTWRAP: 'connect',
  PIPECONNECTWRAP: 'connect',
  WRITEWRAP: 'write',
  SHUTDOWNWRAP: 'end of a socket',
  GETADDRINFOREQWRAP: 'dns.lookup',
  GETNAMEINFOREQWRAP: 'dns.lookupService',
  QUERYWRAP: 'dns.resolve',
  PROCESSWRAP: 'child process',
  WORKER: 'worker',
  MESSAGEPORT: 'message port',
  BROADCASTCHANNEL: 'broadcast channel',
  RANDOMBYTESREQUEST: 'crypto.randomBytes',
  PBKDF2REQUEST: 'crypto.pbkdf2',
  SCRYPTREQUEST: 'crypto.scrypt',
  SECRETKEYGENREQUEST: 'crypto.generateKey',
  ZLIB: 'zlib',
};
// Handles, which native code has just made.
const handles = {
  __proto__: null,
  TCPWRAP: true,
  PIPEWRAP: true,
  TTYWRAP: true,
  TCPSERVERWRAP: true,
  PIPESERVERWRAP: true,
  UDPWRAP: true,
};

const names = new SafeMap(); // Of kinds: their numbers.
let immediateName = 0;
let tickName = 0;
let microtaskName = 0;
let eventWords = []; // By event: the word of a callback with the event's name as its detail.
let timeOrigin; // Undefined: the clock of timers is not that of the trace.

function nameOf(kind) {
  let number = names.get(kind);
  if (number === undefined) {
    number = text(kind);
    names.set(kind, number);
  }
  return number;
}

let ticksWaiting = 0;

// Programs run few functions at a time: a request of HTTP causes ticks of about six. The cache is a ring, because a
// function that is made for each call must not replace the others.
const kMostFunctions = 16;
const functions = [];
const places = [];
let nextEntry = 0;
let lastFunction;
let lastPlace = 0;

function placeOf(fn) {
  if (fn === lastFunction) return lastPlace;
  if (typeof fn !== 'function') return 0;
  lastFunction = fn;
  for (let i = 0; i < functions.length; i++) {
    if (functions[i] === fn) return lastPlace = places[i];
  }
  lastPlace = placeOfFunction(fn);
  functions[nextEntry] = fn;
  places[nextEntry] = lastPlace;
  nextEntry = (nextEntry + 1) % kMostFunctions;
  return lastPlace;
}

// Timers of few durations are many.
let lastDuration = -1;
let lastDurationName = 0;

function timerName(timer) {
  const duration = MathTrunc(timer._idleTimeout);
  const key = timer._repeat === null ? duration : -duration;
  if (key !== lastDuration) {
    lastDuration = key;
    lastDurationName = nameOf(key < 0 ? `setInterval ${duration} ms` : `setTimeout ${duration} ms`);
  }
  return lastDurationName;
}

function onInit(asyncId, type, triggerId, resource) {
  switch (type) {
    case 'Immediate':
      schedule(immediateName, asyncId, placeOf(resource._onImmediate), false);
      break;
    case 'TickObject':
      ticksWaiting++;
      schedule(tickName, asyncId, placeOf(resource.callback), false);
      break;
    case 'Timeout':
      counts[0]++;
      schedule(timerName(resource), asyncId, placeOf(resource._onTimeout), false);
      break;
    case 'Microtask':
      schedule(microtaskName, asyncId, placeOf(resource.callback), false);
      break;
    default:
      onOtherInit(asyncId, type, resource);
  }
}

function onImmediateScheduled(asyncId, callback) {
  schedule(immediateName, asyncId, callback === lastFunction ? lastPlace : placeOf(callback), false);
}

function onImmediateBegins(asyncId, callback) {
  beginImmediate(callback === lastFunction ? lastPlace : placeOf(callback), asyncId);
}

function onOtherInit(asyncId, type, resource) {
  if (handles[type] === true && typeof resource !== 'function') {
    schedule(nameOf(kinds[type]), asyncId, 0, false);
    serveHandle(asyncId);
    return;
  }
  const isFunction = typeof resource === 'function';
  if (resource?.[kListener] !== undefined) {
    const isNamed = resource[kWhat] !== undefined;
    schedule(nameOf(isNamed ? resource[kWhat] : kinds[type] ?? type), asyncId, 0, !isNamed);
    return;
  }
  schedule(nameOf(kinds[type] ?? type), asyncId, placeOf(resource), isFunction);
}

// Records where a handle was closed: that is the cause of its later events.
function onClosing(asyncId, type) {
  schedule(nameOf(kinds[type]), asyncId, 0, false);
}

// The program's listener for an event of a stream or server, if there is one.
function listenerOf(handle, event) {
  const events = handle.owner?._events;
  if (events === undefined) return undefined;
  let listener;
  switch (event) {
    case kData: listener = events.data ?? events.readable; break;
    case kEnd: listener = events.end; break;
    case kClose: listener = events.close; break;
    case kConnection: listener = events.connection; break;
    case kMessage: listener = events.message; break;
  }
  return typeof listener === 'object' ? listener[0] : listener;
}

// Caches the place of a handle's listener in private fields, because looking up the place of a function costs more than
// the rest of a record, and each connection may have its own listener.
class Returned {
  constructor(object) {
    return object;
  }
}
class Listened extends Returned {
  #listener;
  #place;
  // Spelled out: the one that V8 makes by itself goes through an iterator that programs can change.
  constructor(object) {
    super(object);
  }

  static placeOf(handle, listener) {
    if (!(#listener in handle)) new Listened(handle);
    if (handle.#listener !== listener) {
      handle.#listener = listener;
      handle.#place = placeOf(listener);
    }
    return handle.#place;
  }
}

function onHandleBegins(handle, event) {
  begin(eventWords[event], Listened.placeOf(handle, listenerOf(handle, event)), handle.asyncId, 0);
}

// The record that onHandleBegins() makes, for native code, which repeats it for each event of the handle.
function beginningOf(handle, event) {
  return { word: eventWords[event], place: Listened.placeOf(handle, listenerOf(handle, event)), id: handle.asyncId };
}

function onBefore(asyncId, resource, event) {
  if (event === undefined) {
    if (typeof resource === 'function') {
      begin(kCallback, placeOf(resource), asyncId, 0);
    } else if (resource._onImmediate !== undefined) {
      begin(kCallback, placeOf(resource._onImmediate), asyncId, 0);
    } else if (resource._onTimeout !== undefined) {
      const due = timeOrigin === undefined ? 0 : (resource._idleStart + resource._idleTimeout) * 1e6 + timeOrigin;
      begin(kCallback, placeOf(resource._onTimeout), asyncId, due);
    } else {
      begin(kCallback, 0, asyncId, 0);
    }
  } else if (event === kTick) {
    begin(kTickBegins, placeOf(resource.callback), asyncId, ticksWaiting--);
  } else if (event === kMicrotask) {
    begin(kMicrotaskBegins, placeOf(resource.callback), asyncId, 0);
  } else if (event === kListens) {
    begin(kCallback, placeOf(resource[kListener]()), asyncId, 0);
  } else {
    begin(eventWords[event], placeOf(listenerOf(resource, event)), asyncId, 0);
  }
}

// Records the timers that exist, for native code.
const counts = new Uint32Array(1);

function onOver(asyncId, isCancelled, isTimer) {
  if (isTimer && counts[0] > 0) counts[0]--;
  if (isCancelled) note(kCancelled, 0, asyncId, 0);
}

function noteAlive(timer) {
  keepsAlive(timer[asyncIdSymbol]);
  return true;
}

// The program ends although something keeps the loop alive: native code records its part.
function onExit() {
  forEachRefedTimer(noteAlive);
  forEachRefedImmediate(noteAlive);
}

// 'beforeExit' and 'exit' of the process: scheduled where the program first added a listener, and run outside of the
// loop.
const processEvents = new SafeMap();
const processWords = { __proto__: null };

function onProcessListener(event) {
  if (processEvents.has(event)) return;
  const id = newHiddenId();
  processEvents.set(event, id);
  schedule(nameOf('process'), id, 0, false);
}

function runProcessEvent(event, run) {
  const id = processEvents.get(event);
  if (id === undefined) return run();
  begin(processWords[event], placeOf(listenerOfEmitter(process, event)), id, 0);
  run();
  end(id);
  return undefined;
}

function onAfter(asyncId) {
  end(asyncId);
}

// Adds an id to an existing promise as a private field. It is invisible, and collected with the promise.
class Numbered extends Returned {
  #id;
  constructor(object) {
    super(object); // Spelled out: see above.
  }

  static put(promise, id) {
    new Numbered(promise).#id = id;
  }

  static get(promise) {
    return #id in promise ? promise.#id : 0;
  }
}

let lastPromise = 2 ** 41;

function idOf(promise) {
  let id = Numbered.get(promise);
  if (id === 0) {
    id = ++lastPromise;
    Numbered.put(promise, id);
  }
  return id;
}

function onPromiseInit(promise, parent) {
  const id = ++lastPromise;
  Numbered.put(promise, id);
  notePromise(id, parent === undefined ? 0 : Numbered.get(parent));
}

function onPromiseBefore(promise) {
  begin(kMicrotaskBegins, 0, idOf(promise), 0);
}

function onPromiseAfter(promise) {
  end(idOf(promise));
}

function onPromiseSettled(promise) {
  note(kSettled, 0, idOf(promise), 0);
}

// Called before any code of the program runs.
function start() {
  immediateName = nameOf('setImmediate');
  tickName = nameOf('process.nextTick');
  microtaskName = nameOf('queueMicrotask');
  eventWords = [];
  eventWords[kData] = kCallback | nameOf('data') << 16;
  eventWords[kEnd] = kCallback | nameOf('end') << 16;
  eventWords[kClose] = kCallback | nameOf('close') << 16;
  eventWords[kConnection] = kCallback | nameOf('connection') << 16;
  eventWords[kMessage] = kCallback | nameOf('message') << 16;
  processWords.beforeExit = kCallback | nameOf('beforeExit') << 16;
  processWords.exit = kCallback | nameOf('exit') << 16;
  timeOrigin = origin();
  watchCounts(counts);
  startRequests(timeOrigin === undefined);
  setTracer({
    init: onInit,
    before: onBefore,
    after: onAfter,
    over: onOver,
    closing: onClosing,
    immediateScheduled: onImmediateScheduled,
    immediateBegins: onImmediateBegins,
    handleBegins: onHandleBegins,
    beginningOf,
    promiseInit: onPromiseInit,
    promiseBefore: onPromiseBefore,
    promiseAfter: onPromiseAfter,
    promiseSettled: onPromiseSettled,
  });
}

module.exports = { onExit, onProcessListener, runProcessEvent, start };
