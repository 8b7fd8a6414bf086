// Tests of the rules, with ESLint's own tester: tests/dev/eslint_test.py runs it.
import { fileURLToPath } from 'node:url';
import { RuleTester } from '../packages.mjs';
import { rondo } from './index.mjs';

const tester = new RuleTester({
  languageOptions: { sourceType: 'commonjs', parserOptions: { ecmaFeatures: { globalReturn: true } } },
});
const lib = (id) => fileURLToPath(new URL(`../../../lib/${id}.js`, import.meta.url));
const one = (code, message) => ({ code, errors: [{ message }] });
const spread = 'Spread calls a replaceable iterator; use new SafeArrayIterator()';

tester.run('primordials', rondo.rules.primordials, {
  valid: [
    'const { Boolean, ArrayPrototypePush } = primordials; ArrayPrototypePush(list, Boolean(x));',
    'const { SafeArrayIterator } = primordials; f(...new SafeArrayIterator(list)); for (const x of new SafeArrayIterator([])) x();',
    // The receiver could be an object of lib.
    'queue.push(1); queue.shift(); map.get(1); path.join("a"); stream.push(null);',
    'const a = { ...b }; const { 0: c } = d; for (const x of map) x();',
    'let list = []; list = other; list.push(1);',
    'globalThis.x = 1;',
  ],
  invalid: [
    one('Boolean(x);', 'Take Boolean from primordials'),
    one('new Map();', 'Take Map from primordials'),
    one('JSON.parse(x);', 'Take JSON from primordials'),
    one('parseInt(x);', 'Take NumberParseInt from primordials'),
    one('const { ArrayPrototypeShove } = primordials;', 'primordials has no ArrayPrototypeShove'),
    one('primordials.Nothing;', 'primordials has no Nothing'),
    one('x.startsWith("a");', 'Use StringPrototypeStartsWith'),
    one('const out = []; out.push(1);', 'Use ArrayPrototypePush'),
    one('const text = `a`; text.slice(1);', 'Use StringPrototypeSlice'),
    one('function f(...args) { g(...args); }', spread),
    one('const a = [...[1, 2]];', spread),
    one('for (const x of [1]) x();', 'for-of calls a replaceable iterator; use new SafeArrayIterator()'),
    one('for (const x of "abc") x();', 'for-of calls a replaceable iterator; use new SafeStringIterator()'),
    one('const [a] = b;', 'Destructuring calls a replaceable iterator; use { 0: first, 1: second }'),
  ],
});

const from = (id) => (test) => ({ filename: lib(id), ...(typeof test === 'string' ? { code: test } : test) });

tester.run('require', rondo.rules.require, {
  valid: [
    ...[
      'require(id);', "const { inspect } = require('internal/util/inspect');", "require('events');",
      "require('vendor/tr46');", "require('internal/trace/record');",
    ].map(from('net')),
    from('internal/trace/model')("require('internal/trace/format');"),
    from('internal/commands/trace')("require('internal/trace/report');"),
    from('internal/trace/html')("require('internal/trace/page');"),
  ],
  invalid: [
    ...[
      one("require('node:fs');", "lib names modules without 'node:'"),
      one("require('./fs');", 'lib names files by their path below lib'),
      one("require('internal/nothing');", 'lib has no internal/nothing.js'),
      one("const { ListHeap, Heap } = require('internal/timers/list_heap');",
        'internal/timers/list_heap does not export Heap'),
      one("require('internal/timers/list_heap').Heap;", 'internal/timers/list_heap does not export Heap'),
      one("require('internal/trace/report');",
        'internal/trace is required by its own files, internal/commands, internal/explore only'),
      one("require('internal/main/run_main');", 'internal/main is required by its own files only'),
    ].map(from('net')),
    from('internal/trace/model')(one("require('path');",
      "internal/trace/model is also part of the viewer's page, which has no path")),
    from('internal/explore/search')(one("require('internal/test_runner/test');",
      'internal/test_runner is required by its own files, internal/commands, test only')),
  ],
});
console.log('all rules passed');
