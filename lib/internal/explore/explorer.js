'use strict';
// Runs a program under one schedule after the other, on several servers, until the search has no more.
const fs = require('fs');
const os = require('os');
const path = require('path');
const { makeFolder } = require('internal/commands/program');
const { Server } = require('internal/explore/server');
const { Outcomes } = require('internal/explore/outcomes');
const { scheduleOf } = require('internal/explore/search');

// A run that did not follow its schedule had other input than the one before: it is repeated this often.
const kMostAttempts = 3;
// Time for the processes to end after a signal, before they are killed.
const kGraceMs = 5000;

// The kernel's range of ports for sockets that ask for none.
let range;
function isChosenByKernel(port) {
  if (range === undefined) {
    try {
      range = fs.readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'latin1').split(/\s+/, 2).map(Number);
    } catch {
      range = [32768, 60999];
    }
  }
  return port >= range[0] && port <= range[1];
}

// Durations in reports of Node's test runner: '(12.345ms)' and 'duration_ms 12.345'.
const kDurations = /(?<=\()\d+(?:\.\d+)?(?=ms\))|(?<=\bduration_ms:? )\d+(?:\.\d+)?/g;

class Explorer {
  // settings: execArgv, program, jobs, limit (ms of a run), reach and slow (ms), late, reduces.
  constructor(settings) {
    this.settings = settings;
    const { folder, remove } = makeFolder('explore', "the program's temporary files");
    this.folder = folder;
    this.#removeFolder = remove;
    this.servers = [];
    this.outcomes = new Outcomes(settings.limit);
    this.outside = new Set();
    this.schedules = 0;
    this.diverged = 0;
    this.isStopped = false;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.on(signal, () => this.#endBy(128 + os.constants.signals[signal]));
    }
  }

  // Ends all processes before their folders are removed: a program that still ran would write into them.
  async #endBy(code) {
    if (this.#isEnding) process.exit(code); // The second signal.
    this.#isEnding = this.isStopped = true;
    const ended = Promise.all([...this.servers.map((server) => server?.abandon()), this.traced?.abandon()]);
    const timer = setTimeout(() => process.exit(code), kGraceMs);
    await ended;
    clearTimeout(timer);
    process.exit(code);
  }

  get choiceLimits() {
    const { reach, slow, late, reduces } = this.settings;
    return `--choice-limits=${reach},${slow},${late},${reduces ? 0 : 1}`;
  }

  #server(i) {
    const { execArgv, program } = this.settings;
    // The paths of all servers differ in one character only, so that they affect the program as little as possible.
    return this.servers[i] ??= new Server(
      [this.choiceLimits, ...execArgv], program,
      path.join(this.folder, `${i}`));
  }

  // Replaces the server's folder for temporary files, ports that the kernel has chosen and durations of tests in the
  // output, which are others in each run.
  #normalize(run, server) {
    const general = path.join(os.tmpdir(), 'rondo-explore');
    const ports = run.ports.filter(isChosenByKernel);
    const pattern = ports.length === 0 ? null : new RegExp(`(?<!\\d)(?:${ports.join('|')})(?!\\d)`, 'g');
    const replaced = (text) => {
      text = text.replaceAll(server.folder, general);
      if (this.settings.program[0] === 'node') text = text.replaceAll(kDurations, 'N');
      return pattern === null ? text : text.replaceAll(pattern, 'PORT');
    };
    const stdout = replaced(run.stdout);
    if (stdout !== run.stdout) {
      run.stdoutSize += Buffer.byteLength(stdout) - Buffer.byteLength(run.stdout);
      run.stdout = stdout;
      run.stdoutHash = 0n;
    }
    run.stderr = replaced(run.stderr);
    return run;
  }

  // Runs the program once. Throws if the server has died, with its last output.
  async run(schedule, options = {}, i = 0) {
    const server = this.#server(i);
    for (let attempt = 1; ; attempt++) {
      const run = await server.run(schedule, { limit: this.settings.limit, ...options });
      if (this.#isEnding) return new Promise(() => {}); // The process exits.
      if (run === null) {
        const error = new Error(server.ended.stderr);
        error.code = server.ended.code;
        throw error;
      }
      if (run.divergedAt < 0 || attempt === kMostAttempts) return this.#normalize(run, server);
    }
  }

  async #work(i, search, limits, onRun) {
    while (!this.isStopped) {
      if (this.schedules + this.#under >= limits.schedules || Date.now() >= limits.until) {
        this.isStopped = true;
        return;
      }
      const task = search.next();
      if (task === null) {
        if (search.isDone) return;
        await this.#change;
        continue;
      }
      this.#under++;
      const run = await this.run(task.schedule, { seed: task.seed ?? '-', describes: limits.describes === true }, i);
      this.#under--;
      this.schedules++;
      if (run.divergedAt >= 0) this.diverged++;
      for (const name of run.outside) this.outside.add(name);
      this.outcomes.add(run, task.seed === undefined ? task.schedule : scheduleOf(run.decisions));
      search.done(task, run);
      this.#announce();
      onRun(run, task, this.servers[i].folder);
    }
  }

  #isEnding = false;
  #removeFolder;
  traced = null; // The run that traceRun() has started.
  #under = 0;
  #wake = null;
  #change = new Promise((resolve) => { this.#wake = resolve; });

  // Servers without work wait until another one has found some.
  #announce() {
    const wake = this.#wake;
    this.#change = new Promise((resolve) => { this.#wake = resolve; });
    wake();
  }

  async explore(search, limits, onRun = () => {}) {
    const workers = [];
    for (let i = 0; i < this.settings.jobs; i++) {
      workers.push(this.#work(i, search, limits, onRun).finally(() => this.#announce()));
    }
    await Promise.all(workers);
    return {
      outcomes: this.outcomes.list(),
      schedules: this.schedules,
      complete: search.isDone && !search.isCut && this.diverged === 0 &&
        !this.outcomes.list().some(({ error }) => error !== null && error.startsWith('did not end')),
      outside: [...this.outside],
    };
  }

  async close() {
    await Promise.all(this.servers.map((server) => server?.close()));
    this.#removeFolder();
  }
}

module.exports = { Explorer };
