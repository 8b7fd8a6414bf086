'use strict';
// Two tests that run at the same time use one temporary file. The second is usually late enough.
const assert = require('node:assert');
const { readFile, writeFile } = require('node:fs/promises');
const os = require('node:os');
const path = require('node:path');
const { describe, it } = require('node:test');
const { setTimeout: sleep } = require('node:timers/promises');

const file = path.join(os.tmpdir(), 'settings.json');

describe('settings', { concurrency: true }, () => {
  for (const [theme, delay] of [['dark', 0], ['light', 30]]) {
    it(`keep the theme ${theme}`, async () => {
      if (delay > 0) await sleep(delay); // Until the page is loaded.
      await writeFile(file, theme);
      assert.strictEqual(await readFile(file, 'utf8'), theme);
    });
  }
});
