'use strict';
// The reporter is elsewhere: what is seen here is the order in which functions run.
const { spawnSync } = require('child_process');
if (process.argv[2] !== 'child') {
  const options = ['--test-reporter=tap', '--test-reporter-destination=stderr'];
  const { stdout, status } = spawnSync(process.execPath, [...options, __filename, 'child'], { encoding: 'utf8' });
  console.log(stdout, status);
} else {
const {test,describe,it,before,after,beforeEach,afterEach}=require('node:test');
console.log('start');
before(()=>console.log('root before'));after(()=>console.log('root after'));
beforeEach((t)=>console.log('root beforeEach',t&&t.name, t&&t.constructor.name));afterEach((t)=>console.log('root afterEach',t&&t.name));
const p=test('a',async (t)=>{console.log('a runs',t.name,t.fullName,t.signal.aborted);
 t.before(()=>console.log('a before'));t.after(()=>console.log('a after'));t.beforeEach((s)=>console.log('a beforeEach',s.name,s.fullName));t.afterEach((s)=>console.log('a afterEach',s.name));
 const r=t.test('a1',()=>console.log('a1 runs'));console.log('a1 called');console.log(await r);
 await t.test('a2',async()=>{await 1;console.log('a2 runs')});
 console.log(Object.keys(t.assert));
});
console.log('after test()',p instanceof Promise);
p.then((v)=>console.log('a resolved',v));
const q=describe('d',(c)=>{console.log('d body',c.name, c.fullName);before((c)=>console.log('d before',c&&c.name));beforeEach((c)=>console.log('d beforeEach',c.name));
 it('d1',()=>console.log('d1 runs'));console.log('d1 declared');afterEach(()=>console.log('d afterEach'));after(()=>console.log('d after'));
 describe('e',()=>{console.log('e body');it('e1',(t)=>{console.log('e1 runs',t.fullName)})});
 });
console.log('after describe',q instanceof Promise);
Promise.resolve(q).then((v)=>console.log('d resolved',v));
test('z',()=>console.log('z runs'));
process.nextTick(()=>console.log('tick'));setImmediate(()=>console.log('immediate'));

}
