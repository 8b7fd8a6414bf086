'use strict';
// A trace as one page that opens without a network: the viewer, the records and the sources that they name.
const fs = require('fs');
const path = require('path');
const { createHash } = require('crypto');
const { fileURLToPath } = require('url');
const { pack } = require('internal/trace/packed');

const kMostOfOne = 1 << 20; // Bytes of one source, and of all of them.
const kMostOfAll = 8 << 20;
// Other files are not embedded: a trace may name any file, and pages are passed on.
const kEndings = new Set(['.js', '.cjs', '.mjs', '.jsx', '.ts', '.cts', '.mts', '.tsx', '.coffee', '.vue', '.svelte']);

const entities = { '__proto__': null, '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text) {
  return text.replace(/[&<>"']/g, (letter) => entities[letter]);
}

// JSON that cannot end the element it stands in.
function embedJson(value) {
  return JSON.stringify(value).replace(/</g, '\\u003c');
}

function base64(bytes) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

// Files that places of these traces name.
function filesOf(traces) {
  const files = new Set();
  for (const { names } of traces) {
    for (let n = 1; n <= names.count; n++) {
      const { file } = names.place(n);
      if (file !== '') files.add(file);
    }
  }
  return files;
}

// The text of a file that a trace names, or undefined.
function readSource(file, folder) {
  let found = file;
  try {
    if (file.startsWith('file:')) found = fileURLToPath(file);
    else if (/^[a-z]+:/.test(file)) return undefined;
    if (!kEndings.has(path.extname(found))) return undefined;
    found = path.resolve(folder, found);
    const stat = fs.statSync(found);
    if (!stat.isFile() || stat.size > kMostOfOne) return undefined;
    return fs.readFileSync(found, 'utf8');
  } catch {
    return undefined;
  }
}

function readSources(traces, folder) {
  const sources = { __proto__: null };
  let left = kMostOfAll;
  for (const file of filesOf(traces)) {
    const text = readSource(file, folder);
    if (text === undefined || text.length > left) continue;
    left -= text.length;
    sources[file] = text;
  }
  return sources;
}

function threadOf(trace) {
  const { header, names, count, firstNumber, dropped, cut } = trace;
  return { header, names: base64(names.bytes), records: base64(pack(trace)), count, first: firstNumber, dropped, cut };
}

function hashOf(text) {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

// The page around the data. It runs only its own script, and connects to nothing but, if it is live, its own server.
function pageOf(data, title) {
  const { script, style } = require('internal/trace/page');
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    // Elements are placed by their style attributes, as scripts set them.
    `style-src ${hashOf(style)}`,
    'img-src data:',
    `connect-src ${data.live === null ? "'none'" : "'self'"}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<div id="app"><noscript>This page shows a trace of Rondo; it needs JavaScript.</noscript></div>
<script type="application/json" id="rondo-data">${embedJson(data)}</script>
<script>${script}</script>
</body>
</html>
`;
}

function titleOf(traces) {
  const words = traces.length === 0 ? [] : traces[0].header.commandLine.slice(1);
  const program = words.find((word) => !word.startsWith('-'));
  return program === undefined ? 'trace' : `${path.basename(program)} · trace`;
}

// `models` are those of internal/trace/model, the main thread's first; sources are looked for from `folder` on.
function render(models, { folder }) {
  const traces = models.map(({ trace }) => trace);
  const data = { live: null, threads: traces.map(threadOf), sources: readSources(traces, folder) };
  return Buffer.from(pageOf(data, titleOf(traces)));
}

module.exports = { escapeHtml, embedJson, pageOf, readSource, render };
