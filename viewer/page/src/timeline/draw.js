// Draws the rows on the canvas. The cost of a frame depends on the width of the screen, not on the length of the trace:
// see data/lane.js.
import { formatValue, titleOf, whatOf } from '../data/describe.js';
import { work } from '../data/lane.js';
import { isFocused } from '../data/requests.js';
import { Span } from '../data/thread.js';
import { formatMark, stepFor } from './axis.js';
import { colourOf } from './palette.js';
import { kAxisHeight } from './rows.js';
import { drawArrows, drawSelection } from './arrows.js';

const kLeast = 2; // Pixels: narrower spans are merged.
const kLeastForText = 26;
const kMostMeasured = 4000; // Texts whose width is cached.

// scene: { context, width, height, gutter, scroll, rows, view, palette, state, model, hover }
export function draw(scene) {
  work.touched = 0;
  work.drawn = 0;
  const { context, width, height, palette } = scene;
  context.fillStyle = palette.surface;
  context.fillRect(0, 0, width, height);
  context.font = `11px ${palette.font}`;
  context.textBaseline = 'middle';

  const plot = width - scene.gutter;
  const scale = plot / (scene.view.to - scene.view.from);
  scene.x = (time) => scene.gutter + (time - scene.view.from) * scale;

  context.save();
  context.beginPath();
  context.rect(scene.gutter, 0, plot, height);
  context.clip();
  drawGrid(scene);
  context.beginPath();
  context.rect(scene.gutter, kAxisHeight, plot, height - kAxisHeight);
  context.clip();
  for (const row of scene.rows) {
    const y = kAxisHeight + row.y - scene.scroll;
    if (y > height || y + row.height < kAxisHeight || row.kind === 'heading') continue;
    if (row.kind === 'counter') drawCounter(scene, row, y);
    else drawRow(scene, row, y);
  }
  drawArrows(scene);
  drawSelection(scene);
  context.restore();

  drawAxis(scene);
  drawGutter(scene);
}

function drawGrid({ context, view, x, height, palette, width, gutter }) {
  const step = stepFor((view.to - view.from) / (width - gutter));
  context.fillStyle = palette.line;
  for (let n = Math.ceil(view.from / step); n * step <= view.to; n++) {
    context.fillRect(Math.round(x(n * step)), kAxisHeight, 1, height);
  }
}

function drawAxis(scene) {
  const { context, view, x, palette, width, gutter, state, model } = scene;
  context.fillStyle = palette.sunken;
  context.fillRect(0, 0, width, kAxisHeight);
  context.fillStyle = palette.strong;
  context.fillRect(0, kAxisHeight - 1, width, 1);
  context.save();
  context.beginPath();
  context.rect(gutter, 0, width - gutter, kAxisHeight);
  context.clip();
  const step = stepFor((view.to - view.from) / (width - gutter));
  context.textAlign = 'left';
  for (let n = Math.ceil(view.from / step); n * step <= view.to; n++) {
    const time = n * step;
    if (time < 0 || time > model.end * 1.5 + step) continue;
    const at = Math.round(x(time));
    context.fillStyle = palette.strong;
    context.fillRect(at, kAxisHeight - 7, 1, 6);
    context.fillStyle = palette.soft;
    context.fillText(formatMark(time, step), at + 4, kAxisHeight / 2 - 1);
  }
  const cursor = Math.round(x(state.cursor));
  context.fillStyle = palette.accent;
  context.beginPath();
  context.moveTo(cursor - 5, kAxisHeight - 10);
  context.lineTo(cursor + 6, kAxisHeight - 10);
  context.lineTo(cursor + 0.5, kAxisHeight - 1);
  context.fill();
  context.restore();
}

