'use strict';
// Exports a run as track events of Perfetto, for ui.perfetto.dev and trace_processor. A thread is a sequence of packets
// with its own interned names; flows (arrows) lead from a callback to those that it scheduled.
const { kNone, spanKinds } = require('internal/trace/model');
const { ProtobufWriter } = require('internal/trace/protobuf');
const {
  QuietPhases,
  categories,
  clockOffsets,
  detailsOf,
  nameOf,
  processName,
  threadName,
} = require('internal/trace/slices');

// Field numbers of Perfetto's messages, as far as they are used here.
const kTracePacket = 1;
const packet = { timestamp: 8, sequence: 10, trackEvent: 11, internedData: 12, sequenceFlags: 13, trackDescriptor: 60 };
const descriptor = { uuid: 1, name: 2, process: 3, thread: 4, parent: 5, counter: 8 };
const processFields = { pid: 1, commandLine: 2, name: 6 };
const threadFields = { pid: 1, tid: 2, name: 5 };
const event = {
  category: 3,
  annotation: 4,
  type: 9,
  name: 10,
  track: 11,
  counterValue: 44,
  flow: 47,
  endingFlow: 48,
};
const annotation = { name: 1, text: 17 };
const interned = { categories: 1, names: 2, annotationNames: 3, annotationTexts: 29 };
const kSliceBegin = 1;
const kSliceEnd = 2;
const kInstant = 3;
const kCounter = 4;
const kStateCleared = 1;
const kNeedsState = 2;

const kProcessTrack = 1;
const kFirstThreadTrack = 0x100;
const kFirstPoolTrack = 0x1000000;
const kFirstCounterTrack = 0x2000000;
const kFirstPoolThread = 1_000_000;
const kPiece = 1 << 20; // Bytes that are written at once.

// The callbacks and jobs that each span scheduled, as lists in one array: those of span s are items[offsets[s]] up to
// items[offsets[s + 1]]. Jobs are numbered from the last span on.
function findEffects(model) {
  const { spans, jobs } = model;
  const offsets = new Int32Array(spans.count + 2);
  const causeOf = (i) => (i < spans.count ? (model.isCallback(i) ? spans.cause[i] : kNone) :
    jobs.cause[i - spans.count]);
  const count = spans.count + jobs.count;
  for (let i = 0; i < count; i++) {
    const cause = causeOf(i);
    if (cause !== kNone) offsets[cause + 2]++;
  }
  for (let i = 2; i < offsets.length; i++) offsets[i] += offsets[i - 1];
  const items = new Int32Array(offsets[offsets.length - 1]);
  for (let i = 0; i < count; i++) {
    const cause = causeOf(i);
    if (cause !== kNone) items[offsets[cause + 1]++] = i;
  }
  return { offsets, items };
}

// Interned names of one kind and their numbers.
class Interned {
  constructor(field) {
    this.field = field;
    this.ids = new Map();
    this.news = [];
  }

  id(text) {
    let id = this.ids.get(text);
    if (id === undefined) {
      this.ids.set(text, id = this.ids.size + 1);
      this.news.push(id, text);
    }
    return id;
  }
}

// One thread's packets.
class Sequence {
  constructor(writer, model, offset, index, pool) {
    this.writer = writer;
    this.model = model;
    this.offset = offset;
    this.index = index; // Part of the ids of flows, which are global.
    this.pool = pool;
    this.track = kFirstThreadTrack + model.header.threadId;
    this.names = new Interned(interned.names);
    this.categories = new Interned(interned.categories);
    this.annotationNames = new Interned(interned.annotationNames);
    this.annotationTexts = new Interned(interned.annotationTexts);
    this.tables = [this.names, this.categories, this.annotationNames, this.annotationTexts];
    this.counters = new Map();
    this.effects = findEffects(model);
    this.hasBegun = false;
  }

