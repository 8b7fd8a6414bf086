'use strict';
// Every name that a file of lib takes from a binding exists there. A constant that C++ has renamed would otherwise be
// undefined in lib, without an error.
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');
const { bindingNames, internalBinding } = require('internal/test/binding');

const lib = path.resolve(__dirname, '..');

// Constants are objects without a prototype; anything else that a binding holds is not looked into.
function hasNames(value) {
  return typeof value === 'object' && value !== null &&
    (Object.getPrototypeOf(value) === null || bindings.has(value));
}
const bindings = new Set(bindingNames.map((name) => internalBinding(name)));

// Parses `{ a, b: c, d: { e } }` from the opening brace and calls visit(path, local) for each name.
function readPattern(text, at, names, visit) {
  const token = /\s*(?:\/\/[^\n]*\n)?\s*(?:(\})|(\.\.\.)?(\w+)\s*(?::\s*(?:(\{)|(\w+)))?\s*,?)/y;
  for (;;) {
    token.lastIndex = at;
    const match = token.exec(text);
    if (match === null) throw new Error(`cannot parse ${JSON.stringify(text.slice(at, at + 40))}`);
    at = token.lastIndex;
    if (match[1] !== undefined) return at;
    const inner = [...names, match[3]];
    if (match[4] === undefined) {
      visit(inner, match[5] ?? match[3]);
    } else {
      at = readPattern(text, at, inner, visit);
      token.lastIndex = at;
      const comma = /\s*,?/y;
      comma.lastIndex = at;
      comma.exec(text);
      at = comma.lastIndex;
    }
  }
}

// The names that the file takes and that do not exist.
function findMissing(text) {
  const missing = [];
  const known = new Map(); // From local names to objects with names.
  const look = (from, names, what) => {
    let value = from;
    for (const name of names) {
      if (!hasNames(value)) return undefined;
      if (!(name in value)) missing.push(`${what}.${names.join('.')}`);
      value = value[name];
    }
    return value;
  };
  const take = (local, value) => { if (hasNames(value)) known.set(local, value); };

  for (const match of text.matchAll(/const (\w+) = internalBinding\('(\w+)'\)((?:\.\w+)*);/g)) {
    take(match[1], look(internalBinding(match[2]), match[3].split('.').slice(1), match[2]));
  }
  for (const match of text.matchAll(/internalBinding\('(\w+)'\)((?:\.\w+)+)/g)) {
    look(internalBinding(match[1]), match[2].split('.').slice(1), match[1]);
  }
  // `const { ... } = internalBinding('x');`, then those from names that are known by then.
  for (const match of text.matchAll(/const (\{[^=;]*\}) = (?:internalBinding\('(\w+)'\)|(\w+))((?:\.\w+)*);/g)) {
    const from = match[2] === undefined ? known.get(match[3]) : internalBinding(match[2]);
    if (from === undefined) continue;
    const outer = match[4].split('.').slice(1);
    readPattern(match[1], 1, [], (names, local) => {
      take(local, look(from, [...outer, ...names], match[2] ?? match[3]));
    });
  }
  for (const [local, value] of known) {
    const uses = new RegExp(`(?<![.\\w#'])${local}\\.(\\w+)`, 'g');
    for (const match of text.matchAll(uses)) look(value, [match[1]], local);
  }
  return missing;
}

test('the check finds missing names', () => {
  const texts = {
    'uv.UV_ENOTHING': "const { UV_ENOENT, UV_ENOTHING: kNothing } = internalBinding('uv');",
    'loop.nothing': "const loop = internalBinding('loop');\nloop.figures(); loop.nothing();",
    'handleKinds.tcp': "const { handleKinds } = internalBinding('loop');\n[handleKinds.tcp, handleKinds.pipe]",
    'trace.kinds.turns': "const {\n  kinds: {\n    turn: a,\n    turns: b,\n  },\n  end } = internalBinding('trace');",
    'explore.answers': "internalBinding('explore').answers",
  };
  for (const name of Object.keys(texts)) assert.deepStrictEqual(findMissing(texts[name]), [name]);
});

test('every name that lib takes from a binding exists', () => {
  const missing = [];
  for (const name of fs.readdirSync(lib, { recursive: true })) {
    if (!name.endsWith('.js') || name.endsWith('.test.js')) continue;
    for (const one of findMissing(fs.readFileSync(path.join(lib, name), 'utf8'))) missing.push(`${name}: ${one}`);
  }
  assert.deepStrictEqual(missing, []);
});

test('errors have the numbers of the system', () => {
  const { errno } = internalBinding('os');
  const uv = internalBinding('uv');
  for (const name of Object.keys(errno)) {
    if (`UV_${name}` in uv) assert.strictEqual(uv[`UV_${name}`], -errno[name], name);
  }
});
