'use strict';
// Profiles, and questions about strings and objects.
const v8 = require('node:v8');
const tried = (fn) => { try { console.log(fn()); } catch (error) { console.log(error.name, error.code, error.message); } };

// The first sample is taken at the start.
function starts() {
  return v8.startCpuProfile({ sampleInterval: 1 });
}
const handle = starts();
const profile = JSON.parse(handle.stop());
console.log(Object.keys(profile), profile.samples.length === profile.timeDeltas.length, profile.nodes[0].callFrame.functionName,
            profile.nodes.some((node) => node.callFrame.functionName === 'starts'), handle.stop());
const many = [];
tried(() => { for (;;) many.push(v8.startCpuProfile()); });
console.log(many.length, many.every((one) => typeof one.stop() === 'string'));
for (const options of [5, { sampleInterval: -1 }, { sampleInterval: 'x' }, { maxBufferSize: 0 }]) tried(() => v8.startCpuProfile(options));
{
  using one = v8.startCpuProfile();
  console.log(one.constructor.name);
}

const heap = v8.startHeapProfile({ sampleInterval: 1024, stackDepth: 4, forceGC: true, includeObjectsCollectedByMinorGC: true });
tried(() => v8.startHeapProfile());
const kept = [];
for (let i = 0; i < 1e4; i++) kept.push(new Array(20).fill(i));
const { samples, head } = JSON.parse(heap.stop());
console.log(samples.length > 0, Object.keys(samples[0]), Object.keys(head), Object.keys(head.callFrame), head.callFrame.functionName, heap.stop());
for (const options of [5, { sampleInterval: 0 }, { stackDepth: -1 }, { forceGC: 1 }]) tried(() => v8.startHeapProfile(options));

const collector = new v8.GCProfiler();
console.log(collector.stop(), collector.start(), collector.start());
globalThis.gc();
const { version, startTime, statistics, endTime } = collector.stop();
const [first] = statistics;
console.log(version, startTime <= endTime, first.gcType, Object.keys(first), first.cost > 0, Object.keys(first.beforeGC),
            Object.keys(first.afterGC.heapStatistics).join(), Object.keys(first.afterGC.heapSpaceStatistics[0]).join(), collector.stop());

console.log(['a', 'é', '€', ''].map(v8.isStringOneByteRepresentation));
tried(() => v8.isStringOneByteRepresentation(5));
class Kind {}
class Sub extends Kind {}
const objects = [new Kind(), new Sub()];
console.log(objects.length, v8.queryObjects(Sub), v8.queryObjects(Sub, { format: 'summary' }));
tried(() => v8.queryObjects(5));
tried(() => v8.queryObjects(Kind, { format: 'x' }));
tried(() => v8.getCppHeapStatistics('x'));
console.log(Object.keys(v8.getCppHeapStatistics('brief')).join(), v8.getHeapStatistics().total_allocated_bytes > 0);
// Profiles that are not stopped end with the process.
v8.startCpuProfile({ sampleInterval: 0.1 });
v8.startHeapProfile();
collector.start();
