'use strict';
// Arguments of URLPattern: address, base and options.
const { URLPattern } = require('url');

function attempt(fn) {
  try {
    console.log(fn());
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}

const page = 'https://e.com';
for (const list of [
  [], [1], [null], [undefined], [{}, 1], [{}, '', 1], [{}, null], [page, null, null], [page, undefined, undefined], [page, {}, {}],
  [page, page, null], ['/a', page], ['/a', { ignoreCase: 1 }], [{ pathname: '/x' }, { ignoreCase: 'y' }], [page, page, 1], [{}, page],
]) {
  attempt(() => {
    const pattern = new URLPattern(...list);
    return [pattern.protocol, pattern.hostname, pattern.pathname].join(' ');
  });
}
attempt(() => URLPattern());

const pattern = new URLPattern({ pathname: '/foo' });
for (const list of [
  [], [1], [null], [null, null], [`${page}/foo`], [`${page}/foo`, null], ['/foo', page], ['/foo', 1], [{ pathname: '/foo' }, page],
  [{ pathname: '/foo' }], [{ pathname: '/foo' }, undefined], [{ pathname: '/foo' }, {}],
]) {
  attempt(() => pattern.test(...list));
  attempt(() => JSON.stringify(pattern.exec(...list)));
}
