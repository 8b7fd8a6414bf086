'use strict';
const assert = require('node:assert');
const { test } = require('node:test');
const { findRepeatedFrames } = require('internal/util/inspect/repeated_frames');

const find = (text) => findRepeatedFrames([...text]);

test('nothing repeats, or too little', () => {
  for (const text of ['', 'a', 'abcdef', 'aaa', 'abab', 'abcabd']) assert.deepStrictEqual(find(text), [], text);
});

test('one frame, again and again', () => {
  assert.deepStrictEqual(find('xaaaaay'), [{ start: 2, length: 1, times: 4 }]);
});

test('a block of frames', () => {
  assert.deepStrictEqual(find('xabababy'), [{ start: 3, length: 2, times: 2 }]);
  assert.deepStrictEqual(find('abcabcabc'), [{ start: 3, length: 3, times: 2 }]);
});

test('several blocks, one after the other', () => {
  const found = find('aaaaaaxbcbcbcbc');
  assert.deepStrictEqual(found, [{ start: 1, length: 1, times: 5 }, { start: 9, length: 2, times: 3 }]);
});

test('what is found repeats the frames before it, and blocks do not overlap', () => {
  for (const text of ['abcabcabcxyxyxyxyzzzzzabcabc', 'aaaaabababab']) {
    let end = 0;
    for (const { start, length, times } of find(text)) {
      assert.ok(start - length >= end, text);
      end = start + length * times;
      assert.strictEqual(text.slice(start, end), text.slice(start - length, start).repeat(times));
    }
    assert.ok(end > 0);
  }
});

test('the end of the stack is an end', () => {
  const frames = ['main', 'f', 'f', 'f', 'f', 'f'];
  assert.deepStrictEqual(findRepeatedFrames(frames), [{ start: 2, length: 1, times: 4 }]);
});
