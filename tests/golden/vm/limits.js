'use strict';
// The options timeout and breakOnSigint.
const vm = require('vm');

function attempt(label, call) {
  try {
    console.log(label, call());
  } catch (error) {
    console.log(label, 'throws', error.code, error.message, error instanceof Error);
  }
}

const endless = new vm.Script('while (true) {}');
attempt('this context', () => endless.runInThisContext({ timeout: 5 }));
attempt('new context', () => endless.runInNewContext({}, { timeout: 5 }));
attempt('function', () => vm.runInContext('while (true) {}', vm.createContext(), { timeout: 5 }));
attempt('quick', () => vm.runInThisContext('1 + 1', { timeout: 100000 }));
attempt('caught', () => vm.runInThisContext('try { while (true) {} } catch { "caught" } finally { "finally" }', { timeout: 5 }));
attempt('thrown', () => vm.runInThisContext('throw new Error("own")', { timeout: 100000 }));
attempt('stack', () => vm.runInThisContext('(function f() { f() })()', { timeout: 100000 }));

// Nested limits: the inner one ends only the inner script.
const context = vm.createContext({
  run(code, timeout) { return vm.runInThisContext(code, { timeout }); },
});
attempt('inner first', () => vm.runInContext(
  'let result; try { run("while (true) {}", 5) } catch (error) { result = error.code } result', context, { timeout: 100000 }));
attempt('outer first', () => vm.runInContext('run("while (true) {}", 100000)', context, { timeout: 10 }));
attempt('after', () => vm.runInThisContext('"still works"'));

// Microtasks of a context with its own queue belong to the script.
attempt('microtasks', () => vm.runInNewContext('Promise.resolve().then(() => { while (true) {} }); 1', {},
  { timeout: 10, microtaskMode: 'afterEvaluate' }));

// SIGINT ends the script; listeners of the program do not see it.
const kill = vm.createContext({ kill: () => process.kill(process.pid, 'SIGINT') });
attempt('sigint', () => vm.runInContext('kill(); while (true) {}', kill, { breakOnSigint: true }));
attempt('both', () => vm.runInContext('kill(); while (true) {}', kill, { breakOnSigint: true, timeout: 100000 }));
kill.nested = () => {
  try {
    return vm.runInContext('kill(); while (true) {}', kill, { breakOnSigint: true });
  } catch (error) {
    return `inner ${error.code}`;
  }
};
attempt('innermost', () => vm.runInContext('nested()', kill, { breakOnSigint: true }));
const seen = [];
process.once('SIGINT', () => seen.push('once'));
process.on('SIGINT', listener);
function listener() {
  console.log('listener');
  process.removeListener('SIGINT', listener);
  console.log(seen, process.listenerCount('SIGINT'));
}
attempt('with listeners', () => vm.runInContext('kill(); while (true) {}', kill, { breakOnSigint: true }));
console.log(seen, process.listenerCount('SIGINT'));
process.kill(process.pid, 'SIGINT');
setTimeout(() => {}, 100000).unref();
const wait = setInterval(() => { if (seen.length > 0) clearInterval(wait); }, 1);
