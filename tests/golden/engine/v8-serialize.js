'use strict';
// Serializing as V8 does, byte for byte as Node, and statistics of the engine's heap.
const v8 = require('v8'); const util=require('util');
const t=(n,f)=>{try{console.log(n,f())}catch(e){console.log(n,e.name,e.code,e.message)}};
const cyc={a:1};cyc.self=cyc;
for (const v of [1,'x',null,undefined,{a:[1,{b:new Date(0)}]},new Map([[1,new Set([2])]]),Buffer.from('abc'),new Uint16Array([1,2]),new DataView(new ArrayBuffer(3)),10n**20n,/x/g,cyc,new Error('boom').message,[,1],new ArrayBuffer(2), new Float64Array(2)]) t('rt',()=>{const s=v8.serialize(v);return [s.toString('hex'),v8.deserialize(s)]});
t('fn',()=>v8.serialize(()=>{}));
t('sym',()=>v8.serialize(Symbol('x')));
t('bad',()=>v8.deserialize(Buffer.from('00','hex')));
t('bad2',()=>v8.deserialize(Buffer.from('ff0f','hex')));
t('bad3',()=>v8.deserialize('x'));
t('trunc',()=>v8.deserialize(v8.serialize({a:'hello'}).subarray(0,8)));
const s=new v8.Serializer(); t('h',()=>s.writeHeader()); t('w',()=>s.writeValue(5)); t('u',()=>s.writeUint32(300)); t('u64',()=>s.writeUint64(1,2)); t('d',()=>s.writeDouble(1.5)); t('r',()=>s.writeRawBytes(Buffer.from('zz'))); const b=s.releaseBuffer(); console.log(b);
const d=new v8.Deserializer(b); t('rh',()=>d.readHeader()); t('rv',()=>d.readValue()); t('ru',()=>d.readUint32()); t('r64',()=>d.readUint64()); t('rd',()=>d.readDouble()); t('rr',()=>d.readRawBytes(2)); t('rr',()=>d.readRawBytes(2)); t('ru',()=>d.readUint32()); t('wf',()=>d.getWireFormatVersion()); console.log(d.buffer===b);
t('no new',()=>v8.Serializer()); t('no buf',()=>new v8.Deserializer(5));
const s2=new v8.Serializer(); t('view',()=>s2.writeValue(new Uint8Array(2))); console.log(s2.releaseBuffer());
class S extends v8.Serializer{ _writeHostObject(o){ this.writeUint32(7); } _getDataCloneError(m){ return new RangeError('no: '+m);} }
const s3=new S(); s3._setTreatArrayBufferViewsAsHostObjects?.(true); s3.setTreatArrayBufferViewsAsHostObjects?.(true);
t('fn',()=>s3.writeValue(()=>{}));
const s4=new S(); s4.writeHeader(); s4._setTreatArrayBufferViewsAsHostObjects(true); t('host',()=>s4.writeValue([new Uint8Array(1)])); const b4=s4.releaseBuffer(); console.log(b4);
class D extends v8.Deserializer{ _readHostObject(){ return {host:this.readUint32()} } }
const d4=new D(b4); d4.readHeader(); t('hostr',()=>d4.readValue());
const ab=new ArrayBuffer(4); const s5=new v8.Serializer(); s5.transferArrayBuffer(1,ab); s5.writeHeader(); s5.writeValue({ab}); const d5=new v8.Deserializer(s5.releaseBuffer()); d5.transferArrayBuffer(1,ab); d5.readHeader(); t('tr',()=>d5.readValue().ab===ab);
console.log(Object.keys(v8.getHeapStatistics()).join(), Object.keys(v8.getHeapCodeStatistics()).join(), Object.keys(v8.getHeapSpaceStatistics()[0]).join());
t('flags',()=>v8.setFlagsFromString(5)); t('flags',()=>v8.setFlagsFromString('--stack-size=900'));
console.log(typeof v8.cachedDataVersionTag());
console.log(!!v8.startupSnapshot.isBuildingSnapshot()); t('ss',()=>v8.startupSnapshot.addSerializeCallback(()=>{}));
t('tc',()=>v8.takeCoverage()); t('sc',()=>v8.stopCoverage());
const fs=require('fs');process.chdir(require('os').tmpdir());const f=v8.writeHeapSnapshot('x.heapsnapshot');console.log(f,JSON.parse(fs.readFileSync(f,'utf8')).snapshot.meta.node_types[0].length>5);fs.unlinkSync(f);
t('wh',()=>v8.writeHeapSnapshot(5));
