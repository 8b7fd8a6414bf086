// needs: chromium
// runs as: rondo node
// playwright-core drives Chromium over a pipe: pages, forms, requests, downloads, WebSockets of the page, a picture.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { WebSocketServer } from 'ws';

const server = createServer(async (request, response) => {
  if (request.url === '/') {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'set-cookie': 'seen=1' });
    return response.end(`<!doctype html>
      <title>The pagé</title><form><input name="text"><button>Send</button></form><p id="out"></p>
      <a href="/file" download="file.txt">file</a><script>
      document.forms[0].onsubmit = async (event) => {
        event.preventDefault();
        const response = await fetch('/echo', { method: 'POST', body: new FormData(event.target) });
        out.textContent = await response.text();
      };
      const socket = new WebSocket(location.href.replace('http', 'ws'));
      socket.onmessage = ({ data }) => console.log('socket', data);
      </script>`);
  }
  if (request.url === '/file') {
    return response.writeHead(200, { 'content-type': 'text/plain' }).end('of the server\n');
  }
  if (request.url === '/favicon.ico') return response.writeHead(204).end();
  if (request.url !== '/echo') return response.writeHead(404).end();
  let text = '';
  for await (const part of request) text += part;
  response.end(`${request.method} ${/\r\n\r\n(.*)\r\n/.exec(text)[1]} ${request.headers.cookie}`);
});
new WebSocketServer({ server }).on('connection', (socket) => socket.send('hello'));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const base = `http://127.0.0.1:${server.address().port}`;

const browser = await chromium.launch({ executablePath: process.env.TEST_CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu'] });
const context = await browser.newContext({ viewport: { width: 400, height: 300 }, acceptDownloads: true });
const page = await context.newPage();
const said = page.waitForEvent('console', (message) => message.text().startsWith('socket'));
await page.goto(base);
console.log(await page.title(), await (await said).text());
await page.fill('input', 'typed text');
const [response] = await Promise.all([page.waitForResponse('**/echo'), page.click('button')]);
console.log(response.status(), await page.textContent('#out'));
console.log((await context.cookies()).map(({ name, value }) => `${name}=${value}`));
console.log(await page.evaluate(([a, b]) => ({ sum: a + b, big: 12n, date: new Date(0) }), [1, 2]));
await page.evaluate(() => { throw new RangeError('of the page'); }).catch((error) =>
  console.log(error.message.split('\n')[0]));
await page.exposeFunction('ofTheTest', (x) => x * 2);
console.log(await page.evaluate(() => globalThis.ofTheTest(21)));
await page.route('**/made-up', (route) => route.fulfill({ status: 201, body: 'made up' }));
console.log(await page.evaluate(async () => (await fetch('/made-up')).text()));
const [download] = await Promise.all([page.waitForEvent('download'), page.click('a')]);
console.log(download.suggestedFilename(), readFileSync(await download.path(), 'utf8'));
const picture = await page.screenshot();
console.log(picture.subarray(1, 4).toString(), picture.readUInt32BE(16), picture.readUInt32BE(20));
await page.waitForSelector('#never', { timeout: 100 }).catch((error) => console.log(error.name));
await browser.close();
server.closeAllConnections();
await new Promise((resolve) => server.close(resolve));
console.log('closed');
