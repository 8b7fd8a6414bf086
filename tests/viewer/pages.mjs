// The page with traces: viewer.py runs it.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { finish, open, pageOfProgram, pageOfTrace, pointOf, status, test, until } from './harness.mjs';
import { checkCounters, checkLanes } from './lanes.mjs';
import './pages_accessible.mjs';
import './pages_http.mjs';
import './pages_live.mjs';

const { TraceWriter, kinds, large, small } = createRequire(import.meta.url)('./synthetic.js');

// Every phase but idle and prepare, a spin of 200 ms, and a socket that is destroyed.
const kProgram = `const fs = require('fs');
const net = require('net');

function spin(ms) {
  const start = Date.now();
  while (Date.now() - start < ms);
}

setTimeout(function onTimer() {
  spin(200);
  process.nextTick(function afterTimer() {});
}, 10);
fs.readFile(__filename, function onFile(error, text) {
  setImmediate(function afterFile() {});
  Promise.resolve(text).then(function onPromise() {});
});
const server = net.createServer(function onConnection(socket) {
  socket.on('data', function onData() { socket.destroy(); });
  socket.on('close', function onClose() { server.close(); });
}).listen(0, '127.0.0.1', function onListening() {
  const client = net.connect(server.address().port, '127.0.0.1', function onConnect() { client.write('hello'); });
});
`;

test('a real run: its phases, its callbacks, and the spin by name', async () => {
  const { html } = pageOfProgram(kProgram);
  const page = await open(html);
  const phases = await page.evaluate(() => {
    const [thread] = window.rondo.store.model.threads;
    return thread.ofPhase.map((lane) => lane.length > 0);
  });
  for (const phase of [1, 5, 6, 7]) assert.ok(phases[phase], `no phase ${phase}`);
  await page.click('#tab-blockers');
  assert.match(await page.textContent('[data-testid=list]'), /onTimer\s*app\.js:9/);
  const { x, y } = await pointOf(page, 'onTimer');
  await page.mouse.click(x, y);
  const details = await page.textContent('[data-testid=details]');
  assert.match(details, /onTimer/);
  assert.match(details, /setTimeout 10/);
  assert.match(details, /Why here/);
  assert.match(await page.textContent('.code-line.here'), /setTimeout\(function onTimer/);
  assert.match(await page.textContent('[data-testid=causes]'), /main script/);
  assert.match(await page.textContent('[data-testid=effects]'), /afterTimer/);
  for (const [name, phase] of [['onFile', 5], ['afterFile', 6], ['onConnection', 5], ['onClose', 7]]) {
    const at = await pointOf(page, name);
    await page.mouse.click(at.x, at.y);
    assert.equal(await page.getAttribute('[data-testid=ring]', 'data-phase'), String(phase), name);
  }
});

test('a click tells what, where, by whom, how long and why', async () => {
  const page = await open(pageOfTrace(small()));
  const { x, y } = await pointOf(page, 'onConnect');
  await page.mouse.click(x, y);
  const details = await page.textContent('[data-testid=details]');
  assert.match(details, /onConnect\s*pending/);
  assert.match(details, /net\.connect/);
  assert.match(details, /PEN-01/);
  assert.match(details, /Waited\s*\d+ µs/);
  assert.match(details, /app\.js:20/);
  await page.click('[data-testid=causes] button');
  assert.match(await status(page), /^onImmediate, setImmediate, at app\.js:12, in check/);
  await page.keyboard.press('c');
  assert.match(await status(page), /^app\.js, main script/);
  await page.click('[data-testid=effects] button >> text=onFile');
  assert.match(await page.textContent('[data-testid=why]'), /POOL-02/);
});

test('search by function, by file and line, next and previous', async () => {
  const page = await open(pageOfTrace(small()));
  await page.keyboard.press('/');
  await page.keyboard.type('onfile');
  assert.equal(await page.textContent('[data-testid=found]'), '0 / 1');
  await page.keyboard.press('Enter');
  assert.equal(await page.textContent('[data-testid=found]'), '1 / 1');
  assert.match(await status(page), /^onFile/);
  await page.fill('#search', 'app.js:12');
  await page.keyboard.press('Enter');
  assert.match(await status(page), /^onImmediate/);
  await page.fill('#search', 'again');
  assert.match(await page.textContent('[data-testid=found]'), /\/ 2,000$/);
  await page.keyboard.press('Enter');
  assert.equal(await page.textContent('[data-testid=found]'), '1 / 2,000');
  await page.keyboard.press('Shift+Enter');
  assert.equal(await page.textContent('[data-testid=found]'), '2,000 / 2,000');
  await page.fill('#search', 'nothing is called that');
  assert.equal(await page.textContent('[data-testid=found]'), 'none');
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('[data-testid=found]').count(), 0);
});

