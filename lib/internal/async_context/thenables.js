'use strict';
// Preserves the frame of AsyncLocalStorage inside then() of objects that are not promises. V8 keeps the frame for the
// reactions of promises, but not for the microtask that calls a foreign then(), so that database libraries whose
// queries begin there would lose it. V8's promise hooks can restore the frame, but double the cost of every promise.
// Therefore they are enabled only if a storage holds a value and some source text appears to define a then().

const { RegExpPrototypeExec, hardenRegExp } = primordials;

const { entered, forgetFrame, getFrame, hooks, knowFrame, setFrame } = require('internal/async_hooks');

// Matches a method, a property or a key named `then`, but not a call.
const definition = hardenRegExp(/(?<!\.)\bthen\s*\(|\bthen\s*[:=](?!=)|['"`]then['"`]/);

const state = { seen: false };

// The module loaders call this with every source text that they compile.
function noteSource(text) {
  if (state.seen || RegExpPrototypeExec(definition, text) === null) return;
  state.seen = true;
  if (hooks.usesFrames) require('internal/async_context/hooks').refreshPromiseHooks();
}

function isNeeded() {
  return state.seen && hooks.usesFrames;
}

// Base class that adds private fields to an existing promise. They are invisible, and collected with the promise.
class Returned {
  constructor(object) {
    return object;
  }
}
class Stamp extends Returned {
  #frame;
  static put(promise, frame) {
    new Stamp(promise).#frame = frame;
  }

  static get(promise) {
    return #frame in promise ? promise.#frame : undefined;
  }
}

function onInit(promise) {
  const frame = getFrame();
  if (frame !== undefined) Stamp.put(promise, frame);
}

let isRestored = false;
let enteredBefore = 0;

// A reaction has its frame already. A call of then() has none, so it gets the frame in which the promise was created.
function onBefore(promise) {
  enteredBefore = entered.count;
  let frame = getFrame();
  if (frame === undefined) {
    frame = Stamp.get(promise);
    if (frame !== undefined) {
      setFrame(frame);
      isRestored = true;
    }
  }
  // Reactions do not nest, so the cached frame is valid until the end of this one.
  knowFrame(frame);
}

function onAfter() {
  forgetFrame();
  if (!isRestored && entered.count === enteredBefore) return;
  isRestored = false;
  setFrame(undefined);
}

module.exports = { isNeeded, noteSource, onAfter, onBefore, onInit };
