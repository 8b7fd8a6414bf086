'use strict';
// rondo top PID: shows the activity of a running process twice a second until `q`; once, or as JSON, for scripts.
const { Error, JSONStringify, Promise, TypeError } = primordials;
const { parseArguments, refuse } = require('internal/commands/arguments');
const { Connection, describeHold, isRondo, parsePid, readOr, unexpected } = require('internal/commands/control_client');
const { printable, printableJson, printableValue } = require('internal/commands/printable');
const { draw } = require('internal/commands/top_view');
const { Interval } = require('internal/commands/top_interval');

const kInterval = 500;
const kTries = 3; // For the first figures.

const usage = `usage: rondo top [--once] [--json] [--interval=MS] PID

Shows the activity of the loop of a running rondo process: turns and callbacks per second, time per phase, lag of
timers, queues, the pool, memory, and the slowest callbacks with their places. q quits.

      --once         print one interval, and end
      --json         print the figures, a line for each interval
      --interval=MS  length of an interval (${kInterval})
`;

function commandOf(pid) {
  const fs = require('fs');
  const text = readOr(() => fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8'), '');
  const words = text.split('\0').filter((word) => word !== '');
  // Of rondo itself only the script; of a program on Rondo's loop, its name, too.
  return words.slice(isRondo(readOr(() => fs.readlinkSync(`/proc/${pid}/exe`), '')) ? 1 : 0).join(' ');
}

// The output of `rondo top`: the alternate screen on a terminal, plain lines elsewhere.
class Screen {
  isTerminal = process.stdout.isTTY === true;
  hasColours = this.isTerminal && !process.env.NO_COLOR;
  get width() { return this.isTerminal ? process.stdout.columns || 80 : 100; }
  get height() { return this.isTerminal ? process.stdout.rows || 24 : 50; }

  // From here on keys are ours; onQuit comes for q and Ctrl-C, onResize with the size of the terminal.
  enter(onQuit, onResize) {
    if (!this.isTerminal) return;
    process.stdout.write('\x1b[?1049h\x1b[?25l');
    process.stdout.on('resize', onResize);
    if (process.stdin.isTTY) {
      process.stdin.setRawMode(true);
      process.stdin.on('data', (keys) => {
        const text = `${keys}`;
        if (text.includes('q') || text.includes('Q') || text.includes('\x03')) onQuit();
      });
    }
    process.on('SIGTERM', onQuit);
    process.on('SIGINT', onQuit);
    process.on('SIGHUP', onQuit);
  }

  show(lines) {
    if (!this.isTerminal) {
      process.stdout.write(`${lines.join('\n')}\n\n`);
      return;
    }
    // Over the old picture, line by line, so that nothing flickers.
    const shown = lines.slice(0, this.height);
    process.stdout.write(`\x1b[H${shown.map((line) => `${line}\x1b[K`).join('\r\n')}\x1b[J`);
  }

  leave() {
    if (!this.isTerminal) return;
    if (process.stdin.isTTY) process.stdin.setRawMode(false);
    process.stdout.write('\x1b[?25h\x1b[?1049l');
  }
}

async function watch(pid, options, interval) {
  const connection = await Connection.to(pid);
  const isOnce = options.once !== undefined;
  const isJson = options.json !== undefined;
  const screen = new Screen();
  const view = { pid, command: printable(commandOf(pid)) };
  let last;
  let wakeUp = null;
  let isOver = false;
  const pause = (ms) => new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    wakeUp = () => {
      clearTimeout(timer);
      resolve();
    };
  });
  const show = () => { if (last !== undefined) screen.show(draw(view, last, screen)); };
  const quit = () => {
    isOver = true;
    wakeUp?.();
  };
  const isDrawn = !isJson && !isOnce;
  const ask = async () => {
    const answer = await connection.ask('top');
    return isJson ? answer : printableValue(answer);
  };
  let before = await ask();
  // There is nothing to compare with if a system call, or a callback in C, blocks the loop.
  for (let tries = 0; before.figures === undefined; tries++) {
    if (tries === kTries) throw new Error(`the loop of process ${pid} does not answer: ${describeHold(before)}`);
    await pause(kInterval);
    before = await ask();
  }
  if (isDrawn) screen.enter(quit, show);
  const slow = [];
  try {
    while (!isOver) {
      await pause(interval);
      if (isOver) break;
      const now = await ask();
      last = new Interval(before, now, slow);
      before = now.figures === undefined ? before : now;
      if (isJson) process.stdout.write(`${printableJson(JSONStringify({ pid, ...last.toJSON() }))}\n`);
      else if (isOnce) process.stdout.write(`${draw(view, last, screen).join('\n')}\n`);
      else show();
      if (isOnce) break;
    }
  } finally {
    if (isDrawn) screen.leave();
    connection.close();
  }
}

function run(args) {
  const { options, execArgv, rest } = parseArguments('top', usage, args, {
    __proto__: null, once: 'nothing', json: 'nothing', interval: 'value',
  });
  if (execArgv.length > 0) refuse('top', `bad option: ${execArgv[0]}`);
  if (rest.length !== 1) refuse('top', 'one process id is needed: rondo top PID');
  const pid = parsePid(rest[0]);
  if (pid === undefined) refuse('top', `'${rest[0]}' is not a process id`);
  const interval = options.interval === undefined ? kInterval : +options.interval;
  if (!(interval >= 100 && interval <= 60_000)) refuse('top', '--interval needs milliseconds from 100 to 60000');
  watch(pid, options, interval).then(() => process.exit(0), (error) => {
    refuse('top', printable((error instanceof TypeError ? unexpected(pid) : error).message), 1);
  });
}

module.exports = { run };
