// Starts a browser, opens pages, runs tests one after the other, and reports failures.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [store, browserPath, rondo, ...names] = process.argv.slice(2);
const require = createRequire(join(store, 'package.json'));
const { chromium } = require('playwright-core');

export const folder = mkdtempSync(join(tmpdir(), 'rondo-viewer-'));
const tests = [];

export function test(name, body) {
  tests.push({ name, body });
}

// The page of a trace, written by `rondo trace`.
export function pageOfTrace(bytes, ...workers) {
  const file = join(folder, `trace${tests.length}-${Math.random().toString(36).slice(2)}.rtrace`);
  writeFileSync(file, bytes);
  workers.forEach((worker, i) => writeFileSync(`${file}.w${i + 1}`, worker));
  const html = file.replace('.rtrace', '.html');
  run(['trace', '-q', '-o', html, file]);
  return html;
}

// The page of a program, which is run now.
export function pageOfProgram(text) {
  const program = join(mkdtempSync(join(folder, 'app-')), 'app.js');
  writeFileSync(program, text);
  const html = program.replace(/\.js$/, '.html');
  run(['trace', '-q', '-o', html, program]);
  return { html, program };
}

function run(args) {
  const result = spawnSync(rondo, args, { encoding: 'utf8', timeout: 60_000 });
  if (result.status !== 0) {
    throw new Error(`rondo ${args.join(' ')} ended with ${result.status ?? result.signal}: ${result.stderr}`);
  }
}

export function start(args) {
  return spawn(rondo, args, { stdio: ['ignore', 'pipe', 'pipe'] });
}

let browser;

// Opens a page; console output, errors and requests to other servers fail the test.
export async function open(where, { width = 1280, height = 800, colorScheme = 'light', ...rest } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce',
    ...rest });
  const page = await context.newPage();
  page.complaints = [];
  const own = where.startsWith('http:') ? new URL(where).origin : 'file://';
  page.on('console', (message) => page.complaints.push(`console ${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => page.complaints.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    page.complaints.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(own) && !url.startsWith('data:')) page.complaints.push(`request: ${url}`);
  });
  opened.push(page);
  await page.goto(own === 'file://' ? pathToFileURL(where).href : where);
  await page.waitForSelector('.timeline-canvas[data-frames]');
  return page;
}

const opened = [];

// The middle of the first span with this title, as a point of the page; `zoom` first brings it into view.
export async function pointOf(page, title, { zoom = true } = {}) {
  return page.evaluate(async ({ title, zoom }) => {
    const { scene, store, actions } = window.rondo;
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    for (const thread of store.model.threads) {
      for (let i = 0; i < thread.steps.length; i++) {
        const span = thread.steps.ids[i];
        if (thread.names.place(thread.spans.name[span]).functionName !== title) continue;
        const wide = Math.max(1, thread.duration(span));
        if (zoom) actions.show(thread.spans.begin[span] - wide * 4, thread.spans.begin[span] + wide * 5);
        await frame();
        const { x, y } = scene.pointOf(thread, span);
        const box = scene.canvas.getBoundingClientRect();
        return { x: x + box.left, y: y + box.top };
      }
    }
    throw new Error(`no callback is called ${title}`);
  }, { title, zoom });
}

export function status(page) {
  return page.textContent('[data-testid=status]');
}

export async function until(what, read, wanted) {
  for (let i = 0; i < 1200; i++) {
    const value = await read();
    if (wanted(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${what}: waited in vain`);
}

export async function finish() {
  browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', '--disable-gpu'] });
  let failed = 0;
  for (const { name, body } of tests) {
    if (names.length > 0 && !names.some((wanted) => name.includes(wanted))) continue;
    opened.length = 0;
    const begin = Date.now();
    try {
      await body();
      for (const page of opened) if (page.complaints.length > 0) throw new Error(page.complaints.join('\n'));
      console.log(`ok ${name} (${Date.now() - begin} ms)`);
    } catch (error) {
      failed++;
      console.log(`FAILED ${name}\n${error.stack}`);
      for (const page of opened) {
        const picture = join(tmpdir(), `rondo-viewer-${name.replace(/\W+/g, '-')}.png`);
        await page.screenshot({ path: picture }).then(() => console.log(`what it looked like: ${picture}`), () => {});
      }
    }
    for (const page of opened) await page.context().close();
  }
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
  console.log(failed === 0 ? 'all passed' : `${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
