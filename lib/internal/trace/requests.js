'use strict';
// HTTP requests of a model: which callbacks each of them caused, and what its time went into. Like model it uses only
// the language, because the viewer's page includes it.
const { kRequestFailed, kinds, requestSides } = require('internal/trace/format');
const { IdTable } = require('internal/trace/id_table');
const { Requests } = require('internal/trace/tables');

const kNone = -1;

// Builds the table while the model reads records.
class RequestBuilder {
  constructor(model, counts) {
    this.model = model;
    this.table = new Requests(counts[kinds.requestBegin]);
    this.byId = new IdTable(counts[kinds.requestBegin]);
    this.poll = NaN; // When the last poll phase began,
    this.lastPoll = 0; // and the one before.
  }

  // A poll phase begins.
  polls(time) {
    this.lastPoll = this.poll || 0;
    this.poll = time;
  }

  // `span` is the innermost callback that has begun, or -1.
  add(record, kind, span) {
    if (kind === kinds.requestBegin) return this.begin(record, span);
    const at = this.byId.find(this.model.id(record));
    if (at < 0) return undefined;
    const request = this.byId.first[at];
    if (kind === kinds.requestEnd) this.end(record, request);
    else this.mark(span, this.ownerOf(request));
    return undefined;
  }

  begin(record, span) {
    const { model, table } = this;
    const { sleeps, spans } = model;
    const request = table.count++;
    const time = model.time(record);
    const isServer = model.detail(record) === requestSides.server;
    table.id[request] = model.id(record);
    table.isServer[request] = isServer ? 1 : 0;
    table.name[request] = model.name(record);
    table.called[request] = time;
    table.end[request] = NaN;
    table.span[request] = span;
    this.byId.set(model.id(record), request, 0);
    if (!isServer) {
      table.start[request] = table.ready[request] = table.lastPoll[request] = time;
      table.parent[request] = span === kNone ? kNone : spans.request[span];
      return;
    }
    // Its first byte arrived with the data of this callback of the loop, or earlier.
    const age = model.value(record);
    let outer = span;
    while (outer !== kNone && spans.parent[outer] !== kNone && spans.kind[spans.parent[outer]] > 1) {
      outer = spans.parent[outer];
    }
    const start = Math.max(0, Math.min(time - age, outer === kNone ? time : spans.start[outer]));
    table.start[request] = table.ready[request] = table.lastPoll[request] = start;
    // Its data arrived between the last two polls. If the last one slept, the data ended the sleep.
    const sleep = sleeps.count - 1;
    const woke = sleep >= 0 && sleeps.end[sleep] <= start ? sleeps.end[sleep] : NaN;
    if (woke >= this.lastPoll && sleeps.turn[sleep] === model.turn) {
      table.ready[request] = table.lastPoll[request] = woke;
    } else if (this.poll <= start) {
      table.ready[request] = this.poll;
      table.lastPoll[request] = Math.min(this.poll, Math.max(this.lastPoll, woke || 0));
    }
    this.mark(span, request);
  }

  end(record, request) {
    const { table } = this;
    if (!Number.isNaN(table.end[request])) return;
    table.end[request] = this.model.time(record);
    table.status[request] = this.model.detail(record);
    table.hasFailed[request] = this.model.value(record) === kRequestFailed ? 1 : 0;
  }

  // The server's request to which callbacks belong.
  ownerOf(request) {
    return this.table.isServer[request] === 1 ? request : this.table.parent[request];
  }

  mark(span, request) {
    if (span !== kNone) this.model.spans.request[span] = request;
  }

  // Callbacks belong to the request in which they were scheduled; events of a handle that was opened in a request only
  // while it lasts, because connections may be used again.
  inherited(span, cause) {
    if (cause === kNone) return kNone;
    const { spans } = this.model;
    const request = spans.request[cause];
    if (request === kNone || spans.event[span] === 0) return request;
    return Number.isNaN(this.table.end[request]) ? request : kNone;
  }
}

module.exports = { RequestBuilder };
