// StringDecoder: shape and misuse.
'use strict';
const util = require('util');
const { StringDecoder } = require('string_decoder');
function show(run) {
  let result;
  try {
    result = run();
  } catch (error) {
    result = `${error.name} ${error.code}: ${error.message}`;
  }
  console.log(String(run).slice(6), '->', result);
}
show(() => new StringDecoder('nope'));
show(() => StringDecoder('utf8'));
show(() => new StringDecoder().write(5));
show(() => new StringDecoder().write('x'));
show(() => util.inspect(new StringDecoder()));
show(() => Reflect.ownKeys(StringDecoder.prototype));
show(() => {const d=new StringDecoder();d.write(Buffer.from([0xe2,0x82]));return [d.lastChar,d.lastNeed,d.lastTotal]});
show(() => StringDecoder.prototype.write.call({},Buffer.alloc(1)));
show(() => new StringDecoder('UTF-16LE').encoding);
show(() => new StringDecoder(undefined).encoding+new StringDecoder(null).encoding+new StringDecoder('').encoding);
show(() => StringDecoder.length);
show(() => new StringDecoder(5));
show(() => new StringDecoder().end('x'));
show(() => new StringDecoder().text(Buffer.from('hello'),2));
show(() => new StringDecoder('hex').write(Buffer.from('hello')));
show(() => new StringDecoder().end(null));
show(() => new StringDecoder().write());
show(() => Object.keys(new StringDecoder()));
show(() => new StringDecoder('binary').encoding);
