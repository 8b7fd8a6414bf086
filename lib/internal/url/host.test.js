'use strict';
const assert = require('node:assert');
const { test } = require('node:test');
const { endsInNumber, parseHost, parseIPv4 } = require('internal/url/host');

test('IPv4 addresses in all their spellings', () => {
  for (const [text, address] of [
    ['127.0.0.1', '127.0.0.1'], ['127.1', '127.0.0.1'], ['2130706433', '127.0.0.1'], ['0x7f.1', '127.0.0.1'],
    ['0177.0.0.01', '127.0.0.1'], ['0', '0.0.0.0'], ['0x', '0.0.0.0'], ['4294967295', '255.255.255.255'],
    ['1.2.3.4.', '1.2.3.4'],
    ['255.255.65535', '255.255.255.255'], ['128.0.0.0', '128.0.0.0'], ['200.16777215', '200.255.255.255'],
    ['4294967296', null], ['256.0.0.1', null], ['1.2.3.256', null], ['1.2.65536', null], ['1.2.3.4.5', null],
    ['1..2', null],
    ['09', null], ['0x1g', null], ['', null], ['1.2.3.4..', null],
  ]) assert.strictEqual(parseIPv4(text), address, text);
});

test('a host whose last label is a number is an address or an error', () => {
  for (const text of ['1', 'a.1', 'a.0x', 'a.0xff', 'a.1.', '09']) assert.ok(endsInNumber(text), text);
  for (const text of ['a', '1.a', 'a.1b', 'a.', 'a.0xg', '1..', '-1']) assert.ok(!endsInNumber(text), text);
});

test('IPv6 addresses are compressed at the first longest run of zeros', () => {
  for (const [text, address] of [
    ['[::]', '[::]'], ['[::1]', '[::1]'], ['[1:0:0:2:0:0:0:3]', '[1:0:0:2::3]'],
    ['[1:0:0:2:3:0:0:4]', '[1::2:3:0:0:4]'],
    ['[1:0:2:3:4:5:6:7]', '[1:0:2:3:4:5:6:7]'], ['[::ffff:1.2.3.4]', '[::ffff:102:304]'], ['[ABCD::]', '[abcd::]'],
    ['[1:2:3:4:5:6:7::]', '[1:2:3:4:5:6:7:0]'],
  ]) assert.strictEqual(`${parseHost(text, true)}`, address, text);
  for (const text of ['[', '[]', '[:1]', '[1:2]', '[::1::]', '[1:2:3:4:5:6:7:8:9]', '[::1.2.3]', '[::01.2.3.4]',
    '[12345::]']) {
    assert.strictEqual(parseHost(text, true), null, text);
  }
});
