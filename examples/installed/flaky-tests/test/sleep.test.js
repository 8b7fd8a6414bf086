'use strict';
// Waits for a fixed time instead of for the operation: the file may not be written yet.
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');

const file = path.join(os.tmpdir(), 'audit.log');

function audit(line) {
  fs.appendFile(file, `${line}\n`, (error) => {
    if (error) throw error;
  });
}

test('a login is logged', async () => {
  fs.writeFileSync(file, '');
  audit('login');
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.strictEqual(fs.readFileSync(file, 'utf8'), 'login\n');
});
