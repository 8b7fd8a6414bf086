'use strict';

// Stack frames in colour: our own in grey, the working directory in grey, names of packages underlined.

const {
  RegExpPrototypeExec,
  StringPrototypeEndsWith,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
} = primordials;

const builtinFrame = /^ {4}at (?:[^/\\(]+ \(|)node:.+:\d+:\d+(?:\)|$)/;

function workingDirectory() {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

function underlinePackages(ctx, line) {
  let result = '';
  let done = 0;
  let from = 0;
  for (;;) {
    const start = StringPrototypeIndexOf(line, 'node_modules', from);
    if (start === -1) break;
    from = start + 'node_modules'.length;
    const separator = line[from];
    const before = line[start - 1];
    if ((separator !== '/' && separator !== '\\') || (before !== '/' && before !== '\\')) continue;
    const nameStart = from + 1;
    let end = StringPrototypeIndexOf(line, separator, nameStart);
    // A scope is part of the name.
    if (line[nameStart] === '@' && end !== -1) end = StringPrototypeIndexOf(line, separator, end + 1);
    if (end === -1) break;
    result += StringPrototypeSlice(line, done, nameStart) +
      ctx.stylize(StringPrototypeSlice(line, nameStart, end), 'module');
    done = end;
    from = end;
  }
  return done === 0 ? line : result + StringPrototypeSlice(line, done);
}

function greyDirectory(ctx, line, directory) {
  const position = StringPrototypeIndexOf(line, directory);
  if (position === -1) return line;
  let start = position;
  if (StringPrototypeSlice(line, position - 7, position) === 'file://') start -= 7;
  const hasParenthesis = line[start - 1] === '(';
  if (hasParenthesis) start--;
  const closes = hasParenthesis && StringPrototypeEndsWith(line, ')');
  const end = position + directory.length + 1;
  const rest = closes ? StringPrototypeSlice(line, end, -1) + ctx.stylize(')', 'undefined') :
    StringPrototypeSlice(line, end);
  return StringPrototypeSlice(line, 0, start) + ctx.stylize(StringPrototypeSlice(line, start, end), 'undefined') + rest;
}

// In place.
function paintFrames(ctx, frames) {
  const directory = workingDirectory();
  let directoryUrl;
  for (let i = 0; i < frames.length; i++) {
    if (RegExpPrototypeExec(builtinFrame, frames[i]) !== null) {
      frames[i] = ctx.stylize(frames[i], 'undefined');
      continue;
    }
    const line = underlinePackages(ctx, frames[i]);
    frames[i] = line;
    if (directory === undefined) continue;
    frames[i] = greyDirectory(ctx, line, directory);
    if (frames[i] === line && StringPrototypeIndexOf(line, 'file://') !== -1) {
      directoryUrl ??= require('internal/url').pathToFileURL(directory).href;
      frames[i] = greyDirectory(ctx, line, directoryUrl);
    }
  }
}

exports.paintFrames = paintFrames;
