'use strict';
// The source location of a test.

const { StringPrototypeStartsWith } = primordials;
const { getCallSites } = internalBinding('util');

const kMostOwnFrames = 20;

// The innermost frame that is the program's: { file, line, column }, or undefined.
function callerLocation() {
  const sites = getCallSites(kMostOwnFrames);
  for (let i = 0; i < sites.length; i++) {
    const { scriptName, lineNumber, column } = sites[i];
    if (scriptName === '' || StringPrototypeStartsWith(scriptName, 'node:')) continue;
    const file = StringPrototypeStartsWith(scriptName, 'file:') ?
      require('internal/url').fileURLToPath(scriptName) : scriptName;
    return { __proto__: null, line: lineNumber, column, file };
  }
  return undefined;
}

module.exports = { callerLocation };
