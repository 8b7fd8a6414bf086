// structuredClone: what is copied, moved and refused.
'use strict';
const sc = structuredClone;
function show(run) {
  let result;
  try {
    result = run();
  } catch (error) {
    result = `${error.name} ${error.code}: ${error.message}`;
  }
  console.log(String(run).slice(6), '->', result);
}
show(() => sc());
show(() => sc(undefined));
show(() => sc({a:[1,new Date(5),/x/g,new Map([[1,2]]),new Set([3]),10n,null,undefined,NaN,-0]}));
show(() => sc(Symbol('x')));
show(() => sc({f(){}}));
show(() => {const a=new ArrayBuffer(4);const r=sc({a},{transfer:[a]});return [r.a.byteLength,a.byteLength]});
show(() => {const a=new ArrayBuffer(4);return sc(a,{transfer:[a,a]})});
show(() => sc(1,{transfer:[{}]}));
show(() => sc(1,5));
show(() => sc(1,null));
show(() => sc(1,{transfer:5}));
show(() => {const a=new ArrayBuffer(4);sc(a,{transfer:[a]});return sc(a,{transfer:[a]})});
show(() => sc(new Error('x',{cause:5})).message);
show(() => sc(new TypeError('y')) instanceof TypeError);
show(() => {const o={};o.o=o;const c=sc(o);return c.o===c});
show(() => sc(Buffer.from('abc')));
show(() => sc(new WeakMap()));
show(() => sc(new Promise(()=>{})));
show(() => sc(new (class A{x=1})));
show(() => sc(Object.create({p:1},{q:{value:1,enumerable:true}})));
show(() => String(sc(new DOMException('a','AbortError'))));
show(() => sc(Object.create(DOMException.prototype)));
show(() => sc(Object.create(URL.prototype)));
show(() => sc({u:new URLSearchParams('a=1')}));
show(() => sc(new SharedArrayBuffer(4)).byteLength);
show(() => sc(new Boolean(true)));
show(() => sc({get x(){throw new Error('getter')}}));
show(() => structuredClone.length+structuredClone.name);
show(() => {class E extends Error{};const e=sc(new E('q'));return [e.name,e.constructor.name]});
show(() => sc(new Proxy({},{})));
show(() => sc(1,{transfer:null}));
show(() => sc(new Uint8Array([1,2])).buffer.byteLength);
show(() => sc([1,,3]));
show(() => {const a=new Uint8Array(8).subarray(2,4);const c=sc(a);return [c.buffer.byteLength,c.byteOffset]});
show(() => sc(new URL('http://a')));
show(() => sc(Object(1n)));
show(() => sc(1,{transfer:[1]}));
show(() => sc(new AbortController().signal));
show(() => sc(new Event('x')));
show(() => sc(function foo(){}));
show(() => sc((function(){return arguments})(1,2)));
show(() => sc(1,{transfer:[new SharedArrayBuffer(2)]}));
show(() => sc(1,2,3));
show(() => sc(1,()=>{}));
show(() => sc(new Uint8Array(2),{transfer:[new Uint8Array(2)]}));
show(() => {const b=Buffer.from('abc');return sc(1,{transfer:[b.buffer]})});
