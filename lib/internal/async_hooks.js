'use strict';
// Who is running, and on whose behalf: execution and trigger ids, the hooks of createHook(), and the frame of
// AsyncLocalStorage. Ticks, timers and immediates call this for every callback, so what nobody uses costs a property load.
//
// Who queues a callback: take newAsyncId() and defaultTriggerAsyncId(), keep getFrame(), and call emitInit() if
// hooks.active. Who runs it: setFrame() before it and, unless it threw, setFrame(undefined) after it; and if
// hooks.tracksIds, emitBefore() and emitAfter() around it. What is thrown is reported in the frame of who threw it.
// When it can run no more: emitDestroy() if hooks.active. Whoever hands a callback to native code may leave all that to
// bindCallback().

const { ReflectApply, Symbol } = primordials;
const binding = internalBinding('async_context');
const { kListener, kListens, kOurs, kWhat } = require('internal/trace/events');

const asyncIdSymbol = Symbol('asyncId');
const triggerAsyncIdSymbol = Symbol('triggerId');

// `active`: some hook of createHook() is enabled, or the program is traced. `tracksIds`: someone asked for ids, or hooks
// are active, so that every callback must say who it is. `asked`: of these two, the program did; what only a trace wants
// to know must not show in the numbers that the program sees. `usesFrames`: an AsyncLocalStorage holds something.
// `onlyTraced`: a trace is all that hooks are active for.
const hooks = { active: false, tracksIds: false, asked: false, usesFrames: false, onlyTraced: false };

// What createHook() and traces want to hear of; null where nobody does. internal/async_context/hooks fills them in.
// The last three are for what happens often in a program that is only traced: as little as a record of it takes.
const emit = {
  init: null,
  before: null,
  after: null,
  destroy: null,
  destroyNow: null,
  lastEnds: null,
  over: null,
  closing: null,
  isHeard: false,
  immediateAsked: null,
  immediateBegins: null,
  handleBegins: null,
};

// 1 is the main script; 0 is nobody, of whom hooks do not hear.
let lastAsyncId = 1;
const current = { executionId: 1, triggerId: 0, resource: undefined };
// The ids and resources of the callbacks around the current one, in threes.
const stack = [];
let depth = 0;
// Who is to be named as the cause of what is made now, if not the current callback.
let forcedTriggerId = -1;

function newAsyncId() {
  return ++lastAsyncId;
}

// For what has a number only where someone tracks ids: of its own kind, unless the program is to see it.
let lastHiddenId = 2 ** 40;
function newTrackedId() {
  return hooks.asked ? ++lastAsyncId : ++lastHiddenId;
}

// For what the program must not see in any case.
function newHiddenId() {
  return ++lastHiddenId;
}

function defaultTriggerAsyncId() {
  return forcedTriggerId === -1 ? current.executionId : forcedTriggerId;
}

// What `fn` makes is made on behalf of `triggerId`.
function defaultTriggerAsyncIdScope(triggerId, fn, ...args) {
  const before = forcedTriggerId;
  forcedTriggerId = triggerId;
  try {
    return ReflectApply(fn, null, args);
  } finally {
    forcedTriggerId = before;
  }
}

// Where no storage holds anything, the frame is undefined to all but the engine: V8 restores a frame after a promise
// reaction only if the reaction had one, so that it is given this one instead.
const topFrame = [];

// How often enterWith() was called: who runs something in a frame of its own sees whether that changed it.
const entered = { count: 0 };

function useFrames() {
  if (hooks.usesFrames) return;
  hooks.usesFrames = true;
  binding.setTopFrame(topFrame);
  binding.setFrame(topFrame);
}

// The frame, while AsyncLocalStorage.run() or a reaction that we were told of is on the stack, and nothing else can have
// changed it: to ask the engine costs a call into native code. Microtasks, which change it behind our back, do not run
// inside of either.
const kUnknown = Symbol('kUnknown');
let known = kUnknown;

function getFrame() {
  if (!hooks.usesFrames) return undefined;
  if (known !== kUnknown) return known;
  const frame = binding.getFrame();
  return frame === topFrame ? undefined : frame;
}

function setFrame(frame) {
  if (!hooks.usesFrames) return;
  known = kUnknown;
  binding.setFrame(frame === undefined ? topFrame : frame);
}

function knowFrame(frame) {
  known = frame;
}

function forgetFrame() {
  known = kUnknown;
}

// For run(): enterFrame() gives back what leaveFrame() needs.
function enterFrame(frame) {
  const before = known;
  known = frame;
  binding.setFrame(frame);
  return before;
}

function leaveFrame(frame, before) {
  known = before;
  binding.setFrame(frame === undefined ? topFrame : frame);
}

function hasHooks() {
  return hooks.active;
}

function emitInit(asyncId, type, triggerId, resource) {
  if (emit.init !== null) emit.init(asyncId, type, triggerId, resource);
}

function pushAsyncContext(asyncId, triggerId, resource) {
  stack[depth] = current.executionId;
  stack[depth + 1] = current.triggerId;
  stack[depth + 2] = current.resource;
  depth += 3;
  current.executionId = asyncId;
  current.triggerId = triggerId;
  current.resource = resource;
}

