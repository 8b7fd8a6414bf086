'use strict';

// Errors: their stack, made to say what the error really is, and shortened where it repeats that of its cause.

const {
  ArrayIsArray,
  ArrayPrototypeIncludes,
  ArrayPrototypeIndexOf,
  ArrayPrototypeJoin,
  ArrayPrototypePush,
  ArrayPrototypeSplice,
  Error,
  ErrorPrototypeToString,
  MathMin,
  RegExpPrototypeExec,
  String,
  StringPrototypeEndsWith,
  StringPrototypeIncludes,
  StringPrototypeIndexOf,
  StringPrototypeRepeat,
  StringPrototypeReplaceAll,
  StringPrototypeSlice,
  StringPrototypeSplit,
  StringPrototypeStartsWith,
} = primordials;

const { kError } = require('internal/util/inspect/kinds');
const { prefixOf } = require('internal/util/inspect/names');
const { isNativeError } = internalBinding('types');

// Runs of equal frames shorter than this are shown.
const kShortestOverlap = 4;

// An error may be an object that inherits from Error, or a native one of another realm.
function isErrorLike(value, kind) {
  return kind === kError || value instanceof Error;
}

let overflowMessage;
let overflowName;

// Whether the engine ran out of stack; found out by doing it once.
function isStackOverflow(error) {
  if (overflowMessage === undefined) {
    try {
      (function descend() { descend(); })();
    } catch (overflow) {
      overflowMessage = overflow.message;
      overflowName = overflow.name;
    }
  }
  return error && error.name === overflowName && error.message === overflowMessage;
}

function stackOf(error) {
  return error.stack ? String(error.stack) : ErrorPrototypeToString(error);
}

// Name, message and stack are not listed again if the stack shows them.
function dropShownKeys(ctx, keys, error, stack) {
  if (ctx.showHidden || keys.length === 0) return;
  dropIfShown('name', keys, error, stack);
  dropIfShown('message', keys, error, stack);
  dropIfShown('stack', keys, error, stack);
}

function dropIfShown(name, keys, error, stack) {
  const index = ArrayPrototypeIndexOf(keys, name);
  if (index !== -1 && StringPrototypeIncludes(stack, error[name])) ArrayPrototypeSplice(keys, index, 1);
}

const leadingName = /^([A-Z][a-z_ A-Z0-9[\]()-]+)(?::|\n\s+at)/;
const onlyName = /^([a-z_A-Z0-9-]*Error)$/;

// The stack begins with the name the error had when it was made. If its class is called something else, that is said too.
// Anything that does not look like the usual beginning is left alone.
function withClassName(stack, constructor, name, tag) {
  let length = name.length;
  if (constructor !== null) {
    if (!StringPrototypeEndsWith(name, 'Error') || !StringPrototypeStartsWith(stack, name)) return stack;
    if (stack.length !== length && stack[length] !== ':' && stack[length] !== '\n') return stack;
  }
  let fallback = 'Error';
  if (constructor === null) {
    const match = RegExpPrototypeExec(leadingName, stack) || RegExpPrototypeExec(onlyName, stack);
    const found = match === null ? '' : match[1];
    length = found.length;
    if (found !== '') fallback = found;
  }
  const prefix = StringPrototypeSlice(prefixOf(constructor, tag, fallback), 0, -1);
  if (prefix === name) return stack;
  const rest = StringPrototypeSlice(stack, length);
  if (!StringPrototypeIncludes(prefix, name)) return `${prefix} [${name}]${rest}`;
  return length === 0 ? `${prefix}: ${stack}` : `${prefix}${rest}`;
}

// Where, and for how long, `frames` runs along with `others`.
function findOverlap(frames, others) {
  for (let offset = 0; offset < frames.length - 3; offset++) {
    const position = ArrayPrototypeIndexOf(others, frames[offset]);
    if (position === -1) continue;
    const most = MathMin(frames.length - offset, others.length - position);
    let length = 1;
    while (length < most && frames[offset + length] === others[position + length]) length++;
    if (length >= kShortestOverlap) return { offset, length };
  }
  return null;
}

function framesOf(ctx, error, text) {
  const frames = StringPrototypeSplit(text, '\n');
  let cause;
  try {
    cause = error.cause;
  } catch {
    // Then there is nothing to compare with.
  }
  if (cause === null || typeof cause !== 'object' || !(isNativeError(cause) || cause instanceof Error)) return frames;
  const causeStack = stackOf(cause);
  const start = StringPrototypeIndexOf(causeStack, '\n    at');
  if (start === -1) return frames;
  const overlap = findOverlap(frames, StringPrototypeSplit(StringPrototypeSlice(causeStack, start + 1), '\n'));
  if (overlap !== null) {
    const skipped = overlap.length - 2;
    ArrayPrototypeSplice(frames, overlap.offset + 1, skipped,
                         ctx.stylize(`    ... ${skipped} lines matching cause stack trace ...`, 'undefined'));
  }
  return frames;
}

function formatError(error, constructor, tag, ctx, keys) {
  const name = error.name != null ? String(error.name) : 'Error';
  let stack = stackOf(error);
  dropShownKeys(ctx, keys, error, stack);
  if ('cause' in error && !ArrayPrototypeIncludes(keys, 'cause')) ArrayPrototypePush(keys, 'cause');
  // What AggregateError gathers.
  if (ArrayIsArray(error.errors) && !ArrayPrototypeIncludes(keys, 'errors')) ArrayPrototypePush(keys, 'errors');
  stack = withClassName(stack, constructor, name, tag);

  // A message may look like frames.
  let from = (error.message && StringPrototypeIndexOf(stack, error.message)) || -1;
  if (from !== -1) from += error.message.length;
  const start = StringPrototypeIndexOf(stack, '\n    at', from);
  if (start === -1) {
    stack = `[${stack}]`;
  } else {
    const frames = framesOf(ctx, error, StringPrototypeSlice(stack, start + 1));
    if (ctx.colors) require('internal/util/inspect/frames').paintFrames(ctx, frames);
    stack = `${StringPrototypeSlice(stack, 0, start)}\n${ArrayPrototypeJoin(frames, '\n')}`;
  }
  if (ctx.indentationLvl !== 0) {
    stack = StringPrototypeReplaceAll(stack, '\n', `\n${StringPrototypeRepeat(' ', ctx.indentationLvl)}`);
  }
  return stack;
}

exports.isErrorLike = isErrorLike;
exports.isStackOverflow = isStackOverflow;
exports.formatError = formatError;
