// Redirects: modes, methods, fields, limits, other origins.
const http = require('node:http');

let origin;
let other;
function onRequest(request, response) {
  const { pathname, searchParams } = new URL(request.url, 'http://x');
  let body = '';
  request.on('data', (chunk) => { body += chunk; });
  request.on('end', () => {
    if (pathname === '/to') {
      response.writeHead(+searchParams.get('status'), { location: searchParams.get('url') ?? '' });
      response.end('moved');
    } else if (pathname === '/loop') {
      response.writeHead(302, { location: '/loop' });
      response.end();
    } else {
      const { method, url, headers } = request;
      response.end(JSON.stringify({
        method, url, body, type: headers['content-type'], authorization: headers.authorization,
        cookie: headers.cookie, length: headers['content-length'], own: headers.own,
      }));
    }
  });
}

async function attempt(title, url, init) {
  try {
    const response = await fetch(url, init);
    console.log(title, response.status, response.type, response.redirected,
      response.url.replace(/(:|%3A)\d+/g, ':PORT'), await response.text());
  } catch (error) {
    console.log(title, error.message, error.cause?.message);
  }
}

const servers = [http.createServer(onRequest), http.createServer(onRequest)];
servers[0].listen(0, '127.0.0.1', () => servers[1].listen(0, '127.0.0.1', async () => {
  origin = `http://127.0.0.1:${servers[0].address().port}`;
  other = `http://127.0.0.1:${servers[1].address().port}`;
  const headers = { authorization: 'secret', cookie: 'a=b', own: 'x' };
  for (const status of [301, 302, 303, 307, 308, 305]) {
    const url = `${origin}/to?status=${status}&url=`;
    await attempt(`${status}`, `${url}/there`);
    await attempt(`${status} POST`, `${url}/there`, { method: 'POST', body: 'text' });
    await attempt(`${status} PUT`, `${url}/there`, { method: 'PUT', body: 'text' });
    await attempt(`${status} HEAD`, `${url}/there`, { method: 'HEAD' });
    await attempt(`${status} manual`, `${url}/there`, { redirect: 'manual' });
    await attempt(`${status} error`, `${url}/there`, { redirect: 'error' });
    await attempt(`${status} fields`, `${url}/there`, { headers: { authorization: 'secret', own: 'x' } });
    await attempt(`${status} other origin`, `${url}${encodeURIComponent(`${other}/there`)}`, { headers });
    await attempt(`${status} other origin, own fields`, `${url}${encodeURIComponent(`${other}/there`)}`,
      { headers: { authorization: 'secret', own: 'x' } });
    await attempt(`${status} scheme`, `${url}ftp://x/`);
    await attempt(`${status} nothing`, url);
    await attempt(`${status} bad`, `${url}http://%`);
    await attempt(`${status} fragment`, `${url}${encodeURIComponent('/there#b')}#a`);
    await attempt(`${status} stream`, `${url}/there`,
      { method: 'POST', body: new Blob(['text']).stream(), duplex: 'half' });
  }
  await attempt('loop', `${origin}/loop`);
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
}));
