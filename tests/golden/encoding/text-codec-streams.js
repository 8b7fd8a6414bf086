// Decoding in parts, byte order marks, and the encodings of the past.
'use strict';
function show(run) {
  let result;
  try {
    result = run();
  } catch (error) {
    result = `${error.name} ${error.code}: ${error.message}`;
  }
  console.log(String(run).slice(6), '->', result);
}
show(() => {const d=new TextDecoder();return [d.decode(new Uint8Array([0xef]),{stream:true}),d.decode(new Uint8Array([0xbb,0xbf,0x41]),{stream:true}),d.decode(new Uint8Array([0xef,0xbb,0xbf]),{stream:true}).length,d.decode()]});
show(() => {const d=new TextDecoder('utf-8',{fatal:true});try{d.decode(new Uint8Array([0xe2,0x82]),{stream:true});d.decode(new Uint8Array([0x41]),{stream:true})}catch(e){console.log(e.message,e.errno)};return d.decode(new Uint8Array([0x41]))});
show(() => {const d=new TextDecoder('utf-8');d.decode(new Uint8Array([0xe2,0x82]),{stream:true});return d.decode()});
show(() => {const d=new TextDecoder('big5');return d.decode(new Uint8Array([0xa4]),{stream:true})+'|'+d.decode(new Uint8Array([0x40]),{stream:true})+d.decode()});
show(() => {const d=new TextDecoder('utf-8');d.decode(new Uint8Array(1),{stream:true});return d.decode('a')});
show(() => {const d=new TextDecoder('utf-16le');return [d.decode(new Uint8Array([0x3d]),{stream:true}),d.decode(new Uint8Array([0xd8,0]),{stream:true}),d.decode(new Uint8Array([0xde]),{stream:true}),d.decode()]});
show(() => {const d=new TextDecoder('utf-16le',{fatal:true});return [d.decode(new Uint8Array([0x3d]))]});
show(() => {const d=new TextDecoder('utf-16le');d.decode(new Uint8Array([0xff]),{stream:true});return d.decode(new Uint8Array([0xfe,65,0])).length});
show(() => new TextDecoder('utf-16le').decode('a'));
show(() => new TextDecoder('utf-16le').decode(new Uint8Array(2),5));
show(() => new TextDecoder('utf-8',{fatal:true}).decode('a'));
show(() => new TextDecoder('utf-8').decode('a',{stream:true}));
show(() => new TextDecoder('utf-8').decode(new Uint8Array([65]),null));
show(() => new TextDecoder('big5').decode(new Uint8Array(2),5));
show(() => [...new TextDecoder('utf-16le').decode(new Uint8Array([0x3d,0xd8,0,0xde,0,0xdc]))].map(c=>c.codePointAt(0).toString(16)));
show(() => new TextDecoder('utf-16be',{ignoreBOM:true}).decode(new Uint8Array([0xfe,0xff,0,65])).length);
show(() => new TextDecoder('iso-2022-jp').decode(new Uint8Array([0x1b,0x24,0x42,0x24,0x22,0x1b,0x28,0x42,0x41])));
show(() => new TextDecoder('gbk').decode(new Uint8Array([0x80,0xff,0xc4,0xe3])));
show(() => new TextDecoder('euc-kr').decode(new Uint8Array([0xb0,0xa1,0xff,0x41])));
show(() => new TextDecoder('windows-874').decode(new Uint8Array([0xdb,0xa1,0x81])));
show(() => new TextDecoder('windows-1255',{fatal:true}).decode(new Uint8Array([0xd9])));
show(() => new TextDecoder('shift_jis').decode(new Uint8Array([0x82,0x41,0x5c,0x7e,0xa0,0xfd])));
show(() => new TextDecoder('shift_jis').decode(new Uint8Array([0x82])));
show(() => new TextDecoder('gb18030').decode(new Uint8Array([0x81,0x30,0x81,0x30])));
for (const name of ['windows-1250', 'windows-1251', 'windows-1253', 'koi8-r', 'macintosh', 'ibm866', 'iso-8859-15',
  'x-mac-cyrillic', 'iso-8859-8-i', 'windows-1258', 'iso-8859-6']) {
  console.log(name, JSON.stringify(new TextDecoder(name).decode(Uint8Array.from({ length: 128 }, (_, i) => i + 128))));
}
