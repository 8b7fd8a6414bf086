'use strict';
// Explains the position of a callback: the rule of docs/BEHAVIOURS.md that determines it, and a sentence about it.

const kLateFrom = 2e6; // Nanoseconds. Timers are up to a millisecond late anyway; beyond this the loop was busy.

const rules = {
  __proto__: null,
  mainScript: ['TURN-02', 'The main script runs to its end before the loop starts.'],
  nested: ['TURN-03', 'Another callback called it directly; the loop itself never runs one inside another.'],
  outside: ['TURN-05', 'Nothing keeps the loop alive: the last events run before the program ends.'],

  tickOfMain: ['TURN-02', 'After the main script its ticks run, before promises and before the loop starts.'],
  tickOfCallback: ['TICK-01', 'When a callback returns its ticks run, before anything else can.'],
  tickOfTick: ['TICK-03', 'A tick that a tick queues runs in the same drain: the loop waits until none is left.'],
  tickOfMicrotask: ['TICK-02', 'A tick that a microtask queues runs when no microtask is left.'],
  tickPerPhase: ['TICK-04', 'With --ticks=per-phase ticks run between two phases.'],

  microtaskOfMain: ['TURN-02', 'After the main script and its ticks, promise callbacks run, before the loop starts.'],
  microtaskOfCallback: [
    'TICK-02', 'After a callback its ticks run first, then promise callbacks, before any other callback.'],
  microtaskOfTick: ['TICK-01', 'When no tick is left, promise callbacks run, before any other callback.'],
  microtaskOfMicrotask: [
    'TICK-06', 'Microtasks have one queue, and those that microtasks queue run in the same drain.'],

  timer: ['TIM-01',
    'Due timers of one delay run in the order in which they were set, before those of a delay that expires later.'],
  timerLate: ['TIM-06', 'It was due earlier; a slow callback delayed everything after it.'],
  timerWoken: ['TIM-02', 'It was due earlier; the loop slept until then, and the system woke it late.'],
  timerOfTimer: ['TURN-10', 'A timer that a timer sets waits for the next turn, even if it is due.'],
  interval: ['TIM-04',
    'An interval is due again one delay after its callback began to run, behind the timers that the callback set.'],

  pending: ['PEN-01',
    'I/O callbacks whose outcome was known at once, such as a finished write, are deferred to this phase.'],
  idle: ['IDL-01', 'Idle and prepare run in every turn, right before poll.'],

  pool: ['POOL-02', 'The work ran on a thread of the pool; poll delivers its result.'],
  pollSlept: ['POL-04', 'With nothing else to do the loop slept in poll, and ran this as soon as it arrived.'],
  poll: ['POL-02', 'Poll runs the callbacks of ready events, in the order in which the system reports them.'],
  datagram: ['UDP-02', 'One event of a UDP socket delivers up to 32 messages, in the order in which they arrived.'],
  message: ['ASY-02', 'Messages are delivered in poll, in the order in which their ports were created.'],

  immediate: ['CHK-01', 'Immediates run right after poll, in the order in which they were set.'],
  immediateOfImmediate: ['CHK-02', 'An immediate that an immediate sets runs in the next turn, after its poll.'],
  immediateOfIo: ['ORD-02', 'Set by a callback of poll: check comes next, and so before any timer.'],

  closing: ['CLO-01',
    'Close callbacks run at the end of the turn, the last one closed first, never from inside close().'],
  closedSocket: ['CLO-02', 'A destroyed socket emits its close at the end of the turn.'],
};

// Returns the name of one of the rules above. `facts` is the result of factsOf() of internal/trace/callbacks.
function nameRule(facts) {
  if (facts.kind === 'main') return 'mainScript';
  const by = facts.causeKind;
  if (facts.kind === 'tick') {
    if (facts.isPerPhase) return 'tickPerPhase';
    if (by === 'tick') return 'tickOfTick';
    if (by === 'microtask') return 'tickOfMicrotask';
    return by === 'main' ? 'tickOfMain' : 'tickOfCallback';
  }
  if (facts.kind === 'microtask') {
    if (by === 'microtask') return 'microtaskOfMicrotask';
    if (by === 'tick') return 'microtaskOfTick';
    return by === 'main' ? 'microtaskOfMain' : 'microtaskOfCallback';
  }
  if (facts.isNested) return 'nested';
  switch (facts.phase) {
    case 'timers':
      if (facts.late > kLateFrom) return facts.wokeLate ? 'timerWoken' : 'timerLate';
      if (facts.isInterval) return 'interval';
      return facts.causePhase === 'timers' && facts.isShort ? 'timerOfTimer' : 'timer';
    case 'pending':
      return 'pending';
    case 'idle':
    case 'prepare':
      return 'idle';
    case 'poll':
      if (facts.isOfPool) return 'pool';
      if (facts.isDatagram) return 'datagram';
      if (facts.isMessage) return 'message';
      return facts.hasSlept ? 'pollSlept' : 'poll';
    case 'check':
      if (facts.causePhase === 'check') return 'immediateOfImmediate';
      return facts.causePhase === 'poll' && facts.isSameTurn ? 'immediateOfIo' : 'immediate';
    case 'closing':
      return facts.isSocket ? 'closedSocket' : 'closing';
    default:
      return 'outside';
  }
}

function ruleOf(facts) {
  const { 0: id, 1: text } = rules[nameRule(facts)];
  return { id, text };
}

module.exports = { rules, nameRule, ruleOf };
