// Accessibility: keyboard, screen reader, dark theme, narrow screen.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { open, pageOfTrace, status, test } from './harness.mjs';

const { small } = createRequire(import.meta.url)('./synthetic.js');

test('every control has a name, and Tab reaches it', async () => {
  const page = await open(pageOfTrace(small()));
  const nameless = await page.evaluate(() => [...document.querySelectorAll('button, input, select, [tabindex="0"]')]
    .filter((element) => !['aria-label', 'aria-labelledby'].some((name) => element.getAttribute(name)) &&
      !element.textContent.trim())
    .map((element) => element.outerHTML));
  assert.deepEqual(nameless, []);
  const reached = new Set();
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    reached.add(await page.evaluate(() => {
      const { id, dataset, ariaLabel } = document.activeElement;
      return id || dataset.testid || ariaLabel;
    }));
  }
  for (const wanted of ['search', 'play', 'timeline', 'tab-slowest', 'Fit the whole run']) {
    assert.ok(reached.has(wanted), wanted);
  }
});

test('what is selected is said aloud', async () => {
  const page = await open(pageOfTrace(small()));
  const region = page.locator('[data-testid=status]');
  assert.equal(await region.getAttribute('aria-live'), 'polite');
  await page.keyboard.press('.');
  await page.keyboard.press('.');
  assert.equal(await status(page), 'onTick, process.nextTick, at app.js:14, took 60.0 µs, after waiting 1.00 ms.');
  assert.match(await page.getAttribute('[data-testid=ring]', 'aria-label'), /^The loop is in main script, ticks/);
});

test('the table holds all callbacks, and keys go through it', async () => {
  const page = await open(pageOfTrace(small()));
  await page.focus('#tab-slowest');
  await page.keyboard.press('ArrowLeft'); // Wraps around to the last tab.
  assert.equal(await page.getAttribute('#tab-table', 'aria-selected'), 'true');
  assert.equal(await page.getAttribute('.table', 'aria-rowcount'), '2010');
  await page.focus('[data-testid=table]');
  await page.keyboard.press('ArrowDown');
  assert.match(await status(page), /^app\.js/);
  await page.keyboard.press('ArrowDown');
  assert.match(await status(page), /^onTick/);
  await page.keyboard.press('End');
  assert.match(await page.textContent('.table tr[aria-current=true]'), /again/);
  await page.keyboard.press('Home');
  assert.match(await page.textContent('.table tr[aria-current=true]'), /main script/);
});

test('help opens and closes by keys', async () => {
  const page = await open(pageOfTrace(small()));
  // The effect of a key is drawn a moment later: wait for it.
  await page.keyboard.press('?');
  await page.waitForSelector('dialog.help', { state: 'visible' });
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog.help', { state: 'hidden' });
  await page.keyboard.press('?');
  await page.waitForSelector('dialog.help', { state: 'visible' });
});

test('dark and light, as the system says or as one likes', async () => {
  const html = pageOfTrace(small());
  const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const becomes = (page, colour) => page.waitForFunction(
    (wanted) => getComputedStyle(document.body).backgroundColor === wanted, colour);
  const light = await open(html, { colorScheme: 'light' });
  const dark = await open(html, { colorScheme: 'dark' });
  const [day, night] = [await background(light), await background(dark)];
  assert.notEqual(day, night);
  await dark.click('[data-testid=theme]');
  await becomes(dark, day);
  await light.keyboard.press('t');
  await light.keyboard.press('t');
  await becomes(light, night);
  // The canvas, too.
  const pixel = await light.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const canvas = document.querySelector('.timeline-canvas');
    return canvas.getContext('2d').getImageData(canvas.width - 3, canvas.height - 3, 1, 1).data[0];
  });
  assert.ok(pixel < 60, `the canvas is bright: ${pixel}`);
});

test('a narrow window needs no scrolling sideways', async () => {
  for (const [width, height] of [[320, 640], [420, 900], [768, 1024], [1280, 800]]) {
    const page = await open(pageOfTrace(small()), { width, height });
    await page.keyboard.press('.');
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= width, `${wide} of ${width}`);
    const heights = await page.evaluate(() =>
      [...document.querySelectorAll('.panel, .stage')].map((panel) => panel.clientHeight));
    assert.ok(heights.length === 4 && heights.every((tall) => tall >= 140), `${width}: panels are ${heights} tall`);
    await page.context().close();
  }
});

// The contrast of two colours by the rules of WCAG 2.
function contrast(a, b) {
  const luminance = (hex) => {
    const [r, g, blue] = [1, 3, 5].map((i) => {
      const part = parseInt(hex.slice(i, i + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * blue;
  };
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

test('texts can be read on every colour', async () => {
  const css = readFileSync(new URL('../../viewer/page/src/style/tokens.css', import.meta.url), 'utf8');
  const [bright, dark] = css.split('@media');
  const read = (text) => Object.fromEntries([...text.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map((match) =>
    [match[1], match[2]]));
  const day = read(bright);
  for (const [name, colours] of [['light', day], ['dark', { ...day, ...read(dark) }]]) {
    for (const key in colours) {
      const ink = colours[`${key}-ink`];
      if (ink === undefined) continue;
      assert.ok(contrast(colours[key], ink) >= 4.5, `${name}: ${key} ${contrast(colours[key], ink).toFixed(2)}`);
    }
    for (const ground of ['surface', 'sunken', 'accent-soft', 'hover']) {
      for (const text of ['text', 'text-soft']) {
        assert.ok(contrast(colours[ground], colours[text]) >= 4.5, `${name}: ${text} on ${ground}`);
      }
    }
  }
});
