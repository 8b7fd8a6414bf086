'use strict';
// Why a run took another course than the plain one, in words: from the log of a run that describes itself
// (src/runtime/explored_run.cc).
const path = require('path');
const { fileName } = require('internal/trace/words');

const kActions = {
  '__proto__': null,
  'fs.read_file': 'the read of', 'fs.read': 'the read of', 'fs.readv': 'the read of', 'fs.read_rest': 'the read of',
  'fs.write_file': 'the write of', 'fs.write': 'the write of', 'fs.write_all': 'the write of', 'fs.writev': 'the write of',
  'fs.open': 'the opening of', 'fs.stat': 'the stat of', 'fs.lstat': 'the lstat of', 'fs.fstat': 'the stat of',
  'fs.access': 'the check of', 'fs.readdir': 'the listing of', 'fs.mkdir': 'the making of', 'fs.mkdir_all': 'the making of',
  'fs.unlink': 'the removal of', 'fs.rmdir': 'the removal of', 'fs.rename': 'the renaming', 'fs.copy_file': 'the copying',
};

const kOthers = { '__proto__': null, 'immediates': 'the immediates', 'message': 'a message', 'readiness': 'what arrived' };

// Programs that put the number of their process into the name of a file have another name in each run.
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
  }

  // 'the read of a.txt (app.js:3:4)'
  name(candidate, known) {
    if (candidate.fd >= 0) return `what arrived on descriptor ${candidate.fd}`;
    if (candidate.id === 0) return kOthers[candidate.label] ?? candidate.label;
    const asked = known.get(candidate.id);
    const label = asked?.label ?? candidate.label;
    let text;
    if (label === 'timer') {
      text = 'the timer';
    } else if (asked?.about) {
      const about = asked.about.split(' -> ').map((name) => this.file(name)).join(' to ');
      text = `${kActions[label] ?? `${label} of`} ${about}`;
    } else {
      text = `the ${label}`;
    }
    return asked?.place ? `${text} (${this.place(asked.place)})` : text;
  }

  file(name) {
    if (this.folder !== '' && name.startsWith(`${this.folder}/`)) return path.basename(name);
    return fileName(name, this.cwd);
  }

  place(place) {
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
          reasons.push(picked === first ? `of two that were asked for at the same place, ${first}, the later one completed first` :
            `${picked} completed before ${first}`);
          break;
        }
        case 'batch end':
          reasons.push(`${this.nextRun(i, known) ?? 'something else'} ran before ${first} completed`);
          break;
        case 'timer reached':
          reasons.push(`${this.nextRun(i, known) ?? 'the timer'} was due when the loop looked, and ran before ` +
            `${this.nextRun(i, known, 1) ?? 'what was waiting'}`);
          break;
        case 'effect first':
          reasons.push(`${first} took effect before ${second ?? 'what was done at once'}, and was told later`);
          break;
      }
    });
    return reasons;
  }

  // What was called next after an event.
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
  return new Story(log, folder, process.cwd()).reasons();
}

module.exports = { explain, parseLog, Story };
