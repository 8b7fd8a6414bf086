'use strict';

// Formats errors: the stack, with the error's actual name and message, shortened where it repeats that of its cause.

const {
  ArrayIsArray,
  ArrayPrototypeIncludes,
  ArrayPrototypeIndexOf,
  ArrayPrototypeJoin,
  ArrayPrototypePop,
  ArrayPrototypePush,
  ArrayPrototypeSplice,
  Error,
  ErrorPrototypeToString,
  MathMin,
  ObjectPrototypeHasOwnProperty,
  ObjectPrototypeToString,
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

// True if the error is a stack overflow. The engine's message for it is found by causing one.
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

// The stack as text. One that a program has replaced by something else is shown below the name and message.
function stackOf(ctx, error) {
  let stack;
  try {
    stack = error.stack;
  } catch {
    // A getter that throws gives no stack.
  }
  if (typeof stack === 'string' && stack !== '') return stack;
  if (!stack) return ErrorPrototypeToString(error);
  ArrayPrototypePush(ctx.seen, error);
  ctx.indentationLvl += 4;
  const text = require('internal/util/inspect/value').formatValue(ctx, stack, 0);
  ctx.indentationLvl -= 4;
  ArrayPrototypePop(ctx.seen);
  return `${ErrorPrototypeToString(error)}\n    ${text}`;
}

const kThrows = {};

function read(error, key) {
  try {
    return error[key];
  } catch {
    return kThrows;
  }
}

// Name, message and stack are not listed again if the stack shows them.
function dropShownKeys(ctx, keys, stack, message, name) {
  if (ctx.showHidden || keys.length === 0) return;
  dropKey('stack', keys);
  if (message !== kThrows && isShown(message, stack)) dropKey('message', keys);
  if (name !== kThrows && isShown(name, stack)) dropKey('name', keys);
}

function isShown(value, stack) {
  return typeof value !== 'string' || StringPrototypeIncludes(stack, value);
}

function dropKey(name, keys) {
  const index = ArrayPrototypeIndexOf(keys, name);
  if (index !== -1) ArrayPrototypeSplice(keys, index, 1);
}

const leadingName = /^([A-Z][a-z_ A-Z0-9[\]()-]+)(?::|\n\s+at)/;
const onlyName = /^([a-z_A-Z0-9-]*Error)$/;

// The stack begins with the name the error had when it was made. If its class has another name, that
// is added. Text that does not have the usual beginning is not changed.
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

function isError(value) {
  return value !== null && typeof value === 'object' && (isNativeError(value) || value instanceof Error);
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
  if (isError(cause)) shortenByCause(ctx, frames, cause);
  if (frames.length > 10) collapseRepeated(ctx, frames);
  return frames;
}

function shortenByCause(ctx, frames, cause) {
  const causeStack = stackOf(ctx, cause);
  const start = StringPrototypeIndexOf(causeStack, '\n    at');
  if (start === -1) return;
  const overlap = findOverlap(frames, StringPrototypeSplit(StringPrototypeSlice(causeStack, start + 1), '\n'));
  if (overlap !== null) {
    const skipped = overlap.length - 2;
    ArrayPrototypeSplice(frames, overlap.offset + 1, skipped,
      ctx.stylize(`    ... ${skipped} lines matching cause stack trace ...`, 'undefined'));
  }
}

function collapseRepeated(ctx, frames) {
  const ranges = require('internal/util/inspect/repeated_frames').findRepeatedFrames(frames);
  for (let i = ranges.length - 1; i >= 0; i--) {
    const { start, length, times } = ranges[i];
    const what = times > 1 ? `${length} lines ${times} times...` : 'lines ...';
    ArrayPrototypeSplice(frames, start, length * times,
      ctx.stylize(`    ... collapsed ${length * times} duplicate lines matching above ${what}`, 'undefined'));
  }
}

function formatError(error, constructor, tag, ctx, keys) {
  let stack;
  try {
    stack = stackOf(ctx, error);
  } catch {
    return ObjectPrototypeToString(error);
  }
  let message = read(error, 'message');
  const name = read(error, 'name');
  dropShownKeys(ctx, keys, stack, message, name);
  if (message === kThrows) message = undefined;
  if (ObjectPrototypeHasOwnProperty(error, 'cause') && !ArrayPrototypeIncludes(keys, 'cause')) {
    ArrayPrototypePush(keys, 'cause');
  }
  // The errors of an AggregateError.
  if (ArrayIsArray(read(error, 'errors')) && ObjectPrototypeHasOwnProperty(error, 'errors') &&
      !ArrayPrototypeIncludes(keys, 'errors')) {
    ArrayPrototypePush(keys, 'errors');
  }
  stack = withClassName(stack, constructor, name === kThrows || name == null ? 'Error' : String(name), tag);

  // A message may look like frames.
  let from = (message && StringPrototypeIndexOf(stack, message)) || -1;
  if (from !== -1) from += message.length;
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
