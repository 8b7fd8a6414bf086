// Deep equality of values that contain themselves.
const {isDeepStrictEqual:eq}=require('util'); const assert=require('assert');
function t(n,a,b){ let l; try{assert.deepEqual(a,b);l=true}catch{l=false} let p; try{assert.partialDeepStrictEqual(a,b);p=true}catch{p=false} console.log(n,eq(a,b),eq(b,a),l,p);}
{const a={};a.a=a;const b={a:{}};b.a.a=a;t(1,a,b)}
{const a={};a.a=a;const b={};b.a=b;t(2,a,b);const c={a};t(3,b,c)}
{const a={};a.a=a;const b={};b.a={a:b};t(4,a,b)}
{const a=new Set();a.add(a);const b=new Set();b.add(b);const c=new Set([a]);t(5,b,c);t(6,a,b)}
{const s={x:1};t(7,[s,s],[{x:1},{x:1}]);t(8,{a:{b:s},c:s},{a:{b:{x:1}},c:{x:1}})}
{const a={n:{}};a.n.p=a;const b={n:{}};b.n.p=b;t(9,a,b);const c={n:{p:a}};t(10,a,c);t(11,c,a)}
{const a=[];a[0]=a;const b=[];b[0]=b;t(12,a,b);t(13,[a,a],[b,b]);t(14,[a],[b]);t(15,[[a]],[[b]]);t(16,[a],a)}
{const a={};const b={};a.x=b;b.x=a;t(17,a,b);const c={};c.x={x:c};t(18,a,c)}
{const a={};a.r={d:{e:a}};const b={};b.r={d:{e:b}};t(19,a,b);const c={};c.r={d:{e:c.r}};t(20,a,c);t(21,c,c)}
{const a={x:{}};a.x.y=a.x;const b={x:{}};b.x.y={y:b.x};t(22,a,b)}
{const m=new Map();m.set('k',m);const n=new Map();n.set('k',n);t(23,m,n);t(24,m,new Map([['k',m]]))}
{const a={};a.a=a;const b={a:{}};b.a.a=a;t(25,a,b)}
