'use strict';
// Explains why a run differs from the default order, from the log that the run has written
// (src/explore/run.cc).
const { operations } = internalBinding('fs');
const { handleKinds } = internalBinding('loop');
const { tryGetCwd } = require('internal/process/cwd');
const path = require('path');
const { fileName } = require('internal/trace/words');

// The operation of a label or of the function that the program called: 'fs.read_file' and 'fs.readFileSync' are the
// same.
function nameOf(label) {
  return label.slice(label.lastIndexOf('.') + 1).replace(/Sync$/, '').replace(/[_ ]/g, '').toLowerCase();
}

const kActions = {
  __proto__: null,
  appendfile: operations['fs.write_file'].action,
  atonce: 'the synchronous access to',
};
for (const label of Object.keys(operations)) {
  if (operations[label].action !== '') kActions[nameOf(label)] = operations[label].action;
}

function actionOf(label) {
  return kActions[nameOf(label)] ?? `${label} of`;
}

const kOthers = {
  __proto__: null,
  immediates: 'the immediates',
  message: 'a message',
  readiness: 'an I/O event',
};

// File names that contain the process id differ in each run.
function parseLog(log) {
  const events = [];
  const pid = /^\{"pid":(\d+)\}\n/.exec(log)?.[1];
  const text = pid === undefined ? log : log.replaceAll(new RegExp(`(?<!\\d)${pid}(?!\\d)`, 'g'), 'PID');
  for (const line of text.split('\n')) {
    if (line === '') continue;
    try {
      if (!line.startsWith('{"pid"')) events.push(JSON.parse(line));
    } catch {
      // A name that is no valid UTF-8 may have been cut.
    }
  }
  return events;
}

class Story {
  constructor(log, folder, cwd) {
    this.events = parseLog(log);
    this.folder = folder;
    this.cwd = cwd;
    this.handles = new Map();
    this.accepted = new Map(); // By place of the server: ids of its connections, in the order in which they were made.
    for (const event of this.events) {
      if (event.handle === undefined) continue;
      this.handles.set(event.handle, event);
      if (event.accepted) this.accepted.set(event.place, [...this.accepted.get(event.place) ?? [], event.handle]);
    }
    for (const ids of this.accepted.values()) ids.sort((a, b) => a - b);
  }

  // 'the read of a.txt (app.js:3:4)'
  name(candidate, known) {
    const handle = this.handles.get(candidate.id);
    if (handle !== undefined && handle.place !== '') return this.handle(handle);
    if (candidate.fd >= 0) return `an I/O event on descriptor ${candidate.fd}`;
    if (candidate.id === 0) return kOthers[candidate.label] ?? candidate.label;
    const scheduled = known.get(candidate.id);
    const label = scheduled?.label ?? candidate.label;
    let text;
    if (label === handleKinds.timer) {
      text = 'the timer';
    } else if (scheduled?.about) {
      const about = scheduled.about.split(' -> ').map((name) => this.file(name)).join(' to ');
      text = `${actionOf(label)} ${about}`;
    } else {
      text = `the ${label}`;
    }
    return scheduled?.place ? `${text} (${this.place(scheduled.place)})` : text;
  }

  // 'data on connection 2 of the server at app.js:5:1'
  handle({ handle: id, label, place, accepted }) {
    // In a program that is not JavaScript a place is a function that the loop calls: 'on_timer()'.
    if (place.endsWith('()')) return `the ${label} of ${place}`;
    const where = this.place(place);
    if (accepted) {
      const ids = this.accepted.get(place);
      const which = ids.length === 1 ? 'the connection' : `connection ${ids.indexOf(id) + 1}`;
      return `data on ${which} of the server at ${where}`;
    }
    const isServer = label === handleKinds.tcpServer || label === handleKinds.pipeServer;
    if (isServer) return `a connection to the server at ${where}`;
    const isConnection = label === handleKinds.tcpSocket || label === handleKinds.pipe;
    if (isConnection) return `data on the connection made at ${where}`;
    if (label === handleKinds.udp) return `a message to the socket made at ${where}`;
    return `an event of the ${label} at ${where}`;
  }

  file(name) {
    if (this.folder !== '' && name.startsWith(`${this.folder}/`)) return path.basename(name);
    return fileName(name, this.cwd);
  }

  place(place) {
    if (place.endsWith('()')) return place;
    const [, file, rest] = /^(.*?)((?::\d+)*)$/.exec(place);
    return `${fileName(file, this.cwd)}${rest}`;
  }

  // One sentence for each deviation.
  reasons() {
    const reasons = [];
    const known = new Map();
    this.events.forEach((event, i) => {
      if (event.scheduled !== undefined) known.set(event.scheduled, event);
      if (event.step === undefined || event.picked === 0) return;
      const [first, second] = event.candidates.map((candidate) => this.name(candidate, known));
      switch (event.point) {
        case 'completion order': {
          const picked = this.name(event.candidates[event.picked], known);
          reasons.push(picked === first ?
            `of two operations scheduled at the same place, ${first}, the later one completed first` :
            `${picked} completed before ${first}`);
          break;
        }
        case 'batch end':
          reasons.push(`${this.nextRun(i, known) ?? 'something else'} ran before ${first} completed`);
          break;
        case 'timer reached':
          reasons.push(`${this.nextRun(i, known) ?? 'the timer'} was already due when the loop checked its timers, ` +
            'and ran before ' +
            `${this.nextRun(i, known, 1) ?? 'the pending callbacks'}`);
          break;
        case 'effect first':
          reasons.push(
            `${first} took effect before ${second ?? 'a synchronous operation'}, but its callback ran later`);
          break;
      }
    });
    return reasons;
  }

  // The name of the next callback after an event.
  nextRun(from, known, skip = 0) {
    for (let i = from + 1; i < this.events.length; i++) {
      const event = this.events[i];
      if (event.delivered === undefined || skip-- > 0) continue;
      return this.name({ id: event.delivered, label: event.label, fd: -1 }, known);
    }
    return undefined;
  }
}

function explain(log, folder) {
  return new Story(log, folder, tryGetCwd()).reasons();
}

module.exports = { explain, parseLog, Story };
