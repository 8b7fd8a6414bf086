// MIMEType and MIMEParams.
const { MIMEParams, MIMEType, inspect } = require('util');

function show(fn) {
  try {
    console.log(fn());
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
const types = [
  'text/plain', 'TEXT/Plain', 'text/html;charset=utf-8', 'text/html; charset="utf-8"', 'text/html;charset="a\\"b"', 'text/html;charset=', 'text/html;;charset=x',
  'text/html;charset', 'text/html;=x', 'text/html; a=b; c="d e" ;f=g', '  text/html  ', 'text', 'text/', '/html', '', 'text/html/x', 'text /html', 'te xt/html', 'text/ht ml',
  'text/html;a=b;a=c', 'text/html;A=B', 'text/html;a="unterminated', 'text/html;a="x"junk;b=c', 'text/html;a=b c', 'text/html;a=b\u00e9', 'text/html;a="\u00e9"',
  'text/html;a="\u0100"', 'text/html;\ta=b', 'text/html;a="\\\\"', 'text/html;a=""', 'text/(html', 'application/vnd.x+json;q=0.9', 'text/html;a=b;', 'text/html ;a=b',
  'text/html;a =b', 'text/html;a= b', '*/*', 'x\u00e9/y', 'text/html;a="b;c";d=e', 'text/html;a="b\\', 'text/html;a="b\\c"', '\u212a/x', 'text/html;\u212a=x', '  te xt/html', '/', ';', '\n\r\ttext/html\n',
];
for (const type of types) {
  show(() => {
    const mime = new MIMEType(type);
    return [mime.type, mime.subtype, mime.essence, String(mime), JSON.stringify(mime), JSON.stringify([...mime.params])].join(' | ');
  });
}
for (const bad of [undefined, null, 5, {}, [], true]) show(() => new MIMEType(bad));
show(() => new MIMEType(Symbol('s')));
show(() => MIMEType('a/b'));
show(() => new MIMEType({ toString() { return 'a/b'; } }).essence);

const mime = new MIMEType('text/plain;a=b');
show(() => { mime.type = 'APPLICATION'; return String(mime); });
show(() => { mime.subtype = 'JSON'; return String(mime); });
for (const bad of ['', 'a b', 'x/y', '\u00e9']) {
  show(() => { mime.type = bad; });
  show(() => { mime.subtype = bad; });
}
show(() => { mime.params = 5; mime.essence = 'x/y'; return [mime.params === 5, mime.essence]; });
const { params } = mime;
show(() => [params.get('a'), params.get('nope'), params.has('a'), params.has('nope'), params.set('b', 'c d'), String(params)]);
for (const [name, value] of [['', 'x'], ['\u00e9', 'x'], ['x', '\u0100'], ['a b', 'x'], ['x', ''], ['y', 'a"b\\c'], ['x', 5], [5, 'x']]) {
  show(() => { params.set(name, value); return String(mime); });
}
show(() => [params.delete('x'), params.delete('nope'), [...params.keys()], [...params.values()], [...params.entries()], [...params]]);
show(() => [String(new MIMEParams()), JSON.stringify(params), inspect(mime), inspect(params), inspect(params.entries())]);
show(() => [Reflect.ownKeys(MIMEType.prototype), Reflect.ownKeys(MIMEParams.prototype), params[Symbol.iterator] === params.entries]);
