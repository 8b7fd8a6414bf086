// Search and comparison, at every kind of offset.
'use strict';
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
show(() => Buffer.compare(1,b));
show(() => Buffer.compare(b,'a'));
show(() => b.compare('a'));
show(() => b.compare(b,-1));
show(() => b.compare(b,0,10));
show(() => b.compare(b,6));
show(() => b.compare(b,0,5,-1));
show(() => b.compare(b,0,5,0,6));
show(() => b.compare(b,3,2));
show(() => b.compare(b,'1'));
show(() => b.compare(b,0,0));
show(() => b.compare(b,0,5,5,2));
show(() => b.compare(b,1.5));
show(() => b.equals('x'));
show(() => b.compare(b, 100, 5));
show(() => b.compare(b,0,5,100));
show(() => b.indexOf());
show(() => b.indexOf({}));
show(() => b.indexOf(''));
show(() => b.indexOf('',10));
show(() => b.lastIndexOf(''));
show(() => b.indexOf('l',-2));
show(() => b.lastIndexOf('l',-3));
show(() => b.indexOf('l','latin1'));
show(() => b.indexOf('l',0,'nope'));
show(() => b.indexOf(108.9));
show(() => b.indexOf(-148));
show(() => b.indexOf(null));
show(() => b.indexOf('l',{}));
show(() => b.lastIndexOf('l',undefined));
show(() => b.lastIndexOf('l',null));
show(() => b.lastIndexOf('l',NaN));
show(() => b.indexOf('6c','hex'));
show(() => b.includes('lo'));
show(() => b.indexOf('l',0,5));
show(() => b.indexOf(new Uint16Array(1)));
show(() => b.lastIndexOf('',2));
show(() => b.indexOf(NaN));
show(() => b.indexOf('', -1));
show(() => b.lastIndexOf('',-100));
show(() => b.lastIndexOf('',100));
show(() => b.indexOf('l',Infinity));
show(() => b.lastIndexOf('l',-Infinity));
show(() => b.indexOf('l','2'));
