// Makes the pictures of the documentation from runs of examples/loop: `./dev pictures` calls it.
//   pictures.mjs STORE CHROMIUM RONDO FOLDER
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [store, browserPath, rondo, out] = process.argv.slice(2);
const { chromium } = createRequire(join(store, 'package.json'))('playwright-core');
const examples = fileURLToPath(new URL('../examples/loop/', import.meta.url));
const kRuns = 15;
const kMostBytes = 150_000; // Limit for one picture, to keep the repository small.

// `from`, `to`, `last`: functions, or numbers of phases; the view goes from the begin of the first to the end of the
// others. `select`: likewise. `part`: an element, if not the whole page.
const kPending = 2;
const kMicrotask = 'microtask';
const pictures = [
  { name: 'page', program: '4-check.js', from: 'onFile', to: 'nested', last: 'timeout', select: 'immediate' },
  { name: 'page-dark', program: '2-timers.js', from: 'after10', to: 'after30', select: 'after30', scheme: 'dark' },
  { name: 'order', program: '1-order.js', from: 'aTick', to: 'anImmediate', last: 'aTimer', select: kMicrotask,
    part: '.stage' },
  { name: 'timers', program: '2-timers.js', from: 'after10', to: 'inner', select: 'inner', part: '.stage' },
  { name: 'late', program: '2-timers.js', from: 'after10', to: 'after30', select: 'after30', part: '.details',
    height: 1000 },
  { name: 'poll', program: '3-poll.js', from: 'onFile', to: 'onKey', last: 'soon', select: 'soon', part: '.stage',
    height: 1000 },
  { name: 'check', program: '4-check.js', from: 'onFile', to: 'nested', last: 'timeout', select: 'immediate',
    part: '.stage' },
  { name: 'pending', program: '5-pending-and-closing.js', from: 'onConnection', to: kPending, select: kPending,
    part: '.stage' },
  { name: 'closing', program: '5-pending-and-closing.js', from: 'onConnection', to: kPending, select: 'onClose',
    part: '.stage' },
  { name: 'starving', program: '6-starving.js', from: 'again', to: 'hungry', tab: 'drains', select: 'hungry' },
  { name: 'ring', program: '4-check.js', from: 'onFile', to: 'nested', select: 'immediate', part: '.ring-panel' },
];

const rendered = new Map();

// The page of the fastest of several runs: other processes may have disturbed the rest.
function render(program, folder) {
  if (rendered.has(program)) return rendered.get(program);
  let best = Infinity;
  for (let i = 0; i < kRuns; i++) {
    const html = join(folder, `${program}.${i}.html`);
    const begin = performance.now();
    const result = spawnSync(rondo, ['trace', '-q', '-o', html, join(examples, program)], { encoding: 'utf8' });
    if (result.status !== 0) throw new Error(`${program}: ${result.stderr}`);
    const took = performance.now() - begin;
    if (took >= best) continue;
    best = took;
    rendered.set(program, html);
  }
  return rendered.get(program);
}

// Runs in the page.
function arrange({ from, to, last, select, tab }) {
  const { store, actions } = window.rondo;
  const [thread] = store.model.threads;
  const { spans, steps, names } = thread;
  const isIt = (span, name) => {
    if (typeof name === 'number') return spans.phase[span] === name;
    if (name === 'microtask') return spans.kind[span] === 7;
    return names.place(spans.name[span]).functionName === name;
  };
  const find = (name, isLast) => {
    let found = -1;
    for (let i = 0; i < steps.length && (isLast || found < 0); i++) if (isIt(steps.ids[i], name)) found = steps.ids[i];
    if (found < 0) throw new Error(`nothing is called ${name}`);
    return found;
  };
  const { begin, end } = spans;
  const start = begin[find(from, false)];
  const stop = Math.max(end[find(to, true)], last === undefined ? 0 : end[find(last, true)]);
  const margin = (stop - start) * 0.04;
  actions.show(start - margin, stop + margin);
  actions.select(thread, find(select, typeof select !== 'number'), false);
  if (tab !== undefined) actions.setTab(tab);
}

const folder = mkdtempSync(join(tmpdir(), 'rondo-pictures-'));
const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', '--disable-gpu'] });
for (const { name, program, part, scheme = 'light', height = 760, ...view } of pictures) {
  const page = await browser.newPage({ viewport: { width: 1280, height }, colorScheme: scheme,
    reducedMotion: 'reduce' });
  await page.goto(pathToFileURL(render(program, folder)).href);
  await page.waitForSelector('.timeline-canvas[data-frames]');
  await page.evaluate(arrange, view);
  await page.waitForTimeout(300);
  const path = join(out, `${name}.png`);
  if (part === undefined) await page.screenshot({ path });
  else await page.locator(part).screenshot({ path });
  await page.close();
  const { size } = statSync(path);
  console.log(`${name}.png: ${Math.round(size / 1024)} KB`);
  if (size > kMostBytes) throw new Error(`${name}.png is too large`);
}
await browser.close();
rmSync(folder, { recursive: true, force: true });
