// HTTP requests on the page: their row, the list, and the callbacks of the selected one.
import assert from 'node:assert/strict';
import { open, pageOfProgram, pointOf, status, test, until } from './harness.mjs';

// /page waits for a timer and for /data, while an interval of something else runs.
const kProgram = `const http = require('http');
function spin(ms) { const end = performance.now() + ms; while (performance.now() < end); }
const ask = (path) => new Promise((resolve) => {
  http.get({ port: server.address().port, host: '127.0.0.1', path }, (answer) => answer.resume().on('end', resolve));
});
const server = http.createServer(function handler(request, response) {
  if (request.url === '/data') return setTimeout(function answer() { response.end('data'); }, 30);
  setTimeout(async function prepare() {
    spin(25);
    await ask('/data');
    setImmediate(function finish() { response.end(); });
  }, 10);
}).listen(0, '127.0.0.1', async () => {
  const other = setInterval(function ofOthers() { spin(2); }, 5);
  await ask('/page?q=1');
  clearInterval(other);
  server.close();
  server.closeAllConnections();
});
`;

function selectRequest(page, name) {
  return page.evaluate((wanted) => {
    const { store, actions } = window.rondo;
    const [thread] = store.model.threads;
    const { requestsFrom, length } = thread.spans;
    for (let span = requestsFrom; span < length; span++) {
      if (!thread.names.text(thread.spans.name[span]).startsWith(wanted)) continue;
      actions.select(thread, span);
      return span;
    }
    throw new Error(`no request ${wanted}`);
  }, name);
}

test('requests have a row, and a list of the slowest', async () => {
  const { html } = pageOfProgram(kProgram);
  const page = await open(html);
  const rows = await page.evaluate(() => window.rondo.scene.rows.map((row) => row.label));
  assert.equal(rows[0], 'HTTP requests');
  assert.ok(!rows.some((label) => label.startsWith('Pool')), 'the program has used no thread of the pool');
  await page.click('#tab-requests');
  const list = await page.locator('[data-testid=list] li').allTextContents();
  assert.equal(list.length, 2);
  assert.match(list[0], /GET \/page 200/);
  assert.match(list[1], /GET \/data 200/);
  await page.click('[data-testid=list] button >> text=/page');
  assert.match(await status(page), /^GET \/page 200, HTTP request, took/);
});

test('a request on the timeline can be clicked, and shows where its time went', async () => {
  const { html } = pageOfProgram(kProgram);
  const page = await open(html);
  await page.evaluate(() => { window.rondo.actions.fit(); });
  const point = await page.evaluate(async () => {
    const { scene, store } = window.rondo;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const [thread] = store.model.threads;
    const names = Array.from({ length: thread.model.requests.count },
      (_, i) => thread.names.text(thread.spans.name[thread.spans.requestsFrom + i]));
    const span = thread.spans.requestsFrom + names.indexOf('GET /page');
    const { x, y } = scene.pointOf(thread, span);
    const box = scene.canvas.getBoundingClientRect();
    return { x: x + box.left, y: y + box.top };
  });
  await page.mouse.click(point.x, point.y);
  assert.match(await status(page), /^GET \/page 200/);
  const parts = await page.locator('[data-testid=request-parts] li').allTextContents();
  assert.ok(parts.some((text) => /ran.*prepare/.test(text)), parts.join('\n'));
  assert.ok(parts.some((text) => /waited for.*GET 127\.0\.0\.1:\d+\/data 200/.test(text)), parts.join('\n'));
  assert.ok(parts.some((text) => /blocked by.*ofOthers/.test(text)), parts.join('\n'));
  assert.match(await page.textContent('[data-testid=details]'), /Queued before its handler/);
  assert.match(await page.textContent('[data-testid=request-callbacks]'), /prepare/);
});

test('outgoing requests can be followed, and callbacks lead back to their request', async () => {
  const { html } = pageOfProgram(kProgram);
  const page = await open(html);
  await selectRequest(page, 'GET /page');
  await page.click('[data-testid=request-outgoing] button');
  assert.match(await status(page), /^GET 127\.0\.0\.1:\d+\/data 200, request to a server/);
  await page.click('[data-testid=request-parent] button');
  assert.match(await status(page), /^GET \/page 200/);
  const finish = await pointOf(page, 'finish');
  await page.mouse.click(finish.x, finish.y);
  assert.match(await status(page), /^finish/);
  await page.click('[data-testid=request-owner] button');
  assert.match(await status(page), /^GET \/page 200/);
});

test('selecting a request dims the callbacks of others', async () => {
  const { html } = pageOfProgram(kProgram);
  const page = await open(html);
  // The colour in the middle of a callback.
  const colourOf = async (title) => {
    const { x, y } = await pointOf(page, title);
    return page.evaluate(async ({ x, y }) => {
      const { canvas } = window.rondo.scene;
      const box = canvas.getBoundingClientRect();
      const ratio = devicePixelRatio || 1;
      const pixel = await createImageBitmap(canvas, (x - box.left) * ratio - 12, (y - box.top) * ratio + 4, 1, 1);
      const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
      context.drawImage(pixel, 0, 0);
      return [...context.getImageData(0, 0, 1, 1).data].join();
    }, { x, y });
  };
  const prepare = await colourOf('prepare');
  const others = await colourOf('ofOthers');
  await selectRequest(page, 'GET /page');
  await until('dimming', () => colourOf('ofOthers'), (colour) => colour !== others);
  assert.equal(await colourOf('prepare'), prepare);
  await page.keyboard.press('Escape');
  await until('colours', () => colourOf('ofOthers'), (colour) => colour === others);
});

test('without requests there is no row for them', async () => {
  const { html } = pageOfProgram('setTimeout(function only() {}, 1);');
  const page = await open(html);
  const rows = await page.evaluate(() => window.rondo.scene.rows.map((row) => row.label));
  assert.ok(!rows.includes('HTTP requests'));
  await page.click('#tab-requests');
  assert.match(await page.textContent('[data-testid=list]'), /served no HTTP requests/);
});