  // Writes a packet with the content that `fill` writes. Interned names come first in it, so `intern` is called before.
  packet(time, type, track, intern, fill) {
    const { writer } = this;
    const names = intern === null ? null : intern();
    const start = writer.begin(kTracePacket);
    writer.varint(packet.timestamp, Math.max(0, Math.round(time + this.offset)));
    writer.varint(packet.sequence, this.index + 1);
    writer.varint(packet.sequenceFlags, this.hasBegun ? kNeedsState : kStateCleared | kNeedsState);
    this.hasBegun = true;
    this.writeNames();
    const body = writer.begin(packet.trackEvent);
    writer.varint(event.type, type);
    writer.varint(event.track, track);
    if (fill !== null) fill(names);
    writer.end(body);
    writer.end(start);
  }

  writeNames() {
    if (!this.tables.some((table) => table.news.length > 0)) return;
    const { writer } = this;
    const all = writer.begin(packet.internedData);
    for (const table of this.tables) {
      for (let i = 0; i < table.news.length; i += 2) {
        const one = writer.begin(table.field);
        writer.varint(1, table.news[i]);
        writer.text(2, table.news[i + 1]);
        writer.end(one);
      }
      table.news.length = 0;
    }
    writer.end(all);
  }

  describeTrack(uuid, fill) {
    const { writer } = this;
    const start = writer.begin(kTracePacket);
    writer.varint(packet.sequence, this.index + 1);
    const body = writer.begin(packet.trackDescriptor);
    writer.varint(descriptor.uuid, uuid);
    fill(writer);
    writer.end(body);
    writer.end(start);
  }

  describeThread(uuid, tid, name) {
    this.describeTrack(uuid, (writer) => {
      writer.varint(descriptor.parent, kProcessTrack);
      const thread = writer.begin(descriptor.thread);
      writer.varint(threadFields.pid, this.model.header.pid);
      writer.varint(threadFields.tid, tid);
      writer.text(threadFields.name, name);
      writer.end(thread);
    });
  }

  // The loop's thread has the id of the process, so that it counts as its main thread.
  describe() {
    const { pid, threadId } = this.model.header;
    this.describeThread(this.track, threadId === 0 ? pid : kFirstPoolThread / 2 + threadId, threadName(this.model));
  }

  annotate(details) {
    const { writer } = this;
    for (const { 0: name, 1: text } of details) {
      const start = writer.begin(event.annotation);
      writer.varint(annotation.name, name);
      writer.varint(annotation.text, text);
      writer.end(start);
    }
  }

  flow(field, effect) {
    this.writer.fixed64(field, effect + 1, this.index);
  }

  beginSlice(span) {
    const { model } = this;
    const isCallback = model.isCallback(span);
    this.packet(model.spans.start[span], kSliceBegin, this.track, () => ({
      name: this.names.id(nameOf(model, span)),
      category: this.categories.id(categories[model.spans.kind[span]]),
      details: isCallback ? detailsOf(model, span).map(({ 0: name, 1: text }) =>
        [this.annotationNames.id(name), this.annotationTexts.id(text)]) : [],
    }), ({ name, category, details }) => {
      const { writer, effects } = this;
      writer.varint(event.category, category);
      writer.varint(event.name, name);
      this.annotate(details);
      for (let i = effects.offsets[span]; i < effects.offsets[span + 1]; i++) this.flow(event.flow, effects.items[i]);
      if (isCallback && model.spans.cause[span] !== kNone) this.flow(event.endingFlow, span);
    });
  }

  endSlice(time) {
    this.packet(time, kSliceEnd, this.track, null, null);
  }

  // Something that lasts, on a track, with nothing inside.
  simpleSlice(track, name, category, start, end, effect = kNone) {
    this.packet(start, kSliceBegin, track,
      () => ({ name: this.names.id(name), category: this.categories.id(category) }),
      (ids) => {
        this.writer.varint(event.category, ids.category);
        this.writer.varint(event.name, ids.name);
        if (effect !== kNone) this.flow(event.endingFlow, effect);
      });
    this.packet(end, kSliceEnd, track, null, null);
  }

