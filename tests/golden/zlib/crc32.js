'use strict';
const { crc32 } = require('node:zlib');

console.log(crc32(''), crc32('a'), crc32('hello world'), crc32('hello world', 5), crc32('ä€😀\ud800'), crc32(Buffer.from('ä€😀')));
console.log(crc32(new Uint16Array([1, 2, 65535])), crc32(new DataView(new ArrayBuffer(3), 1)), crc32(new Uint8Array(0), 7));
console.log(crc32('world', crc32('hello ')), crc32('', 4294967295), crc32(Buffer.alloc(0), 4294967295), crc32('a', -0));
console.log(crc32(Buffer.alloc(1e6, 'abc')), crc32('x'.repeat(1e5)), crc32(`ü${'y'.repeat(5000)}`));
console.log(crc32(new Uint8Array(new SharedArrayBuffer(4)).fill(9)));
