// The defaults for connections by name.
const net = require('node:net');

function attempt(name, fn) {
  try {
    console.log(name, fn());
  } catch (error) {
    console.log(name, '|', error.name, error.code, error.message);
  }
}
attempt('get', () => [net.getDefaultAutoSelectFamily(), net.getDefaultAutoSelectFamilyAttemptTimeout()]);
attempt('set false', () => net.setDefaultAutoSelectFamily(false));
attempt('get', () => net.getDefaultAutoSelectFamily());
attempt('set 1', () => net.setDefaultAutoSelectFamily(1));
attempt('set nothing', () => net.setDefaultAutoSelectFamily());
attempt('timeout 500', () => net.setDefaultAutoSelectFamilyAttemptTimeout(500));
attempt('get', () => net.getDefaultAutoSelectFamilyAttemptTimeout());
attempt('timeout 2', () => net.setDefaultAutoSelectFamilyAttemptTimeout(2));
attempt('get', () => net.getDefaultAutoSelectFamilyAttemptTimeout());
attempt('timeout 0', () => net.setDefaultAutoSelectFamilyAttemptTimeout(0));
attempt('timeout -1', () => net.setDefaultAutoSelectFamilyAttemptTimeout(-1));
attempt('timeout 1.5', () => net.setDefaultAutoSelectFamilyAttemptTimeout(1.5));
attempt('timeout 2**31', () => net.setDefaultAutoSelectFamilyAttemptTimeout(2 ** 31));
attempt("timeout '5'", () => net.setDefaultAutoSelectFamilyAttemptTimeout('5'));
attempt('the module', () => Object.keys(net));
