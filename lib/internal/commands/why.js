'use strict';
// rondo why PID: prints one line for each reason why a running process stays alive.
const { ArrayIsArray, JSONStringify, StringPrototypeReplaceAll } = primordials;
const { parseArguments, refuse } = require('internal/commands/arguments');
const { Connection, describeHold, parsePid, shorten, unexpected } = require('internal/commands/control_client');
const { printable, printableJson } = require('internal/commands/printable');

const usage = `usage: rondo why [--json] PID

Prints what keeps a running rondo process alive: a line for each handle, operation, timer and immediate that has
a ref, with the place that created it. If JavaScript blocks the loop, prints where it is running.
`;

function lineOf(entry) {
  const { description, place } = entry;
  if (place === null) return description;
  return StringPrototypeReplaceAll(description, place.file, shorten(place.file));
}

// Throws if the answer is not in the format of this version.
function textOf(answer) {
  const alive = answer.alive ?? [];
  if (!ArrayIsArray(alive)) throw unexpected();
  let text = '';
  const hold = describeHold(answer);
  if (hold !== undefined) text += `${printable(hold)}\n`;
  for (let i = 0; i < alive.length; i++) text += `${printable(lineOf(alive[i]))}\n`;
  return text;
}

async function why(pid, isJson) {
  const connection = await Connection.to(pid);
  const answer = await connection.ask('why');
  connection.close();
  let text;
  try {
    text = textOf(answer);
  } catch {
    throw unexpected(pid);
  }
  if (isJson) {
    const { alive = [], blocked, stuck } = answer;
    text = `${printableJson(JSONStringify({ pid, alive, blocked, stuck }, null, 2))}\n`;
  }
  process.stdout.write(text);
}

function run(args) {
  const { options, execArgv, rest } = parseArguments('why', usage, args, {
    __proto__: null, json: 'nothing',
  });
  if (execArgv.length > 0) refuse('why', `bad option: ${execArgv[0]}`);
  if (rest.length !== 1) refuse('why', 'one process id is needed: rondo why PID');
  const pid = parsePid(rest[0]);
  if (pid === undefined) refuse('why', `'${rest[0]}' is not a process id`);
  why(pid, options.json !== undefined).catch((error) => refuse('why', printable(error.message), 1));
}

module.exports = { run };