function drawGutter({ context, height, gutter, rows, scroll, palette, state }) {
  context.fillStyle = palette.sunken;
  context.fillRect(0, kAxisHeight, gutter, height);
  context.fillStyle = palette.strong;
  context.fillRect(gutter - 1, 0, 1, height);
  context.save();
  context.beginPath();
  context.rect(0, kAxisHeight, gutter - 1, height);
  context.clip();
  context.textAlign = 'left';
  const isNarrow = gutter < 100;
  for (const row of rows) {
    const y = kAxisHeight + row.y - scroll;
    if (y > height || y + row.height < kAxisHeight) continue;
    const isHeading = row.kind === 'heading';
    context.font = `${isHeading ? '600 ' : ''}11px ${palette.font}`;
    context.fillStyle = isHeading ? palette.text : palette.soft;
    const left = isHeading || isNarrow ? 10 : 14;
    let label = isNarrow ? row.short : row.label;
    if (row.kind === 'counter' && !isNarrow) {
      const value = formatValue(row.counter, row.counter.at(state.cursor));
      const room = gutter - 8 - context.measureText(value).width - left;
      if (context.measureText(label).width > room - 6) label = row.short;
      context.textAlign = 'right';
      context.fillText(value, gutter - 8, y + row.height / 2);
      context.textAlign = 'left';
    }
    context.fillText(label, left, y + row.height / 2);
  }
  context.restore();
  context.font = `11px ${palette.font}`;
}

function drawRow(scene, row, y) {
  const { context, view, width, gutter, palette } = scene;
  const plot = width - gutter;
  const { thread } = row;
  const { lanes } = thread;
  const visit = (lane, draw) => lane.visit(view.from, view.to, plot, kLeast, (x, w, span, coverage, from, to) => {
    draw(gutter + x, w, span, coverage, lane, from, to);
  });
  switch (row.kind) {
    case Span.phase: {
      const named = []; // Texts come last, as sleeps are drawn over their phases.
      visit(lanes.phases, (x, w, span, coverage, lane, from, to) => {
        drawSpan(scene, thread, y, row.height, x, w, span, coverage, lane, from, to);
        if (coverage === 1 && w >= kLeastForText) named.push(span);
      });
      visit(lanes.waits, (x, w, span, coverage) => {
        context.globalAlpha = coverage;
        context.fillStyle = palette.wait;
        context.fillRect(x, y + 2, Math.max(w, 1), row.height - 4);
        context.globalAlpha = 1;
        if (w > 60) drawText(scene, 'sleeping', x, w, y, row.height, palette.waitInk);
      });
      for (const span of named) drawPhaseName(scene, thread, span, y, row.height);
      return;
    }
    case Span.callback: {
      const bar = row.number === 0 ? 6 : 0;
      if (bar > 0) {
        visit(lanes.loopCallbacks, (x, w, span, coverage) => {
          context.fillStyle = colourOf(palette, thread, span)[0];
          context.globalAlpha = 0.15 + 0.35 * coverage;
          context.fillRect(x, y, Math.max(w, 1), 4);
          context.globalAlpha = 1;
        });
      }
      for (const lane of row.lanes) visit(lane, (...at) => drawSpan(scene, thread, y + bar, row.height - bar, ...at));
      return;
    }
    case Span.tick:
      visit(lanes.tickDrains, (x, w, span, coverage) => drawBar(scene, x, w, y, palette.tick, coverage));
      visit(lanes.microtaskDrains, (x, w, span, coverage) => drawBar(scene, x, w, y + 3, palette.microtask, coverage));
      visit(lanes.tasks, (...at) => drawSpan(scene, thread, y + 7, row.height - 7, ...at));
      return;
    default:
      for (const lane of row.lanes) visit(lane, (...at) => drawSpan(scene, thread, y, row.height, ...at));
  }
}

// Height relative to the highest value.
function drawCounter({ context, view, width, gutter, palette }, { counter, height }, y) {
  context.fillStyle = palette.line;
  context.fillRect(gutter, y + height - 1, width - gutter, 1);
  context.fillStyle = palette.counter;
  counter.visit(view.from, view.to, width - gutter, kLeast, (x, w, value) => {
    const tall = Math.max(1, (height - 1) * value / counter.highest);
    context.fillRect(gutter + x, y + height - tall, w, tall);
  });
}