test('stepping goes from callback to callback, and the ring follows', async () => {
  const page = await open(pageOfTrace(small()));
  const seen = [];
  for (let i = 0; i < 9; i++) {
    await page.keyboard.press('.');
    const phase = await page.getAttribute('[data-testid=ring]', 'data-phase');
    seen.push(`${(await status(page)).split(',')[0]} ${phase}`);
  }
  assert.deepEqual(seen, ['app.js 0', 'onTick 0', 'onPromise 0', 'onFile 5', 'onImmediate 6', 'afterFile 6',
    'onConnect 2',
    'onClose 7', 'onTimer 1']);
  await page.keyboard.press(',');
  assert.match(await status(page), /^onClose/);
  await page.keyboard.press('End');
  assert.match(await status(page), /^again/);
  await page.keyboard.press('Home');
  assert.match(await status(page), /^app\.js/);
});

test('playing goes on by itself until it is paused or over', async () => {
  const page = await open(pageOfTrace(small()));
  await page.selectOption('.transport select', '30');
  await page.click('[data-testid=play]');
  await until('the fifth callback', () => status(page), (text) => /^(?:onImmediate|onTimer|again)/.test(text));
  await page.keyboard.press('Escape'); // Deselects; playing continues from the cursor.
  await page.click('[data-testid=play]');
  assert.equal(await page.getAttribute('[data-testid=play]', 'aria-pressed'), 'false');
  await page.keyboard.press('End');
  await page.click('[data-testid=play]');
  await until('the end', () => page.getAttribute('[data-testid=play]', 'aria-pressed'), (value) => value === 'false');
});

test('wheel, drag and keys move the view, and it stays within the run', async () => {
  const page = await open(pageOfTrace(small()));
  const view = () => page.evaluate(() => ({ ...window.rondo.store.view }));
  const whole = await view();
  await page.mouse.move(700, 200);
  for (let i = 0; i < 5; i++) await page.mouse.wheel(0, -120);
  const close = await view();
  assert.ok(close.to - close.from < (whole.to - whole.from) * 0.5);
  await page.mouse.down();
  await page.mouse.move(600, 200, { steps: 3 });
  await page.mouse.up();
  const dragged = await view();
  assert.ok(dragged.from > close.from);
  assert.ok(Math.abs((dragged.to - dragged.from) - (close.to - close.from)) < 1);
  await page.focus('[data-testid=timeline]');
  await page.keyboard.press('ArrowLeft');
  assert.ok((await view()).from < dragged.from);
  await page.keyboard.press('+');
  assert.ok((await view()).to - (await view()).from < close.to - close.from);
  for (let i = 0; i < 60; i++) await page.keyboard.press('Shift+ArrowRight');
  const { end } = await page.evaluate(() => ({ end: window.rondo.store.model.end }));
  assert.ok((await view()).from < end, 'the run is out of sight');
  for (let i = 0; i < 80; i++) await page.keyboard.press('+');
  const narrow = await view();
  assert.ok(narrow.to - narrow.from >= 199);
  await page.keyboard.press('f');
  const again = await view();
  assert.ok(again.from <= 0 && again.to >= end);
});

