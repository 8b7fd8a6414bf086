'use strict';
// Execution and trigger ids, the hooks of createHook(), and the frame of AsyncLocalStorage. Ticks, timers and
// immediates call this for every callback, so an unused feature must cost no more than a property load.
//
// To queue a callback: take newAsyncId() and defaultTriggerAsyncId(), keep getFrame(), and call emitInit() if
// hooks.active. To run it: call setFrame() before and, unless it threw, setFrame(undefined) after it; if
// hooks.tracksIds, call emitBefore() and emitAfter() around it. An exception leaves the frame set, because it is
// reported in that frame. Once the callback cannot run again: call emitDestroy() if hooks.active. bindCallback() does
// all of this for callbacks that native code calls.

const { ReflectApply, Symbol } = primordials;
const binding = internalBinding('async_context');
const { kListener, kListens, kOurs, kWhat } = require('internal/trace/events');

const asyncIdSymbol = Symbol('asyncId');
const triggerAsyncIdSymbol = Symbol('triggerId');

// `active`: a hook of createHook() is enabled, or the program is traced. `tracksIds`: the program reads ids, or hooks
// are active, so every callback must set its ids. `isUsed`: the program itself uses ids or hooks; otherwise ids that
// exist only for a trace are hidden. `usesFrames`: an AsyncLocalStorage holds a value. `onlyTraced`: hooks are active
// only for a trace.
const hooks = { active: false, tracksIds: false, isUsed: false, usesFrames: false, onlyTraced: false };

function trackIds() {
  hooks.tracksIds = true;
}

// Functions that report events to createHook() and traces; null if unused. internal/async_context/hooks sets them. The
// last four are fast paths for frequent events in a traced program; beginningOf() is for those that native code writes.
const emit = {
  init: null,
  before: null,
  after: null,
  destroy: null,
  destroyNow: null,
  lastEnds: null,
  over: null,
  closing: null,
  hasListeners: false,
  immediateScheduled: null,
  immediateBegins: null,
  handleBegins: null,
  beginningOf: null,
};

// The id 1 is the main script; 0 means none: no hooks are called for it.
let lastAsyncId = 1;
const current = { executionId: 1, triggerId: 0, resource: undefined };
// The execution id, trigger id and resource of each enclosing callback: three entries per callback.
const stack = [];
let depth = 0;
// The trigger id of new resources; -1 means the id of the current callback.
let forcedTriggerId = -1;

function newAsyncId() {
  return ++lastAsyncId;
}

// Ids of resources that get one only if hooks.tracksIds. They come from a separate range unless the program uses ids.
let lastHiddenId = 2 ** 40;
function newTrackedId() {
  return hooks.isUsed ? ++lastAsyncId : ++lastHiddenId;
}

// Returns an id for a resource that the program must never see.
function newHiddenId() {
  return ++lastHiddenId;
}

function defaultTriggerAsyncId() {
  return forcedTriggerId === -1 ? current.executionId : forcedTriggerId;
}

// Runs `fn` with `triggerId` as the trigger of all resources that it creates.
function defaultTriggerAsyncIdScope(triggerId, fn, ...args) {
  const before = forcedTriggerId;
  forcedTriggerId = triggerId;
  try {
    return ReflectApply(fn, null, args);
  } finally {
    forcedTriggerId = before;
  }
}

// The engine's frame while no storage holds a value; everywhere else that frame is undefined. V8 restores the frame
// after a promise reaction only if the reaction had one, so it needs an object.
const topFrame = [];

// The number of calls of enterWith(), for code that must detect whether a callback changed its frame.
const entered = { count: 0 };

function useFrames() {
  if (hooks.usesFrames) return;
  hooks.usesFrames = true;
  binding.setTopFrame(topFrame);
  binding.setFrame(topFrame);
}

// Cache of the current frame, because reading it from the engine is a native call. Valid while AsyncLocalStorage.run()
// or a promise reaction with hooks is on the stack: microtasks, which change the frame in the engine, do not run inside
// them.
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

// Used by run(): enterFrame() returns the second argument of leaveFrame().
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

// Leaves the innermost callback if its id is `asyncId`; an exception may already have cleared the stack.
function popAsyncContext(asyncId) {
  if (depth === 0 || current.executionId !== asyncId) return;
  depth -= 3;
  current.executionId = stack[depth];
  current.triggerId = stack[depth + 1];
  current.resource = stack[depth + 2];
  stack[depth + 2] = undefined;
}

// `event` states for traces which of several events of the resource this is: see internal/trace/events.
function emitBefore(asyncId, triggerId, resource, event) {
  if (hooks.isUsed) pushAsyncContext(asyncId, triggerId, resource);
  if (emit.before !== null && asyncId > 0) emit.before(asyncId, resource, event);
}

function emitAfter(asyncId) {
  if (emit.after !== null && asyncId > 0) emit.after(asyncId);
  if (hooks.isUsed) popAsyncContext(asyncId);
}

function emitDestroy(asyncId) {
  if (emit.destroy !== null && asyncId > 0) emit.destroy(asyncId);
}

// For traces: a timer or an immediate will not run again, because it has run or was cancelled.
function emitOver(asyncId, isCancelled, isTimer) {
  if (emit.over !== null && asyncId > 0) emit.over(asyncId, isCancelled, isTimer);
}

// For traces: a handle is being closed, which is the cause of its last callback.
function emitClosing(asyncId, type) {
  if (emit.closing !== null && asyncId > 0) emit.closing(asyncId, type);
}

// Wraps `callback` for native code, so that it runs in the current frame and, if ids are tracked, as a resource of
// `type`. Returns `callback` itself if neither is needed. `repeats`: it may be called more than once; then the wrapper
// has the id as a property, and the caller must call emitDestroy(). `event` is as in emitBefore(), `resource` is passed
// to hooks.
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

// bindCallback() for a function of lib that calls a function of the program. find() returns the latter, so that traces
// can show its name.
function bindListener(type, callback, find, repeats = false, resource = callback) {
  if (!hooks.active) return bindCallback(type, callback, repeats);
  // Only traces read this property.
  callback[kListener] = find;
  if (emit.over !== null) resource[kListener] = find;
  return bindCallback(type, callback, repeats, kListens, resource);
}

// Returns the program's first listener for an event, unwrapped if it was added by once().
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

// Completes callbacks whose emitAfter() was skipped by an exception that was handled.
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

// The resource of code that runs outside of any callback. Created on first use.
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
  trackIds,
  triggerAsyncId,
  triggerAsyncIdSymbol,
  unwindStack,
  useFrames,
};
