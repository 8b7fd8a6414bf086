// Exports of node:buffer besides Buffer.
'use strict';
const buffer = require('buffer');
const util = require('util');
const { transcode, isUtf8, isAscii, constants } = buffer;
const b = Buffer.from('hello');
function show(run) {
  let result;
  try {
    result = run();
  } catch (error) {
    result = `${error.name} ${error.code}: ${error.message}`;
  }
  console.log(String(run).slice(6), '->', result);
}
show(() => transcode('a','utf8','latin1'));
show(() => transcode(Buffer.from('€é'),'utf8','ascii'));
show(() => transcode(Buffer.from('€é'),'utf8','latin1'));
show(() => transcode(Buffer.from('€é'),'utf8','hex'));
show(() => transcode(Buffer.from('é','latin1'),'latin1','utf8'));
show(() => transcode(Buffer.from('é😀'),'utf8','ucs2'));
show(() => transcode(Buffer.from([0xff,0x41]),'utf8','ucs2'));
show(() => transcode(Buffer.from([0xff,0x41]),'ascii','utf8'));
show(() => transcode(Buffer.from([0xff,0x41,0xe2,0x82]),'utf8','latin1'));
show(() => transcode(Buffer.from([0,0xd8,0x41,0]),'ucs2','utf8'));
show(() => transcode(Buffer.from([0,0xd8,0x41,0]),'ucs2','latin1'));
show(() => transcode(Buffer.from('a'),'utf8','utf8'));
show(() => transcode(Buffer.from('a'),'nope','utf8'));
show(() => transcode(Buffer.from([1,2,3]),'ucs2','utf8'));
show(() => transcode(Buffer.alloc(0),'utf8','ucs2'));
show(() => transcode(Buffer.from('é😀'),'utf8','latin1'));
show(() => transcode(Buffer.from([0x41,0xe9]),'latin1','ucs2'));
show(() => transcode(Buffer.from([0x41,0xe9]),'latin1','ascii'));
show(() => isUtf8('a'));
show(() => isAscii([]));
show(() => isUtf8(new ArrayBuffer(2)));
show(() => constants);
show(() => Buffer.from('abc').inspect());
show(() => {const x=Buffer.from('ab');x.foo=1;return util.inspect(x)});
show(() => util.inspect(Buffer.alloc(60)));
show(() => {buffer.INSPECT_MAX_BYTES=-1});
show(() => buffer.INSPECT_MAX_BYTES);
show(() => b.parent===b.buffer);
show(() => {const x=Buffer.alloc(0);x.foo=1;x[Symbol('q')]=2;return util.inspect(x)});
show(() => {buffer.INSPECT_MAX_BYTES='a'});