test('two fingers zoom', async () => {
  const page = await open(pageOfTrace(small()), { hasTouch: true });
  const before = await page.evaluate(() => window.rondo.store.view.to - window.rondo.store.view.from);
  await page.evaluate(() => {
    const canvas = document.querySelector('.timeline-canvas');
    canvas.setPointerCapture = () => {};
    const box = canvas.getBoundingClientRect();
    const send = (type, id, x) => canvas.dispatchEvent(new PointerEvent(type, {
      pointerId: id,
      pointerType: 'touch',
      clientX: box.left + x,
      clientY: box.top + 80,
      button: type === 'pointermove' ? -1 : 0,
      bubbles: true,
    }));
    send('pointerdown', 1, 500);
    send('pointerdown', 2, 600);
    send('pointermove', 1, 400);
    send('pointermove', 2, 700);
    send('pointerup', 1, 400);
    send('pointerup', 2, 700);
  });
  const after = await page.evaluate(() => window.rondo.store.view.to - window.rondo.store.view.from);
  assert.ok(after < before * 0.5);
});

test('lists: slowest, blockers, drains, alive', async () => {
  const page = await open(pageOfTrace(small()));
  const list = () => page.textContent('[data-testid=list]');
  assert.match(await list(), /^60\.0 ms\s*timers\s*onTimer/);
  await page.click('#tab-blockers');
  assert.match(await list(), /onTimer/);
  assert.match(await list(), /Seen after 50\.0 ms, in spin \(app\.js:2\)/);
  await page.click('#tab-drains');
  assert.match(await list(), /ticks2,000 ticks\s*again app\.js:30/);
  await page.click('#tab-alive');
  assert.match(await list(), /tcp socket made in onImmediate app\.js:20/);
  await page.click('#tab-slowest');
  await page.click('[data-testid=list] li:nth-child(3) button');
  assert.match(await status(page), /^onFile/);
});

test('rows find, sum and merge as a plain look at every span does', async () => checkLanes());
test('counters are drawn as high as a plain look at every value says', async () => checkCounters());

// Timers that pile up, handles that open and close, jobs that wait for a worker, a timer that is late.
function counting({ thread = 0, turns = 20 } = {}) {
  const w = new TraceWriter({ thread });
  const file = '/app/app.js';
  const note = (name, value) => w.record(kinds.gauge, { name: w.text(name), value });
  w.span(kinds.callback, { id: 1, name: w.place('', file, 1) }, 1e6, () => {
    note('timers', 1);
    for (let i = 1; i <= 3; i++) w.record(kinds.jobQueued, { id: -i, name: w.text('fs.read'), value: i - 1 });
  });
  for (let turn = 1; turn <= turns; turn++) {
    w.turn(turn, () => {
      note('timers', turn <= 10 ? turn : 20 - turn);
      note('handles', turn === 5 ? 4 : 1);
      note('immediates', 0);
      const due = w.time - turn * 1e5;
      w.inPhase(1, 1e6, () => w.span(kinds.callback, { id: 9, name: w.place('tick', file, 3), value: due }, 5e5));
      if (turn <= 3) w.record(kinds.jobStarted, { id: -turn, name: w.text('fs.read'), value: 0 });
      if (turn <= 3) w.record(kinds.jobFinished, { id: -turn, name: w.text('fs.read'), value: 0, time: w.time + 1000 });
    });
  }
  w.record(kinds.exit, { value: 0 });
  return w.finish();
}

