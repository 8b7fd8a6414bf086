'use strict';
const util = require('node:util');

console.log(JSON.stringify(util.diff('12345678', '1x45678')), JSON.stringify(util.diff(['a', 'b'], ['b', 'c'])), util.diff('a', 'a'));
const attempt = (call) => {
  try {
    return call();
  } catch (error) {
    return `${error.name} ${error.code} ${error.message}`;
  }
};
console.log(attempt(() => util.diff(5, 'a')), attempt(() => util.diff('a', [5])));
function outer() {
  return util.getCallSites(2).map(({ functionName, lineNumber, columnNumber, column, scriptName }) =>
    [functionName, lineNumber, columnNumber, column, scriptName === __filename]);
}
console.log(outer(), Object.keys(util.getCallSites(1)[0]));
for (const args of [[0], [201], ['x'], [1, 5], [1, { sourceMap: 1 }]]) console.log(attempt(() => util.getCallSites(...args).length));
console.log(util.convertProcessSignalToExitCode('SIGTERM'), attempt(() => util.convertProcessSignalToExitCode('x')).slice(0, 60));
console.log(util.getSystemErrorMessage(-2), attempt(() => util.getSystemErrorMessage(2)));
const paint = (format, text) => JSON.stringify(util.styleText(format, text, { validateStream: false }));
console.log(paint('red', 'x'), paint(['bold', '#f80'], 'x'), paint('none', 'x'), paint('#010203', `a${util.styleText('red', 'b', { validateStream: false })}c`));
console.log(attempt(() => util.styleText('#12', 'x')), util.isDeepStrictEqual([1], { __proto__: Array.prototype, 0: 1, length: 1 }, true));
