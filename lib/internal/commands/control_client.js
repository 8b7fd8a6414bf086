'use strict';
// Client of the control socket, for `rondo why` and `rondo top`. The other process listens on a Unix socket in a
// directory of the user (src/runtime/control/control.h). Failures throw an Error whose message says what to do.
const {
  ArrayPrototypeIncludes,
  ArrayPrototypeJoin,
  ArrayPrototypePush,
  Error,
  JSONParse,
  Promise,
  RegExpPrototypeExec,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
  StringPrototypeSplit,
  StringPrototypeStartsWith,
} = primordials;
const { peerUser } = internalBinding('credentials');
const fs = require('fs');
const net = require('net');
const { tryGetCwd } = require('internal/process/cwd');
const path = require('path');
const { setTimeout } = require('timers');

// Retries are needed because a process opens its socket only after it has run for a tenth of a second.
const kMostTries = 60;
const kBetweenTries = 50;
const kAnswerTimeout = 10_000;
// An answer has a line for each handle and timer: this is enough for a million of them.
const kLongestAnswer = 2 ** 28;

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function readOr(read, otherwise) {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

// Parses an integer above 0; undefined for other text.
function parsePid(text) {
  return RegExpPrototypeExec(/^[1-9]\d{0,9}$/, text) === null ? undefined : +text;
}

// Directories that may contain the control socket. The target process may have a different XDG_RUNTIME_DIR than this
// one.
function directories(pid, uid) {
  const parents = [];
  const environment = readOr(() => fs.readFileSync(`/proc/${pid}/environ`, 'latin1'), '');
  for (const variable of StringPrototypeSplit(environment, '\0')) {
    if (StringPrototypeStartsWith(variable, 'XDG_RUNTIME_DIR=/')) {
      ArrayPrototypePush(parents, StringPrototypeSlice(variable, 16));
    }
  }
  if (process.env.XDG_RUNTIME_DIR) ArrayPrototypePush(parents, process.env.XDG_RUNTIME_DIR);
  ArrayPrototypePush(parents, '/tmp', `/run/user/${uid}`);
  return parents.map((parent) => path.join(parent, `rondo-${uid}`));
}

// Returns the reason why a directory is not trusted, or undefined. Rondo opens its socket only in a directory that
// passes the same check (src/base/control/socket.cc), so a socket elsewhere belongs to another program.
function faultOf(directory, uid) {
  const status = readOr(() => fs.lstatSync(directory), undefined);
  if (status === undefined) return undefined;
  if (!status.isDirectory()) return 'is not a directory';
  if (status.uid !== uid) return `belongs to user ${status.uid}`;
  return (status.mode & 0o77) === 0 ? undefined : 'is accessible to other users';
}

function tryConnect(file) {
  return new Promise((resolve) => {
    const socket = net.connect({ path: file });
    socket.once('error', (error) => resolve({ error }));
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve({ socket });
    });
  });
}

function isRondo(executable) {
  return executable === process.execPath || path.basename(executable) === path.basename(process.execPath);
}

// True if `rondo uv` or `rondo node` has started the process, or the one that it was forked from, without --no-control.
function isOnRondo(pid) {
  const environment = readOr(() => fs.readFileSync(`/proc/${pid}/environ`, 'latin1'), '');
  return ArrayPrototypeIncludes(StringPrototypeSplit(environment, '\0'), 'RONDO_UV_CONTROL=1');
}

// Returns the fields of /proc/PID/stat after the name, starting with the state. One empty field if the process does not
// exist.
function statOf(pid) {
  const text = readOr(() => fs.readFileSync(`/proc/${pid}/stat`, 'latin1'), '');
  return StringPrototypeSplit(StringPrototypeSlice(text, text.lastIndexOf(')') + 2), ' ');
}

// Returns the seconds since the process started.
function ageOf(pid) {
  const uptime = +StringPrototypeSplit(readOr(() => fs.readFileSync('/proc/uptime', 'latin1'), '0'), ' ')[0];
  return uptime - statOf(pid)[19] / 100; // /proc/PID/stat always uses USER_HZ, hundredths of a second.
}