test('numbers of the trace have rows of their own, with their value at the cursor and under the pointer', async () => {
  const page = await open(pageOfTrace(counting()));
  const rows = await page.evaluate(() => window.rondo.scene.rows.filter(({ kind }) => kind === 'counter').map(
    ({ counter }) => [counter.label, counter.highest]));
  // There were no immediates.
  assert.deepEqual(rows, [['Timer lag', 2.5e6], ['Timers', 10], ['Handles', 4], ['Pool queue', 3]]);
  // The row of timers is as high as its value: checked where it is highest, and where it is low.
  const look = (label, part) => page.evaluate(async ({ label, part }) => {
    const { scene } = window.rondo;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const row = scene.rows.find(({ counter }) => counter?.label === label);
    const ratio = devicePixelRatio || 1;
    const x = scene.gutter + (scene.width - scene.gutter) * part;
    const y = 26 + row.y - scene.scroll;
    // From a copy: the browser advises against reading a canvas that it draws on.
    const copy = new OffscreenCanvas(1, row.height * ratio).getContext('2d', { willReadFrequently: true });
    copy.drawImage(scene.canvas, -Math.round(x * ratio), -Math.round(y * ratio));
    const { data } = copy.getImageData(0, 0, 1, row.height * ratio);
    let filled = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i] < 0xb0) filled++;
    const box = scene.canvas.getBoundingClientRect();
    return { filled: filled / ratio, height: row.height, x: box.left + x, y: box.top + y + row.height / 2 };
  }, { label, part });
  const high = await look('Timers', 0.5);
  const low = await look('Timers', 0.12);
  assert.ok(high.filled >= high.height - 3, `${high.filled} of ${high.height}`);
  assert.ok(low.filled > 0 && low.filled < high.filled / 2, `${low.filled} and ${high.filled}`);
  await page.mouse.move(high.x, high.y);
  assert.match(await page.textContent('.tip'), /^Timers10at most 10$/);
  const lag = await look('Timer lag', 0.97);
  await page.mouse.move(lag.x, lag.y);
  assert.match(await page.textContent('.tip'), /^Timer lag[\d.]+ msat most 2\.50 ms$/);
  // A click there moves the cursor, and selects nothing.
  await page.mouse.click(high.x, high.y);
  assert.equal(await page.evaluate(() => {
    const { scene } = window.rondo;
    return scene.rows.find(({ counter }) => counter?.label === 'Timers').counter.at(scene.state.cursor);
  }), 10);
  await page.mouse.move(high.x, 40);
  assert.equal(await page.locator('.tip').count(), 0);
});

test('numbers of a thread end with it, and their names fit where there is little room', async () => {
  const page = await open(pageOfTrace(counting(), counting({ thread: 1, turns: 8 })), { width: 420 });
  const [main, worker] = await page.evaluate(() => window.rondo.store.model.threads.map(({ end, counters }) => {
    const counter = counters.find(({ label }) => label === 'Handles');
    return [counter.at(end - 1), counter.at(end + 1)];
  }));
  assert.deepEqual([main, worker], [[1, 0], [1, 0]]);
  const wide = await page.evaluate(() => {
    const { scene } = window.rondo;
    const context = scene.canvas.getContext('2d');
    return scene.rows.filter(({ kind }) => kind === 'counter').map(({ short }) =>
      [short, context.measureText(short).width]);
  });
  const gutter = await page.evaluate(() => window.rondo.scene.gutter);
  for (const [label, width] of wide) assert.ok(10 + width <= gutter - 4, `${label}: ${width} of ${gutter}`);
});

test('the numbers of a real run', async () => {
  const { html } = pageOfProgram(kProgram);
  const page = await open(html);
  const labels = await page.evaluate(() => window.rondo.store.model.threads[0].counters.map(({ label }) => label));
  for (const label of ['Timers', 'Handles']) assert.ok(labels.includes(label), `${label} is not among ${labels}`);
});

