'use strict';
/* global describe, it, before, afterEach */
const assert = require('assert');

describe('a suite', () => {
  let made;
  before(async () => { made = await Promise.resolve([1, 2]); });
  afterEach(() => { made = made.slice(); });
  it('is synchronous', () => assert.deepStrictEqual(made, [1, 2]));
  it('is a promise', async () => { await new Promise((resolve) => setTimeout(resolve, 2)); });
  it('has a callback', (done) => setImmediate(done));
  it('fails', () => assert.strictEqual(1 + 1, 3));
  it('is too slow', function(done) { this.timeout(10); setTimeout(done, 1000).unref(); });
  it.skip('is skipped', () => {});
  it('is pending');
  describe('inside', () => it('is inside', () => {}));
});
