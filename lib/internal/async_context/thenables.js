'use strict';
// The frame of AsyncLocalStorage inside the then() of objects that are not promises. V8 carries the frame along with
// the reactions of promises, but not with the microtask that calls a foreign then(): database libraries whose queries
// begin there would lose it. V8's promise hooks can put it back, at twice the price of every promise. So they are used
// only where both are there: a storage that holds something, and source text that looks as if it defined a then().

const { RegExpPrototypeExec, hardenRegExp } = primordials;

const { entered, forgetFrame, getFrame, hooks, knowFrame, setFrame } = require('internal/async_hooks');

// A method, a property or a key of that name, but not a call of one.
const definition = hardenRegExp(/(?<!\.)\bthen\s*\(|\bthen\s*[:=](?!=)|['"`]then['"`]/);

const state = { seen: false };

// The loaders show every text they compile.
function noteSource(text) {
  if (state.seen || RegExpPrototypeExec(definition, text) === null) return;
  state.seen = true;
  if (hooks.usesFrames) require('internal/async_context/hooks').refreshPromiseHooks();
}

function isNeeded() {
  return state.seen && hooks.usesFrames;
}

// Base class that adds private fields to an existing promise. They are invisible, and collected with it.
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

// A reaction has its frame already. A call of then() has none, and gets the one in which the promise was made.
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
  // One reaction does not run inside another: until its end there is no need to ask again.
  knowFrame(frame);
}

function onAfter() {
  forgetFrame();
  if (!isRestored && entered.count === enteredBefore) return;
  isRestored = false;
  setFrame(undefined);
}

module.exports = { isNeeded, noteSource, onAfter, onBefore, onInit };