  // Begins and ends in the order of time; the sleeps of poll among them.
  *slices() {
    const { model } = this;
    const { spans, sleeps } = model;
    const open = [];
    let sleep = 0;
    const sleepUntil = (time) => {
      while (sleep < sleeps.count && sleeps.end[sleep] <= time) {
        this.simpleSlice(this.track, 'asleep', 'sleep', sleeps.start[sleep], sleeps.end[sleep]);
        sleep++;
      }
    };
    const quiet = new QuietPhases(model, (name, start, end) => this.simpleSlice(this.track, name, 'phase', start, end));
    const endInnermost = () => {
      const span = open.pop();
      sleepUntil(spans.end[span]);
      if (spans.kind[span] === spanKinds.turn) quiet.endTurn();
      this.endSlice(spans.end[span]);
    };
    for (let span = 0; span < spans.count; span++) {
      while (open.length > 0 && open[open.length - 1] !== spans.parent[span]) endInnermost();
      sleepUntil(spans.start[span]);
      quiet.begin(span);
      this.beginSlice(span);
      open.push(span);
      yield;
    }
    while (open.length > 0) endInnermost();
    sleepUntil(Infinity);
  }

  *others() {
    const { model, writer } = this;
    const { jobs, gauges, blocked, names, spans } = model;
    for (let job = 0; job < jobs.count; job++) {
      if (!(jobs.finished[job] >= jobs.started[job])) continue;
      const worker = Number.isInteger(jobs.worker[job]) && jobs.worker[job] >= 0 ? jobs.worker[job] % 0x10000 : 0;
      const track = kFirstPoolTrack + worker;
      if (!this.pool.has(worker)) {
        this.pool.add(worker);
        this.describeThread(track, kFirstPoolThread + worker, `pool worker ${worker}`);
      }
      this.simpleSlice(track, names.text(jobs.name[job]) || 'job', 'pool', jobs.started[job], jobs.finished[job],
        jobs.cause[job] === kNone ? kNone : spans.count + job);
      yield;
    }
    for (let i = 0; i < gauges.count; i++) {
      const record = gauges.record[i];
      const value = model.value(record);
      if (!Number.isFinite(value)) continue;
      this.packet(model.time(record), kCounter, this.counterTrack(names.text(model.name(record))), null,
        () => writer.double(event.counterValue, value));
      yield;
    }
    for (let i = 0; i < blocked.count; i++) {
      const stack = names.stack(model.name(blocked.record[i])).map((place) =>
        `${place.functionName} ${place.file}:${place.line}`);
      this.packet(model.time(blocked.record[i]), kInstant, this.track, () => ({
        name: this.names.id('blocked'),
        details: [[this.annotationNames.id('stack'), this.annotationTexts.id(stack.join('\n'))]],
      }), (ids) => {
        writer.varint(event.name, ids.name);
        this.annotate(ids.details);
      });
    }
  }

  counterTrack(name) {
    let track = this.counters.get(name);
    if (track === undefined) {
      track = kFirstCounterTrack + this.index * 0x10000 + this.counters.size;
      this.counters.set(name, track);
      this.describeTrack(track, (writer) => {
        writer.varint(descriptor.parent, this.track);
        writer.text(descriptor.name, name);
        writer.end(writer.begin(descriptor.counter));
      });
    }
    return track;
  }
}

// The file, piece by piece.
function* perfettoPieces(models) {
  const writer = new ProtobufWriter();
  const pool = new Set();
  const offsets = clockOffsets(models);
  const sequences = models.map((model, i) => new Sequence(writer, model, offsets[i], i, pool));
  const { header } = models[0];
  sequences[0].describeTrack(kProcessTrack, () => {
    const start = writer.begin(descriptor.process);
    writer.varint(processFields.pid, header.pid);
    for (const word of header.commandLine) writer.text(processFields.commandLine, word);
    writer.text(processFields.name, processName(models[0]));
    writer.end(start);
  });
  for (const sequence of sequences) {
    sequence.describe();
    for (const part of [sequence.slices(), sequence.others()]) {
      while (!part.next().done) {
        if (writer.size >= kPiece) yield writer.take();
      }
    }
  }
  yield writer.take();
}

module.exports = { perfettoPieces };
