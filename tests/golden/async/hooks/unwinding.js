'use strict';
// Hooks where something goes wrong: exceptions, hooks that throw, and ends that only the collector sees.
const { AsyncResource, createHook, executionAsyncId } = require('async_hooks');
const { randomBytes } = require('crypto');
const { spawnSync } = require('child_process');

const log = [];
let watched; // Immediates are made by the runtime, too, after exceptions.
const ids = new Map();
const nameOf = (id) => ids.get(id) ?? (id === 1 ? 'main' : 'other');
const hook = createHook({
  init(id, type) { if (['RANDOMBYTESREQUEST', 'Timeout', 'TickObject', 'mine', watched].includes(type)) ids.set(id, type); },
  before(id) { if (ids.has(id)) log.push(`before ${nameOf(id)}`); },
  after(id) { if (id === 1 || ids.has(id)) log.push(`after ${nameOf(id)}`); },
}).enable();

process.on('uncaughtException', (error) => { log.push(`${error.message} in ${nameOf(executionAsyncId())}`); });

const steps = [
  (next) => randomBytes(1, () => { setImmediate(next); throw new Error('random'); }),
  (next) => setTimeout(() => { setImmediate(next); throw new Error('timer'); }, 1),
  (next) => {
    watched = 'Immediate';
    setImmediate(() => { setImmediate(next); throw new Error('immediate'); });
    watched = undefined;
  },
  (next) => process.nextTick(() => { setImmediate(next); throw new Error('tick'); }),
  (next) => {
    const resource = new AsyncResource('mine');
    setImmediate(() => {
      setImmediate(next);
      resource.runInAsyncScope(() => { throw new Error('scope'); });
    });
  },
];

function go() {
  const step = steps.shift();
  if (step !== undefined) {
    log.push('-');
    step(go);
    return;
  }
  console.log(log.join('\n'));
  setImmediate(collect);
}
go();

// Unreferenced resources end by themselves, once.
function collect() {
  hook.disable();
  const ended = [];
  const ends = createHook({ destroy(id) { ended.push(id); } }).enable();
  const expected = {};
  (() => {
    expected.dropped = new AsyncResource('dropped').asyncId();
    expected.byHand = new AsyncResource('byHand').emitDestroy().asyncId();
    expected.manual = new AsyncResource('manual', { requireManualDestroy: true }).asyncId();
  })();
  setImmediate(() => {
    global.gc();
    setImmediate(() => {
      ends.disable();
      for (const name of Object.keys(expected)) {
        console.log(name, ended.filter((id) => id === expected[name]).length);
      }
      fatal();
    });
  });
}

// A hook that throws ends the program.
function fatal() {
  for (const kind of ['init', 'before', 'after', 'destroy', 'promiseResolve']) {
    for (const value of ['null', 'Symbol("s")', 'new Error("e")', '{ stack: "my stack" }', '"text"', '{ stack: 1 }']) {
      const { status, stderr } = spawnSync(process.execPath, ['-e', `
        require('async_hooks').createHook({ ${kind}() { throw ${value}; } }).enable();
        new Promise((resolve) => resolve()).then(() => new Promise((resolve) => setTimeout(resolve, 1))).then(() => process.exit(0));
      `], { encoding: 'utf8' });
      console.log(kind, value, status, stderr.split('\n')[0]);
    }
  }
}
