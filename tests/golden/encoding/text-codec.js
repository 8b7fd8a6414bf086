// TextEncoder and TextDecoder: labels, options, misuse.
'use strict';
const util = require('util');
function show(run) {
  let result;
  try {
    result = run();
  } catch (error) {
    result = `${error.name} ${error.code}: ${error.message}`;
  }
  console.log(String(run).slice(6), '->', result);
}
show(() => new TextDecoder('latin1').encoding);
show(() => new TextDecoder('nope'));
show(() => new TextDecoder('utf-8',5));
show(() => new TextDecoder().decode('a'));
show(() => new TextDecoder('utf-8',{fatal:true}).decode(new Uint8Array([0xff])));
show(() => new TextDecoder('utf-16le',{fatal:true}).decode(new Uint8Array([0,0xd8])));
show(() => new TextDecoder('utf-16le').decode(new Uint8Array([0,0xd8,0x41,0,0x42])).split('').map(c=>c.charCodeAt(0).toString(16)));
show(() => new TextDecoder('utf-16be').decode(new Uint8Array([0,0x41,0xfe])));
show(() => util.inspect(new TextDecoder()));
show(() => util.inspect(new TextEncoder()));
show(() => TextDecoder());
show(() => TextDecoder.prototype.encoding);
show(() => TextDecoder.prototype.decode.call({}));
show(() => new TextEncoder().encodeInto('a','b'));
show(() => new TextEncoder().encodeInto(5,new Uint8Array(2)));
show(() => new TextEncoder().encode(5));
show(() => new TextEncoder().encode());
show(() => new TextEncoder().encodeInto('a€😀',new Uint8Array(6)));
show(() => TextEncoder.prototype.encoding);
show(() => TextEncoder.prototype.encode.call({}));
show(() => new TextDecoder('utf-8',{ignoreBOM:true}).decode(new Uint8Array([0xef,0xbb,0xbf,0x41])).length);
show(() => new TextDecoder('utf-8').decode(new Uint8Array([0xef,0xbb,0xbf,0x41])).length);
show(() => new TextDecoder().decode(undefined)==='');
show(() => new TextDecoder().decode(null));
show(() => new TextDecoder('shift_jis').decode(new Uint8Array([0x82,0xa0])));
show(() => new TextDecoder('windows-1251').decode(new Uint8Array([0xcf])));
show(() => new TextDecoder('x-user-defined').encoding);
show(() => new TextDecoder('replacement').encoding);
show(() => new TextDecoder(' UTF-8 \n').encoding);
show(() => new TextDecoder('utf-8',null).fatal);
show(() => new TextDecoder('utf-16').encoding);
show(() => new TextDecoder('utf-16le').decode(new Uint8Array([0xff,0xfe,0x41,0])).length);
show(() => new TextDecoder(Symbol()));
show(() => new TextDecoder(null));
show(() => new TextDecoder().decode(new Uint8Array(1),5));
show(() => new TextDecoder('utf-8',{fatal:1}).fatal);
show(() => Object.keys(new TextDecoder()));
show(() => new TextDecoder('gbk').encoding+new TextDecoder('gb2312').encoding+new TextDecoder('iso-8859-1').encoding+new TextDecoder('ascii').encoding+new TextDecoder('koi8-r').encoding+ new TextDecoder('macintosh').encoding);
show(() => new TextDecoder('iso-8859-8-i').encoding);
show(() => new TextDecoder('koi8-u').decode(new Uint8Array([0xc1,0xa4])));
show(() => new TextDecoder('big5',{fatal:true}).decode(new Uint8Array([0xa4])));
show(() => new TextDecoder('big5').decode(new Uint8Array([0xa4,0x40,0xff])));
show(() => new TextDecoder('utf-8').decode(new SharedArrayBuffer(2)).length);
show(() => new TextDecoder().decode(new DataView(new ArrayBuffer(3),1)).length);
show(() => new TextEncoder().encodeInto('ab',new Uint16Array(2)));
show(() => new TextEncoder().encodeInto());
show(() => new TextEncoder().encode('\ud800x'));
show(() => new TextEncoder().encode(Symbol()));
show(() => {const {decode}=new TextDecoder();return decode.call(new TextDecoder(),new Uint8Array([65]))});
