// The classes of fetch and sockets: their members, attributes, conversions and errors.
const { inspect } = require('node:util');

const names = ['fetch', 'Headers', 'Request', 'Response', 'FormData', 'WebSocket', 'EventSource', 'MessageEvent',
  'CloseEvent', 'ErrorEvent'];
function list(name, object) {
  if (object === undefined) {
    console.log(name, 'is not defined');
    return;
  }
  for (const key of Reflect.ownKeys(object)) {
    const descriptor = Object.getOwnPropertyDescriptor(object, key);
    const fn = descriptor.value ?? descriptor.get;
    console.log(name, String(key), descriptor.enumerable, descriptor.configurable, descriptor.writable,
      typeof fn === 'function' ? [fn.name, fn.length] : String(fn), descriptor.set?.name);
  }
}
for (const name of names) {
  const { enumerable, configurable } = Object.getOwnPropertyDescriptor(globalThis, name) ?? {};
  console.log(name, enumerable, configurable);
  list(name, globalThis[name]);
  if (name !== 'fetch') list(`${name}.prototype`, globalThis[name]?.prototype);
}
console.log(Object.keys(globalThis).join());

function attempt(title, fn) {
  try {
    console.log(title, fn());
  } catch (error) {
    console.log(title, error.name, error.code, error.message);
  }
}

const form = new FormData();
form.append('a', 'b');
attempt('inspect', () => [new Headers({ b: '1', a: '2' }), form, new Response('x'), new Request('http://a/b?c')]
  .map((value) => inspect(value)).join('\n'));
for (const Class of [Headers, Request, Response, FormData]) {
  attempt(`call ${Class.name}`, () => Class());
  attempt(`tag ${Class.name}`, () => Object.prototype.toString.call(Class.prototype));
}
attempt('clone Headers', () => structuredClone(new Headers()));
attempt('clone Response', () => structuredClone(new Response()));
attempt('clone Request', () => structuredClone(new Request('http://a')));
attempt('clone FormData', () => structuredClone(new FormData()));
attempt('wrong receiver', () => Headers.prototype.get.call({}, 'a'));
attempt('wrong receiver of a getter', () => Object.getOwnPropertyDescriptor(Response.prototype, 'ok').get.call({}));
attempt('no argument', () => new Headers().append('a'));
attempt('bad name', () => new Headers().append('a b', '1'));
attempt('bad value', () => new Headers({ a: '\u0100' }));
attempt('odd pair', () => new Headers([['a']]));
attempt('set-cookie', () => {
  const headers = new Headers([['set-cookie', 'a=1'], ['Set-Cookie', 'b=2'], ['x', '1'], ['X', '2']]);
  return [[...headers], headers.getSetCookie(), headers.get('SET-COOKIE'), headers.has('x')];
});
attempt('sorted', () => [...new Headers({ c: 1, b: 2, A: 3 }).keys()]);
attempt('status', () => new Response('', { status: 99 }));
attempt('status text', () => new Response('', { statusText: '\n' }));
attempt('null body status', () => new Response('x', { status: 204 }));
attempt('Response.json', () => Response.json({ a: 1 }).headers.get('content-type'));
attempt('Response.json of undefined', () => Response.json(undefined));
attempt('Response.redirect', () => Response.redirect('http://a/b', 301).headers.get('location'));
attempt('Response.redirect status', () => Response.redirect('http://a/b', 200));
attempt('Response.error', () => [Response.error().type, Response.error().status]);
attempt('relative URL', () => new Request('/a'));
attempt('credentials', () => new Request('http://a:b@c/'));
for (const init of [{ method: 'TRACE' }, { method: 'a b' }, { mode: 'navigate' }, { mode: 'x' }, { body: 'x' }, { window: 1 },
  { method: 'POST', body: new ReadableStream() }, { redirect: 'x' }, { signal: {} }, { referrer: 'x' },
  { cache: 'only-if-cached' }, { duplex: 'full' }, { credentials: 1 }]) {
  attempt(inspect(init), () => new Request('http://a', init).method);
}
attempt('request', () => {
  const request = new Request('http://a/b#c', { method: 'post', body: 'x', headers: { a: '1' }, keepalive: true });
  const { method, url, destination, referrer, referrerPolicy, mode, credentials, cache, redirect, integrity, keepalive,
    isReloadNavigation, isHistoryNavigation, duplex, bodyUsed } = request;
  return { method, url, destination, referrer, referrerPolicy, mode, credentials, cache, redirect, integrity, keepalive,
    isReloadNavigation, isHistoryNavigation, duplex, bodyUsed, headers: [...request.headers] };
});
attempt('form', () => {
  const data = new FormData();
  data.append('a', new Blob(['x']));
  data.append('a', new Blob(['x']), 'name');
  data.set('b', 1);
  return [[...data.keys()], data.get('a').name, data.getAll('a').length, data.get('b'), data.has('c')];
});
attempt('form of an element', () => new FormData({}));
attempt('file name without a blob', () => new FormData().append('a', 'b', 'c'));
attempt('event', () => new MessageEvent('x', { data: 1 }).data);
