// Colours of the canvas, from the style sheet; read again when the theme changes.
import { isServed } from '../data/requests.js';
import { Span } from '../data/thread.js';

export const kPhaseVariables = ['main', 'timers', 'pending', 'idle', 'prepare', 'poll', 'check', 'closing'];

export function readPalette(element) {
  const style = getComputedStyle(element);
  const read = (name) => style.getPropertyValue(`--${name}`).trim();
  const phases = kPhaseVariables.map((name) => read(`phase-${name}`));
  const inks = kPhaseVariables.map((name) => read(`phase-${name}-ink`));
  return {
    phases,
    inks,
    tick: read('tick'),
    tickInk: read('tick-ink'),
    microtask: read('microtask'),
    microtaskInk: read('microtask-ink'),
    job: read('job'),
    jobInk: read('job-ink'),
    request: read('request'),
    requestInk: read('request-ink'),
    outgoing: read('outgoing'),
    outgoingInk: read('outgoing-ink'),
    counter: read('counter'),
    wait: read('wait'),
    waitInk: read('wait-ink'),
    surface: read('surface'),
    sunken: read('sunken'),
    line: read('line'),
    strong: read('line-strong'),
    text: read('text'),
    soft: read('text-soft'),
    accent: read('accent'),
    turnEven: read('turn-even'),
    turnOdd: read('turn-odd'),
    font: read('font'),
  };
}

// [fill, ink] of a span.
export function colourOf(palette, thread, span) {
  const { kind, phase, id } = thread.spans;
  switch (kind[span]) {
    case Span.turn:
      return [id[span] % 2 === 0 ? palette.turnEven : palette.turnOdd, palette.soft];
    case Span.wait:
      return [palette.wait, palette.waitInk];
    case Span.tick:
    case Span.ticks:
      return [palette.tick, palette.tickInk];
    case Span.microtask:
    case Span.microtasks:
      return [palette.microtask, palette.microtaskInk];
    case Span.job:
      return [palette.job, palette.jobInk];
    case Span.request:
      return isServed(thread, span) ? [palette.request, palette.requestInk] : [palette.outgoing, palette.outgoingInk];
    default:
      return [palette.phases[phase[span]] ?? palette.phases[0], palette.inks[phase[span]] ?? palette.inks[0]];
  }
}
