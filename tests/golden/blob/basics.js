// Blob and File: shape, options, misuse.
'use strict';
const util = require('util');
const { Blob, File, resolveObjectURL } = require('buffer');
function show(run) {
  let result;
  try {
    result = run();
  } catch (error) {
    result = `${error.name} ${error.code}: ${error.message}`;
  }
  console.log(String(run).slice(6), '->', result);
}
show(() => new Blob());
show(() => new Blob(['abc',Buffer.from('d'),new Blob(['e']),new ArrayBuffer(2)],{type:'Text/Plain'}));
show(() => new Blob('abc'));
show(() => new Blob(5));
show(() => new Blob([],{endings:'x'}));
show(() => new Blob(['a\r\nb\nc'],{endings:'native'}).size);
show(() => new Blob([],5));
show(() => new Blob([],null).type);
show(() => new Blob([],{type:'\u00e9'}).type);
show(() => new Blob([5,null,{}]).size);
show(() => new Blob(['hello']).slice(3,1).size);
show(() => new Blob(['hello']).slice(1,2,'Foo').type);
show(() => Blob());
show(() => Blob.prototype.size);
show(() => Blob.prototype.slice.call({}));
show(() => new File(['a'],'n.txt',{type:'a/b',lastModified:5}));
show(() => new File(['a']));
show(() => new File());
show(() => new File(['a'],5).name);
show(() => new File(['a'],'x',{lastModified:'7'}).lastModified);
show(() => new File(['a'],'x',{lastModified:NaN}).lastModified);
show(() => new Blob(new Set(['a','b'])).size);
show(() => Object.prototype.toString.call(new Blob())+Object.prototype.toString.call(new File([],'')));
show(() => new Blob({[Symbol.iterator]:5}));
show(() => new Blob(new Uint8Array([1,2])).size);
show(() => new Blob([],{type:'a'.repeat(3)+'\x7f'}).type);
show(() => new Blob([new DataView(new ArrayBuffer(4),1,2)]).size);
show(() => new Blob(undefined).size);
show(() => new Blob(null));
show(() => util.inspect(new File([],'q',{lastModified:1})));
show(() => util.inspect({a:{b:{c:new Blob()}}}));
show(() => Object.getOwnPropertyDescriptor(File.prototype,'name').get.call({}));
show(() => new Blob(['a'],{type:5}).type);
show(() => new File(['a'],'x',{lastModified:1.9}).lastModified);
show(() => new File('a','b'));
show(() => new Blob(['a'],()=>{}).type);
show(() => new Blob([Symbol()]));

(async () => {
  console.log(await new Blob(['h\u00e9llo', Buffer.from('!'), new Blob(['?'])]).text());
  console.log(await new Blob(['h\u00e9llo']).arrayBuffer());
  console.log(await new Blob(['\ufeffmark']).text());
  for (const [start, end] of [[1, -1], [-3], [3, 1], [0, 100], [-100, 2], [2], []]) {
    console.log(start, end, JSON.stringify(await new Blob(['he', 'l', 'lo']).slice(start, end).text()));
  }
  const source = new Uint8Array([65, 66]);
  const blob = new Blob([source]);
  source[0] = 90;
  console.log(await blob.text());
  for (const parts of [['h\u00e9ll', 'o'], [], [new Uint8Array([0xe2, 0x82]), new Uint8Array([0xac, 0xff])], [new Uint8Array([0xef, 0xbb, 0xbf, 65])]]) {
    let text = '';
    for await (const chunk of new Blob(parts).textStream()) text += chunk;
    console.log(JSON.stringify(text));
  }
  try {
    Blob.prototype.textStream.call({});
  } catch (error) {
    console.log(error.code, error.message);
  }
  for (const method of ['text', 'arrayBuffer']) {
    await Blob.prototype[method].call({}).catch((error) => console.log(method, error.code, error.message));
  }
})();