// Leaves the innermost callback, if it is this one: an exception may already have cleared the stack.
function popAsyncContext(asyncId) {
  if (depth === 0 || current.executionId !== asyncId) return;
  depth -= 3;
  current.executionId = stack[depth];
  current.triggerId = stack[depth + 1];
  current.resource = stack[depth + 2];
  stack[depth + 2] = undefined;
}

// `event` says for traces which of several things happens to the resource: see internal/trace/events.
function emitBefore(asyncId, triggerId, resource, event) {
  if (hooks.asked) pushAsyncContext(asyncId, triggerId, resource);
  if (emit.before !== null && asyncId > 0) emit.before(asyncId, resource, event);
}

function emitAfter(asyncId) {
  if (emit.after !== null && asyncId > 0) emit.after(asyncId);
  if (hooks.asked) popAsyncContext(asyncId);
}

function emitDestroy(asyncId) {
  if (emit.destroy !== null && asyncId > 0) emit.destroy(asyncId);
}

// For traces: a timer or an immediate will not run any more, because it has, or because it was cancelled.
function emitOver(asyncId, isCancelled, isTimer) {
  if (emit.over !== null && asyncId > 0) emit.over(asyncId, isCancelled, isTimer);
}

// For traces: a handle is being closed, which is what its last callback will come of.
function emitClosing(asyncId, type) {
  if (emit.closing !== null && asyncId > 0) emit.closing(asyncId, type);
}

// `callback`, as native code is to call it: in the frame of now and, if somebody wants to know, as a resource of `type`.
// Mostly that is the function itself. `repeats` says that it may be called more than once, `event` is as of emitBefore(),
// `resource` what hooks are given. The function has the id, for whoever must call emitDestroy().
function bindCallback(type, callback, repeats = false, event = undefined, resource = callback) {
  const frame = getFrame();
  if (frame === undefined && !hooks.tracksIds) return callback;
  const asyncId = newTrackedId();
  const triggerId = defaultTriggerAsyncId();
  if (hooks.active) emitInit(asyncId, type, triggerId, resource);
  function bound(...args) {
    const outer = getFrame();
    if (outer !== frame) setFrame(frame);
    emitBefore(asyncId, triggerId, resource, event);
    let result;
    try {
      result = ReflectApply(callback, this, args);
    } finally {
      if (!repeats) emitDestroy(asyncId);
    }
    if (outer !== frame) setFrame(outer);
    emitAfter(asyncId);
    return result;
  }
  if (repeats) bound[asyncIdSymbol] = asyncId;
  return bound;
}

// The same for a function of ours, which calls one of the program: find() gives that, so that traces can name it.
function bindListener(type, callback, find, repeats = false, resource = callback) {
  if (!hooks.active) return bindCallback(type, callback, repeats);
  // Of the two only traces look at it.
  callback[kListener] = find;
  if (emit.over !== null) resource[kListener] = find;
  return bindCallback(type, callback, repeats, kListens, resource);
}

// What an emitter will call first of what is the program's; what was added by once() is a function around that.
function listenerOf(emitter, event) {
  const listeners = emitter?._events?.[event];
  let first = listeners;
  if (typeof listeners === 'object') {
    let i = 0;
    while (i < listeners.length - 1 && listeners[i][kWhat] === kOurs) i++;
    first = listeners[i];
  }
  return typeof first?.listener === 'function' ? first.listener : first;
}

// An exception that was handled left callbacks without their emitAfter.
function unwindStack() {
  if (emit.after !== null) {
    while (depth > 0) emitAfter(current.executionId);
  }
  clearStack();
}

function clearStack() {
  for (let i = 2; i < depth; i += 3) stack[i] = undefined;
  depth = 0;
  forcedTriggerId = -1;
  current.executionId = 0;
  current.triggerId = 0;
  current.resource = undefined;
}

function executionAsyncId() {
  return current.executionId;
}

function triggerAsyncId() {
  return current.triggerId;
}

// Made when asked for: the resource of what is run by nobody in particular.
let topLevelResource;
function executionAsyncResource() {
  return current.resource ?? (topLevelResource ??= {});
}

module.exports = {
  asyncIdSymbol,
  bindCallback,
  bindListener,
  clearStack,
  current,
  defaultTriggerAsyncId,
  defaultTriggerAsyncIdScope,
  emit,
  emitAfter,
  emitBefore,
  emitDestroy,
  emitInit,
  emitOver,
  emitClosing,
  enterFrame,
  entered,
  executionAsyncId,
  executionAsyncResource,
  forgetFrame,
  getFrame,
  hasHooks,
  hooks,
  knowFrame,
  leaveFrame,
  listenerOf,
  newAsyncId,
  newHiddenId,
  newTrackedId,
  popAsyncContext,
  pushAsyncContext,
  setFrame,
  triggerAsyncId,
  triggerAsyncIdSymbol,
  unwindStack,
  useFrames,
};
