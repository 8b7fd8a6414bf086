'use strict';
// createHook(): hooks on the lifecycle of asynchronous resources.

const { ArrayPrototypeFilter, ArrayPrototypeIncludes, Error, Symbol } = primordials;

const { codes: { ERR_ASYNC_CALLBACK } } = require('internal/errors');
const core = require('internal/async_hooks');
const { emit, hooks } = core;
const { kAsyncId, kTriggerId } = require('internal/async_context/symbols');
const { endWithOwner } = require('internal/async_context/resource');
const { runnerOf } = require('internal/promise_hooks');
const thenables = require('internal/async_context/thenables');

const kInit = Symbol('init');
const kBefore = Symbol('before');
const kAfter = Symbol('after');
const kDestroy = Symbol('destroy');
const kPromiseResolve = Symbol('promiseResolve');

// The array is replaced, never modified, so that an emit in progress iterates over the hooks that existed when it
// began.
let enabled = [];

function describe(error) {
  const stack = error?.stack;
  if (typeof stack === 'string') return stack;
  try {
    return new Error(require('internal/util/inspect').inspect(error)).stack;
  } catch {
    return 'Error: an async hook threw something that cannot be shown';
  }
}

// An exception in a hook ends the program, because the hook's view of the resources would be incomplete.
function fail(error) {
  process._rawDebug(describe(error));
  process.exit(1);
}

function emitInit(asyncId, type, triggerId, resource) {
  const list = enabled;
  try {
    for (let i = 0; i < list.length; i++) {
      if (typeof list[i][kInit] === 'function') list[i][kInit](asyncId, type, triggerId, resource);
    }
  } catch (error) {
    fail(error);
  }
}

function makeEmitter(symbol) {
  return (asyncId) => {
    const list = enabled;
    try {
      for (let i = 0; i < list.length; i++) {
        if (typeof list[i][symbol] === 'function') list[i][symbol](asyncId);
      }
    } catch (error) {
      fail(error);
    }
  };
}
const emitBefore = makeEmitter(kBefore);
const emitAfter = makeEmitter(kAfter);
const emitDestroyNow = makeEmitter(kDestroy);
const emitPromiseResolve = makeEmitter(kPromiseResolve);

// Destroy hooks run in batches at the end of the turn, because resources end in places where no user code may run.
let ended = [];

function emitEnded() {
  while (ended.length > 0) {
    const list = ended;
    ended = [];
    for (let i = 0; i < list.length; i++) emitDestroyNow(list[i]);
  }
}

function nothing() {}

function queueDestroy(asyncId) {
  ended[ended.length] = asyncId;
  if (ended.length > 1) return;
  // emitEnded() runs in the check phase, which needs an immediate to run at all. This one has the id 0, so that hooks
  // do not report it.
  const { active } = hooks;
  hooks.active = false;
  const { Immediate } = require('internal/timers/immediates');
  const immediate = new Immediate(nothing, undefined);
  hooks.active = active;
  immediate[core.asyncIdSymbol] = 0;
  immediate.unref();
}

// Promises get their ids when they are created; promises that are older than the hooks get theirs on first use.
function idOf(promise) {
  if (promise[kAsyncId] === undefined) {
    promise[kAsyncId] = core.newAsyncId();
    promise[kTriggerId] = core.defaultTriggerAsyncId();
  }
  return promise[kAsyncId];
}

function onPromiseInit(promise, parent) {
  const triggerId = parent === undefined ? core.defaultTriggerAsyncId() : idOf(parent);
  const asyncId = core.newAsyncId();
  promise[kAsyncId] = asyncId;
  promise[kTriggerId] = triggerId;
  emitInit(asyncId, 'PROMISE', triggerId, promise);
  if (emit.destroy !== null) endWithOwner(promise, asyncId);
}

function onPromiseBefore(promise) {
  const asyncId = idOf(promise);
  core.emitBefore(asyncId, promise[kTriggerId], promise);
}

function onPromiseAfter(promise) {
  core.emitAfter(idOf(promise));
}

function onPromiseResolve(promise) {
  emitPromiseResolve(idOf(promise));
}

// The recorder (internal/trace/record), or null if the program is not traced.
let tracer = null;

function both(first, second) {
  if (first === null || second === null) return first ?? second;
  return (a, b, c, d) => {
    first(a, b, c, d);
    second(a, b, c, d);
  };
}

function setTracer(made) {
  tracer = made;
  setEnabled(enabled);
}

let promiseHooksSet = false;
let emitsResolve = false;

