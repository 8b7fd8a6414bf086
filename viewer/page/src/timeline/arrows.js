// The selected span, with arrows from its cause and to its effects.
import { rowOf, kAxisHeight } from './rows.js';

const kMostCauses = 12; // Arrows backwards, from cause to cause.
const kMostEffects = 40;

function endpoint(scene, thread, span, time) {
  const row = rowOf(scene.rows, thread, span);
  if (row === undefined) return null;
  return { x: scene.x(time), top: kAxisHeight + row.y - scene.scroll, height: row.height };
}

function drawArrow({ context, width, gutter }, from, to, colour, alpha, weight) {
  // Distant ends are clamped to the edge, so that the curves keep their shape.
  const clamp = (x) => Math.min(Math.max(x, gutter - 60), width + 60);
  const x1 = clamp(from.x);
  const x2 = clamp(to.x);
  const y1 = from.top + from.height - 3;
  const y2 = to.top + to.height / 2;
  const bend = Math.min(80, 18 + Math.abs(x2 - x1) / 3);
  context.globalAlpha = alpha;
  context.strokeStyle = colour;
  context.fillStyle = colour;
  context.lineWidth = weight;
  context.beginPath();
  context.moveTo(x1, y1);
  context.bezierCurveTo(x1 + bend * 0.3, y1 + bend * 0.55, x2 - bend, y2 + (Math.abs(y2 - y1) < 4 ? bend * 0.5 : 0),
    x2 - 5, y2);
  context.stroke();
  context.beginPath();
  context.arc(x1, y1, weight + 1.2, 0, 2 * Math.PI);
  context.fill();
  context.beginPath();
  context.moveTo(x2, y2);
  context.lineTo(x2 - 7, y2 - 4);
  context.lineTo(x2 - 7, y2 + 4);
  context.fill();
  context.globalAlpha = 1;
}

export function drawArrows(scene) {
  const { selected } = scene.state;
  if (selected === null) return;
  const { thread } = selected;
  const { begin, cause, scheduledAt } = thread.spans;
  const effects = scene.model.causedBy(thread, selected.span);
  for (let i = 0; i < Math.min(effects.length, kMostEffects); i++) {
    const from = endpoint(scene, thread, selected.span, scheduledAt[effects[i]]);
    const to = endpoint(scene, thread, effects[i], begin[effects[i]]);
    if (from !== null && to !== null) drawArrow(scene, from, to, scene.palette.soft, 0.6, 1);
  }
  let span = selected.span;
  for (let i = 0; i < kMostCauses && cause[span] >= 0; i++) {
    const from = endpoint(scene, thread, cause[span], scheduledAt[span]);
    const to = endpoint(scene, thread, span, begin[span]);
    if (from !== null && to !== null) {
      drawArrow(scene, from, to, scene.palette.accent, i === 0 ? 1 : 0.45, i === 0 ? 2 : 1.2);
    }
    span = cause[span];
  }
}

export function drawSelection(scene) {
  const { context, state, palette, height, hover } = scene;
  const cursor = Math.round(scene.x(state.cursor)) + 0.5;
  context.strokeStyle = palette.accent;
  context.lineWidth = 1;
  context.setLineDash([3, 3]);
  context.beginPath();
  context.moveTo(cursor, kAxisHeight);
  context.lineTo(cursor, height);
  context.stroke();
  context.setLineDash([]);
  if (hover !== null) outline(scene, hover, palette.text, 1);
  if (state.selected !== null) outline(scene, state.selected, palette.accent, 2.5);
}

function outline(scene, { thread, span }, colour, weight) {
  const row = rowOf(scene.rows, thread, span);
  if (row === undefined) return;
  const { begin, end } = thread.spans;
  const left = Math.max(scene.x(begin[span]), scene.gutter - 10);
  const right = Math.min(scene.x(end[span]), scene.width + 10);
  if (right < scene.gutter - 5 || left > scene.width + 5) return;
  const { context } = scene;
  const wide = Math.max(right - left, 3);
  context.strokeStyle = colour;
  context.lineWidth = weight;
  context.beginPath();
  context.roundRect(left - 1, kAxisHeight + row.y - scene.scroll - 1, wide + 2, row.height + 2, 4);
  context.stroke();
}