// True if the process is gone or a zombie.
function hasEnded(pid) {
  const { 0: state } = statOf(pid);
  return state === '' || state === 'Z' || state === 'X';
}

function describeMissing(pid) {
  if (hasEnded(pid)) return `process ${pid} has ended`;
  // Kernel threads have no executable, and that of other users' processes is hidden: fall back to the short name.
  const executable = readOr(() => fs.readlinkSync(`/proc/${pid}/exe`), undefined) ??
    readOr(() => fs.readFileSync(`/proc/${pid}/comm`, 'utf8').trimEnd(), 'another program');
  const name = executable.endsWith(' (deleted)') ? StringPrototypeSlice(executable, 0, -10) : executable;
  if (isOnRondo(pid)) {
    return `process ${pid} does not answer: it has not run a loop of libuv, or could not open its socket`;
  }
  if (!isRondo(name)) return `process ${pid} is not a rondo process: it runs ${name}`;
  return `process ${pid} does not answer: it was started with --no-control or RONDO_NO_CONTROL=1, ` +
    'or could not open its socket';
}

// Returns a socket that is connected to the process.
async function connect(pid) {
  const status = readOr(() => fs.statSync(`/proc/${pid}`), undefined);
  if (status === undefined) throw new Error(`there is no process ${pid}`);
  const uid = process.geteuid();
  if (status.uid !== uid) {
    throw new Error(`process ${pid} belongs to another user and answers only that user: ` +
      `sudo -u '#${status.uid}' rondo ...`);
  }
  const places = directories(pid, uid);
  let fault;
  for (let tries = 0; ; tries++) {
    for (const directory of places) {
      const file = path.join(directory, `${pid}.sock`);
      const why = faultOf(directory, uid);
      if (why !== undefined) fault ??= `process ${pid} cannot be queried: ${directory} ${why}`;
      if (why !== undefined || !fs.existsSync(file)) continue;
      const { socket, error } = await tryConnect(file);
      if (socket !== undefined && peerUser(socket._handle.fd) === uid) return socket;
      if (socket !== undefined) {
        socket.destroy();
        throw new Error(`process ${pid} cannot be queried: a process of another user listens at ${file}`);
      }
      if (error.code === 'EACCES') throw new Error(`process ${pid} cannot be queried: ${file} belongs to another user`);
      // The socket was left by a killed process that had the same pid.
      if (error.code === 'ECONNREFUSED') readOr(() => fs.unlinkSync(file), undefined);
    }
    const executable = readOr(() => fs.readlinkSync(`/proc/${pid}/exe`), '');
    if (tries === kMostTries || !(isRondo(executable) || isOnRondo(pid)) || ageOf(pid) > 5) {
      throw new Error(fault ?? describeMissing(pid));
    }
    await sleep(kBetweenTries);
  }
}

function unexpected(pid) {
  return new Error(`process ${pid} sent an unexpected answer: is it another version of rondo?`);
}

// A connection to a process. ask() sends a request and returns the parsed JSON answer.
class Connection {
  #socket;
  #pid;
  #pieces = []; // Pieces of an incomplete line.
  #size = 0;
  #resolve = null;
  #reject = null;
  #ended = null;