function setEnabled(list) {
  enabled = list;
  let init = false;
  let before = false;
  let after = false;
  let destroy = false;
  let resolve = false;
  for (let i = 0; i < list.length; i++) {
    init ||= list[i][kInit] !== undefined;
    before ||= list[i][kBefore] !== undefined;
    after ||= list[i][kAfter] !== undefined;
    destroy ||= list[i][kDestroy] !== undefined;
    resolve ||= list[i][kPromiseResolve] !== undefined;
  }
  emit.hasListeners = init;
  emit.init = init ? emitInit : null;
  emit.before = before ? emitBefore : null;
  emit.after = after ? emitAfter : null;
  if (tracer !== null) {
    emit.init = both(tracer.init, emit.init);
    emit.before = both(tracer.before, emit.before);
    emit.after = both(emit.after, tracer.after);
    emit.over = tracer.over;
    emit.closing = tracer.closing;
    emit.immediateScheduled = tracer.immediateScheduled;
    emit.immediateBegins = tracer.immediateBegins;
    emit.handleBegins = tracer.handleBegins;
    emit.beginningOf = tracer.beginningOf;
  }
  emit.destroy = destroy ? queueDestroy : null;
  emit.destroyNow = destroy ? emitDestroyNow : null;
  // Called before the immediates of a turn, and when the loop ends without another turn.
  emit.lastEnds = destroy ? emitEnded : null;
  emitsResolve = resolve;
  hooks.active = list.length > 0 || tracer !== null;
  if (hooks.active) core.trackIds();
  if (list.length > 0) hooks.isUsed = true;
  hooks.onlyTraced = tracer !== null && !hooks.isUsed;
  internalBinding('async_context').setHooked(list.length > 0);
  refreshPromiseHooks();
}

// Promise hooks have four users: the program's hooks, the frames of foreign thenables, v8.promiseHooks, and traces.
function refreshPromiseHooks() {
  const keepsFrames = thenables.isNeeded();
  let init;
  let before;
  let after;
  const isHooked = enabled.length > 0;
  if (isHooked && keepsFrames) {
    init = onBothInit;
    before = onBothBefore;
    after = onBothAfter;
  } else if (isHooked) {
    init = onPromiseInit;
    before = onPromiseBefore;
    after = onPromiseAfter;
  } else if (keepsFrames) {
    init = thenables.onInit;
    before = thenables.onBefore;
    after = thenables.onAfter;
  }
  init = oneAfterTheOther(init, runnerOf('init'));
  before = oneAfterTheOther(before, runnerOf('before'));
  after = oneAfterTheOther(runnerOf('after'), after);
  let resolve = oneAfterTheOther(emitsResolve ? onPromiseResolve : undefined, runnerOf('settled'));
  if (tracer !== null) {
    init = oneAfterTheOther(tracer.promiseInit, init);
    before = oneAfterTheOther(tracer.promiseBefore, before);
    after = oneAfterTheOther(after, tracer.promiseAfter);
    resolve = oneAfterTheOther(tracer.promiseSettled, resolve);
  }
  const isNeeded = (init ?? before ?? after ?? resolve) !== undefined;
  if (isNeeded || promiseHooksSet) internalBinding('async_context').setPromiseHooks(init, before, after, resolve);
  promiseHooksSet = isNeeded;
}

function oneAfterTheOther(first, second) {
  if (first === undefined || second === undefined) return first ?? second;
  return (promise, parent) => {
    first(promise, parent);
    second(promise, parent);
  };
}

function onBothInit(promise, parent) {
  thenables.onInit(promise);
  onPromiseInit(promise, parent);
}

function onBothBefore(promise) {
  thenables.onBefore(promise);
  onPromiseBefore(promise);
}

function onBothAfter(promise) {
  onPromiseAfter(promise);
  thenables.onAfter();
}

class AsyncHook {
  constructor({ init, before, after, destroy, promiseResolve }) {
    if (init !== undefined && typeof init !== 'function') throw new ERR_ASYNC_CALLBACK('hook.init');
    if (before !== undefined && typeof before !== 'function') throw new ERR_ASYNC_CALLBACK('hook.before');
    if (after !== undefined && typeof after !== 'function') throw new ERR_ASYNC_CALLBACK('hook.after');
    if (destroy !== undefined && typeof destroy !== 'function') throw new ERR_ASYNC_CALLBACK('hook.destroy');
    if (promiseResolve !== undefined && typeof promiseResolve !== 'function') {
      throw new ERR_ASYNC_CALLBACK('hook.promiseResolve');
    }
    this[kInit] = init;
    this[kBefore] = before;
    this[kAfter] = after;
    this[kDestroy] = destroy;
    this[kPromiseResolve] = promiseResolve;
  }

  enable() {
    if (!ArrayPrototypeIncludes(enabled, this)) {
      const list = ArrayPrototypeFilter(enabled, () => true);
      list[list.length] = this;
      setEnabled(list);
    }
    return this;
  }

  disable() {
    if (ArrayPrototypeIncludes(enabled, this)) setEnabled(ArrayPrototypeFilter(enabled, (hook) => hook !== this));
    return this;
  }
}

function createHook(callbacks) {
  return new AsyncHook(callbacks);
}

module.exports = { createHook, refreshPromiseHooks, setTracer };
