'use strict';
// v8.promiseHooks: functions that V8 calls at each step in the life of a promise.

const { ArrayPrototypeFilter } = primordials;

const { validatePlainFunction } = require('internal/validators');
const { triggerUncaughtException } = internalBinding('task_queue');

// The arrays are replaced, never modified, because a hook may remove itself or others while it runs.
const lists = { __proto__: null, init: [], before: [], after: [], settled: [] };

// An exception in a hook is reported as uncaught: code that creates or settles a promise does not expect one.
function call(hook, promise, parent) {
  try {
    hook(promise, parent);
  } catch (error) {
    triggerUncaughtException(error, false);
  }
}

function runInit(promise, parent) {
  const list = lists.init;
  for (let i = 0; i < list.length; i++) call(list[i], promise, parent);
}

function makeRunner(name) {
  return (promise) => {
    const list = lists[name];
    for (let i = 0; i < list.length; i++) call(list[i], promise);
  };
}

const runners = {
  __proto__: null,
  init: runInit,
  before: makeRunner('before'),
  after: makeRunner('after'),
  settled: makeRunner('settled'),
};

// Returns the function that V8 calls for an event; undefined if there are no hooks.
function runnerOf(name) {
  return lists[name].length === 0 ? undefined : runners[name];
}

function refresh() {
  require('internal/async_context/hooks').refreshPromiseHooks();
}

function add(name, hook) {
  // Wrapped, because the same function may be added more than once, and each stop() removes only its own entry.
  const caller = (promise, parent) => hook(promise, parent);
  lists[name] = [...lists[name], caller];
  refresh();
  return () => {
    const list = ArrayPrototypeFilter(lists[name], (other) => other !== caller);
    if (list.length === lists[name].length) return;
    lists[name] = list;
    refresh();
  };
}

function makeAdder(name) {
  const argument = `${name}Hook`;
  return (hook) => {
    validatePlainFunction(hook, argument);
    return add(name, hook);
  };
}

const onInit = makeAdder('init');
const onBefore = makeAdder('before');
const onAfter = makeAdder('after');
const onSettled = makeAdder('settled');

function createHook({ init, before, after, settled } = {}) {
  const stops = [];
  if (init) stops[stops.length] = onInit(init);
  if (before) stops[stops.length] = onBefore(before);
  if (after) stops[stops.length] = onAfter(after);
  if (settled) stops[stops.length] = onSettled(settled);
  return () => {
    for (let i = 0; i < stops.length; i++) stops[i]();
  };
}

module.exports = {
  promiseHooks: { createHook, onInit, onBefore, onAfter, onSettled },
  runnerOf,
};
