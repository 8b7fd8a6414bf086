// Dispatchers that the program sets, channels, and properties that it replaces.
const http = require('node:http');
const { channel } = require('node:diagnostics_channel');

const kDispatcher = Symbol.for('undici.globalDispatcher.2');
console.log(globalThis[kDispatcher]);

const server = http.createServer((request, response) => response.end('from the server'));
server.listen(0, '127.0.0.1', async () => {
  const url = `http://127.0.0.1:${server.address().port}/path`;
  console.log(await (await fetch(url)).text());
  const agent = globalThis[kDispatcher];
  console.log(agent.constructor.name, typeof agent.dispatch, agent.closed, agent.destroyed,
    Object.getOwnPropertyDescriptor(globalThis, kDispatcher).enumerable);
  const own = {
    dispatch(options, handler) {
      console.log('own dispatcher', options.method, options.path, options.origin === new URL(url).origin);
      return agent.dispatch(options, handler);
    },
  };
  globalThis[kDispatcher] = own;
  console.log(await (await fetch(url)).text());
  globalThis[kDispatcher] = agent;
  console.log(await (await fetch(url, { dispatcher: own })).text());
  agent.dispatch = function dispatch(options, handler) {
    console.log('replaced function', options.method);
    delete agent.dispatch;
    return this.dispatch(options, handler);
  };
  console.log(await (await fetch(url)).text());
  agent.once('connect', () => console.log('connect'));
  console.log(await (await fetch(url, { headers: { connection: 'close' } })).text());
  agent.removeAllListeners();
  const seen = [];
  const listen = (_, name) => seen.push(name);
  const channels = ['create', 'headers', 'trailers', 'bodySent'].map((name) => `undici:request:${name}`);
  for (const name of channels) channel(name).subscribe(listen);
  console.log(await (await fetch(url)).text(), seen);
  for (const name of channels) channel(name).unsubscribe(listen);
  seen.length = 0;
  console.log(await (await fetch(url)).text(), seen);
  // Replaced built-in functions reach neither requests nor responses.
  const { then } = Promise.prototype;
  const { push, shift } = Array.prototype;
  const { get } = Map.prototype;
  const response = await fetch(url);
  Array.prototype.push = Array.prototype.shift = () => { throw new Error('patched'); };
  Map.prototype.get = () => { throw new Error('patched'); };
  const text = response.text();
  Array.prototype.push = push;
  Array.prototype.shift = shift;
  Map.prototype.get = get;
  console.log(await text, then === Promise.prototype.then);
  await agent.close();
  console.log(agent.closed, agent.destroyed);
  await fetch(url).catch((error) => console.log(error.message, error.cause.name, error.cause.code));
  server.close();
  server.closeAllConnections();
});
