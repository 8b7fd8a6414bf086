'use strict';
// Every rule that users see is a promise of docs/BEHAVIOURS.md, and every rule can be reached.
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { rules, nameRule, ruleOf } = require('internal/trace/rules');

const promises = fs.readFileSync(path.join(__dirname, '../../../docs/BEHAVIOURS.md'), 'utf8');
const known = new Set(Array.from(promises.matchAll(/^\| ([A-Z]{2,}-[0-9]{2}) \|/gm), (match) => match[1]));
assert.ok(known.size > 40);
for (const [name, [id, text]] of Object.entries(rules)) {
  assert.ok(known.has(id), `${name} names ${id}, which is no promise`);
  assert.match(text, /^[A-Z].*\.$/, name);
}

const reached = new Set();
const phases = ['none', 'timers', 'pending', 'idle', 'prepare', 'poll', 'check', 'closing'];
for (const kind of ['main', 'tick', 'microtask', 'callback']) {
  for (const phase of phases) {
    for (const causeKind of ['', 'main', 'tick', 'microtask', 'callback']) {
      for (const causePhase of ['', ...phases]) {
        for (const late of [NaN, 0, 5e6]) {
          for (let bits = 0; bits < 2048; bits++) {
            const facts = {
              kind,
              phase,
              what: '',
              causeKind,
              causePhase,
              late,
              isSameTurn: (bits & 1) !== 0,
              isInterval: (bits & 2) !== 0,
              isOfPool: (bits & 4) !== 0,
              isMessage: (bits & 8) !== 0,
              isSocket: (bits & 16) !== 0,
              hasSlept: (bits & 32) !== 0,
              isPerPhase: (bits & 64) !== 0,
              isShort: (bits & 128) !== 0,
              isNested: (bits & 256) !== 0,
              wokeLate: (bits & 512) !== 0,
              isDatagram: (bits & 1024) !== 0,
            };
            const name = nameRule(facts);
            assert.ok(name in rules, name);
            if (!reached.has(name)) assert.deepStrictEqual(ruleOf(facts), { id: rules[name][0], text: rules[name][1] });
            reached.add(name);
          }
        }
      }
    }
  }
}
assert.deepStrictEqual(Object.keys(rules).filter((name) => !reached.has(name)), []);
