'use strict';
// Requests through a proxy that the environment names, and those that go directly.
const http = require('http');

const log = console.log;
const origin = http.createServer((request, response) => response.end(`origin ${request.url}`));
const proxy = http.createServer((request, response) => {
  log('proxy', request.method, request.url.replace(/:\d+/, ':PORT'), request.headers.host?.replace(/:\d+/, ':PORT'),
    request.headers['proxy-connection'], request.headers['proxy-authorization'], request.headers.connection);
  response.end('from the proxy');
});
const listen = (server) => new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));

function get(options) {
  return new Promise((resolve) => {
    http.get(options, (response) => {
      response.setEncoding('utf8');
      let body = '';
      response.on('data', (data) => body += data);
      response.on('end', () => {
        log(response.statusCode, body);
        resolve();
      });
    }).on('error', (error) => {
      log(error.code, error.message.replace(/:\d+/, ':PORT'));
      resolve();
    });
  });
}

(async () => {
  const port = await listen(origin);
  const proxyPort = await listen(proxy);
  const target = { host: '127.0.0.1', port, path: '/a?b' };
  for (const env of [
    {}, { HTTP_PROXY: `http://127.0.0.1:${proxyPort}` }, { http_proxy: `http://127.0.0.1:${proxyPort}`, HTTP_PROXY: 'http://x' },
    { HTTPS_PROXY: `http://127.0.0.1:${proxyPort}` },
    { HTTP_PROXY: `http://user:p%40ss@127.0.0.1:${proxyPort}` },
    { HTTP_PROXY: `http://127.0.0.1:${proxyPort}`, NO_PROXY: '127.0.0.1' },
    { HTTP_PROXY: `http://127.0.0.1:${proxyPort}`, NO_PROXY: '*' },
    { HTTP_PROXY: `http://127.0.0.1:${proxyPort}`, NO_PROXY: 'example.org,127.0.0.0-127.0.0.9' },
    { HTTP_PROXY: `http://127.0.0.1:${proxyPort}`, no_proxy: `127.0.0.1:${port}` },
    { HTTP_PROXY: `http://127.0.0.1:${proxyPort}`, NO_PROXY: '127.0.0.1:1' },
    { HTTP_PROXY: `http://127.0.0.1:${proxyPort}`, NO_PROXY: '.0.0.1,*.example' },
  ]) {
    log(JSON.stringify(env).replaceAll(proxyPort, 'PROXY').replaceAll(port, 'PORT'));
    for (const keepAlive of [false, true]) {
      const agent = new http.Agent({ proxyEnv: env, keepAlive });
      await get({ ...target, agent });
      if (keepAlive) await get({ ...target, agent, headers: { 'Proxy-Authorization': 'own' } });
      try {
        if (keepAlive) await get({ ...target, agent, headers: { Host: 'other' } });
      } catch (error) {
        log(error.code, error.message.replace(/:\d+/, ':PORT'));
      }
      agent.destroy();
    }
  }
  for (const env of [{ HTTP_PROXY: 'nope' }, { HTTP_PROXY: 'http://' }]) {
    try {
      const agent = new http.Agent({ proxyEnv: env });
      log(env, typeof agent);
    } catch (error) {
      log(env, error.code, error.message);
    }
    try {
      log(typeof http.setGlobalProxyFromEnv(env));
    } catch (error) {
      log(error.code, error.message);
    }
  }
  const restore = http.setGlobalProxyFromEnv({ http_proxy: `http://127.0.0.1:${proxyPort}` });
  await get(`http://127.0.0.1:${port}/global`);
  await get({ ...target, agent: false });
  http.globalAgent.destroy();
  restore();
  await get(`http://127.0.0.1:${port}/restored`);
  http.globalAgent.destroy();
  origin.close();
  proxy.close();
})();