  constructor(pid, socket) {
    this.#pid = pid;
    this.#socket = socket;
    socket.setEncoding('utf8');
    socket.on('data', (text) => this.#take(text));
    socket.on('error', () => {});
    socket.on('timeout', () => {
      if (this.#resolve !== null) this.#reject(new Error(`process ${this.#pid} does not answer`));
    });
    socket.on('close', () => this.#end());
  }

  static async to(pid) {
    return new Connection(pid, await connect(pid));
  }

  #take(text) {
    this.#size += text.length;
    if (this.#size > kLongestAnswer || this.#resolve === null) {
      this.#fail('answered more than was asked for');
      return;
    }
    const end = StringPrototypeIndexOf(text, '\n');
    ArrayPrototypePush(this.#pieces, end < 0 ? text : StringPrototypeSlice(text, 0, end));
    if (end < 0) return;
    if (end !== text.length - 1) {
      this.#fail('answered more than was asked for');
      return;
    }
    const line = ArrayPrototypeJoin(this.#pieces, '');
    this.#pieces = [];
    this.#size = 0;
    const resolve = this.#resolve;
    const reject = this.#reject;
    this.#resolve = null;
    let answer;
    try {
      answer = JSONParse(line);
    } catch {
      reject(new Error(`process ${this.#pid} sent an answer that is not JSON: is it another version of rondo?`));
      return;
    }
    if (answer === null || typeof answer !== 'object') reject(unexpected(this.#pid));
    else if (answer.error !== undefined) reject(new Error(`process ${this.#pid} does not answer: ${answer.error}`));
    else resolve(answer);
  }

  #fail(what) {
    const reject = this.#resolve === null ? undefined : this.#reject;
    this.#ended = new Error(`process ${this.#pid} ${what}`);
    this.#resolve = null;
    this.#pieces = [];
    this.#socket.destroy();
    reject?.(this.#ended);
  }

  #end() {
    if (this.#ended !== null) return;
    const isGone = readOr(() => fs.readlinkSync(`/proc/${this.#pid}/exe`), undefined) === undefined;
    this.#ended = new Error(isGone ? `process ${this.#pid} has ended` : `process ${this.#pid} refuses to answer`);
    this.#ended.isEnd = isGone;
    if (this.#resolve !== null) this.#reject(this.#ended);
  }

  ask(question) {
    return new Promise((resolve, reject) => {
      if (this.#ended !== null) return reject(this.#ended);
      this.#resolve = resolve;
      this.#reject = reject;
      this.#socket.setTimeout(kAnswerTimeout);
      this.#socket.write(`${question}\n`);
    });
  }

  close() {
    this.#socket.destroy();
  }
}

// Returns the path of a file relative to the working directory, if the file is below it.
function shorten(file) {
  const here = `${tryGetCwd()}/`;
  return StringPrototypeStartsWith(file, here) ? StringPrototypeSlice(file, here.length) : file;
}

// A function of C or C++ has no line.
function placeText(place) {
  return place.line === undefined ? place.file : `${shorten(place.file)}:${place.line}:${place.column}`;
}

function frameText(place) {
  return `${place.function === '' ? '<anonymous>' : place.function} (${placeText(place)})`;
}

function seconds(ms) {
  return ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

// The system call that a thread is in.
function describeCall({ call, fd, path: file }) {
  return fd === undefined ? call : `${call} of descriptor ${fd}${file === undefined ? '' : ` (${file})`}`;
}

// Describes the code or system call that blocks the loop's thread; undefined if it is not blocked.
function describeHold(answer) {
  if (answer.blocked !== undefined) {
    const { age, call, isNative, stack } = answer.blocked;
    const where = stack.length === 0 ? '' : `, in ${frameText(stack[0])}`;
    const what = isNative === true ? 'a callback' : 'JavaScript';
    const reason = call === undefined ? '' : `, in the system call ${describeCall(answer.blocked)}`;
    return `${what} that has been running for ${seconds(age)}${where}${reason}`;
  }
  if (answer.stuck === undefined) return undefined;
  const { age, call } = answer.stuck;
  // The age is unknown if the thread runs no loop.
  if (age === undefined) return call === undefined ? 'native code' : `a system call, ${describeCall(answer.stuck)}`;
  if (call === undefined) return `native code that has been running for ${seconds(age)}`;
  return `a blocking system call, ${describeCall(answer.stuck)}, for ${seconds(age)} so far`;
}

module.exports = {
  Connection, describeHold, frameText, isRondo, parsePid, placeText, readOr, seconds, shorten, unexpected,
};
