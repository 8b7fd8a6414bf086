'use strict';
// The modules of the runtime must not load async_hooks: a program pays for async ids only if it uses them. In a child,
// because node:test itself uses async_hooks.

const { test } = require('node:test');
const assert = require('node:assert');
const { execFileSync } = require('node:child_process');
const { builtinModules } = require('node:module');

// These use async_hooks, AsyncLocalStorage or AsyncResource as their documentation says.
const users = ['async_hooks', 'domain', 'test', 'test/reporters'];

test('only async_hooks, domain and node:test turn async ids on', () => {
  const names = builtinModules.filter((name) => !name.startsWith('_') && !users.includes(name.replace('node:', '')));
  assert.ok(names.includes('http') && names.includes('http2'));
  const program = `
    const { hooks } = require('internal/async_hooks');
    for (const name of ${JSON.stringify(names)}) {
      require(name);
      if (hooks.tracksIds) throw new Error(name + ' turns async ids on');
    }`;
  execFileSync(process.execPath, ['--expose-internals', '-e', program], { stdio: 'pipe' });
});