function drawBar({ context }, x, w, y, colour, coverage) {
  context.globalAlpha = 0.3 + 0.7 * coverage;
  context.fillStyle = colour;
  context.fillRect(x, y, Math.max(w, 1), 2);
  context.globalAlpha = 1;
}

// Draws the name after the sleep, if the phase has slept.
function drawPhaseName(scene, thread, span, y, height) {
  const { spans, lanes } = thread;
  let from = spans.begin[span];
  const first = lanes.waits.firstEndingAfter(from);
  if (first < lanes.waits.length && spans.begin[lanes.waits.ids[first]] < spans.end[span]) {
    from = spans.end[lanes.waits.ids[first]];
  }
  const x = scene.x(from);
  const w = scene.x(spans.end[span]) - x;
  if (w >= kLeastForText) {
    drawText(scene, titleOf(thread, span), x, w, y, height, colourOf(scene.palette, thread, span)[1]);
  }
}

function drawSpan(scene, thread, y, height, x, w, span, coverage, lane, from, to) {
  const { context, palette, state } = scene;
  const [fill, ink] = colourOf(palette, thread, span);
  let alpha = coverage === 1 ? 1 : 0.35 + 0.65 * coverage;
  if (state.search.isActive && thread.spans.kind[span] !== Span.turn && thread.spans.kind[span] !== Span.phase) {
    alpha *= isHit(state.search, thread, span, lane, from, to) ? 1 : 0.18;
  } else if (thread.spans.kind[span] !== Span.turn && thread.spans.kind[span] !== Span.phase &&
    !isFocused(state.selected, thread, span, lane, from, to)) {
    alpha *= 0.18;
  }
  context.globalAlpha = alpha;
  context.fillStyle = fill;
  const left = w > 3 ? x + 0.5 : x;
  const wide = w > 3 ? w - 1 : Math.max(w, 1);
  if (w > 8 && thread.spans.kind[span] !== Span.turn) {
    context.beginPath();
    context.roundRect(left, y, wide, height, 3);
    context.fill();
  } else {
    context.fillRect(left, y, wide, height);
  }
  const { kind } = thread.spans;
  if (coverage === 1 && w >= kLeastForText && kind[span] !== Span.phase) {
    let text = titleOf(thread, span);
    if (kind[span] === Span.callback && w > 150) {
      const what = whatOf(thread, span);
      if (what !== text) text = `${text}  ·  ${what}`;
    }
    drawText(scene, text, left, wide, y, height, ink);
  }
  context.globalAlpha = 1;
}

// True if one of the merged spans is a search result. Only a few are checked: a group can be large.
function isHit(search, thread, span, lane, from, to) {
  if (search.has(thread, span)) return true;
  const most = Math.min(to, from + 16);
  for (let i = from; i < most; i++) if (search.has(thread, lane.ids[i])) return true;
  return false;
}

function drawText({ context, gutter, width }, text, x, w, y, height, ink) {
  const left = Math.max(x, gutter) + 5;
  const room = Math.min(x + w, width) - left - 4;
  if (room < 10) return;
  const wide = measure(context, text);
  const letters = wide <= room ? text.length : Math.floor((text.length * room) / wide) - 1;
  if (letters < 1) return;
  context.fillStyle = ink;
  context.textAlign = 'left';
  context.fillText(letters === text.length ? text : `${text.slice(0, letters)}…`, left, y + height / 2 + 0.5);
}

const widths = new Map();

function measure(context, text) {
  let width = widths.get(text);
  if (width === undefined) {
    if (widths.size >= kMostMeasured) widths.clear();
    widths.set(text, width = context.measureText(text).width);
  }
  return width;
}
