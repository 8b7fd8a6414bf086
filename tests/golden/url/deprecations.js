'use strict';
// url.parse() and punycode warn once, but not for what packages do.
const fs = require('fs');
const os = require('os');
const path = require('path');
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'golden-'));
process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
fs.mkdirSync(path.join(dir, 'node_modules'));
process.on('warning', (warning) => console.log(warning.name, warning.code, warning.message));

function load(name, text) {
  const file = path.join(dir, name);
  fs.writeFileSync(file, text);
  require(file);
}

const use = 'const url = require("url"); url.parse("a"); url.format("a"); url.resolve("a", "b"); new Buffer(1);';
load('node_modules/package.js', use);
setImmediate(() => {
  console.log('package done');
  load('program.js', `{ ${use} } { ${use} }`);
  setImmediate(() => {
    load('punycode.js', 'require("punycode"); require("node:punycode");');
    // Control characters at the ends count as spaces.
    console.log(require('url').parse('\b\0 http://example.com/\b\x1f').href);
  });
});