test('a million records: a frame draws what the screen is wide, not what the trace is long', async () => {
  const figures = [];
  for (const count of [50_000, 1_000_000]) {
    const page = await open(pageOfTrace(large(count)));
    const measure = () => page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const { dataset } = document.querySelector('.timeline-canvas');
      return { touched: Number(dataset.touched), drawn: Number(dataset.drawn) };
    });
    const worst = { touched: 0, drawn: 0 };
    await page.mouse.move(640, 250);
    for (let i = 0; i < 30; i++) {
      const { touched, drawn } = await measure();
      worst.touched = Math.max(worst.touched, touched);
      worst.drawn = Math.max(worst.drawn, drawn);
      await page.mouse.wheel(0, -100);
    }
    figures.push(worst);
    // Twelve rows of half as many groups as the canvas has pixels, and as many single spans.
    assert.ok(worst.drawn < 12 * 1150, `${worst.drawn} drawn`);
    await page.keyboard.press('/');
    await page.keyboard.type('handler12');
    await page.keyboard.press('Enter');
    assert.match(await status(page), /^handler12/);
    await page.keyboard.press('Escape');
    await page.click('#tab-table');
    assert.ok(await page.locator('.table tbody tr').count() < 80, 'the table has rows that nobody sees');
    await page.context().close();
  }
  // Visible spans are found by bisection: some forty steps each, and only a few times as many for twenty times the
  // records.
  for (const { touched, drawn } of figures) assert.ok(touched < drawn * 40 + 1000, `${touched} touched for ${drawn}`);
  assert.ok(figures[1].touched < figures[0].touched * 5, `${figures[0].touched} and ${figures[1].touched} touched`);
});

test('names and sources that mean no good are texts', async () => {
  const evil = '</script><img src=x onerror=alert(1)><!--<script>';
  const { html } = pageOfProgram(`// ${evil} \u2028
setTimeout(Object.defineProperty(function () {}, 'name', { value: ${JSON.stringify(evil)} }), 1);
`);
  const page = await open(html);
  await page.keyboard.press('End');
  assert.match(await page.textContent('.code'), /<\/script><img src=x onerror/);
  const w = new TraceWriter({ command: ['rondo', evil, evil] });
  const place = w.place(evil, `/${evil}.js`, 1);
  w.span(kinds.callback, { id: 1, name: place }, 1000, () => {
    w.record(kinds.schedule, { id: 5, name: w.text(evil), first: place, second: place });
  });
  w.span(kinds.tickDrain, {}, 1000, () => w.span(kinds.tick, { id: 5, name: place }, 500));
  w.record(kinds.uncaught, { name: w.text(evil) });
  w.record(kinds.refd, { name: w.text(evil), first: place });
  const hostile = await open(pageOfTrace(w.finish()));
  await hostile.keyboard.press('End');
  assert.ok((await hostile.textContent('[data-testid=details]')).includes(evil));
  assert.ok((await hostile.textContent('h1')).includes('img src=x'));
  assert.equal(await hostile.locator('img').count(), 0);
});

test('damaged and empty traces are shown as far as they go', async () => {
  const empty = await open(pageOfTrace(new TraceWriter().finish()));
  assert.match(await empty.textContent('[data-testid=details]'), /step through the run/);
  await empty.keyboard.press('.');
  const ring = new TraceWriter();
  for (let i = 0; i < 300; i++) {
    ring.turn(i, () => ring.inPhase(1, 1000, () => ring.span(kinds.callback, { id: i + 5 }, 500)));
  }
  const page = await open(pageOfTrace(ring.finish({ capacity: 256 })));
  assert.match(await page.textContent('.facts'), /older records are gone/);
  await page.keyboard.press('End');
  assert.match(await status(page), /timer/);
});

test('threads stand in groups, on one scale of time', async () => {
  const worker = new TraceWriter({ thread: 1, started: 1e15 + 20e6 });
  worker.span(kinds.callback, { id: 1, name: worker.place('inWorker', '/app/worker.js', 1) }, 5e6);
  const page = await open(pageOfTrace(small(), worker.finish()), { height: 1000 });
  assert.match(await page.textContent('.facts'), /2 threads/);
  const begin = await page.evaluate(() => window.rondo.store.model.threads[1].spans.begin[0]);
  assert.equal(begin, 20e6);
  const { x, y } = await pointOf(page, 'inWorker');
  await page.mouse.click(x, y);
  assert.match(await page.textContent('[data-testid=details]'), /Thread\s*1/);
});

await finish();
