// The ring of six phases: the phase at the cursor is highlighted, and each shows its share of the time in view.
import { formatTime, formatCount } from '../data/describe.js';
import { Span } from '../data/thread.js';
import { useStore, useView } from './use_store.js';

// Idle and prepare count as one step of the ring.
const kSteps = [
  { name: 'timers', phases: [1] },
  { name: 'pending', phases: [2] },
  { name: 'idle, prepare', phases: [3, 4], colour: 'idle' },
  { name: 'poll', phases: [5] },
  { name: 'check', phases: [6] },
  { name: 'closing', phases: [7] },
];
const kRadius = 88;
const kWidth = 30;
const kGap = 3.2; // Degrees.

function point(degrees, radius) {
  const angle = ((degrees - 90) * Math.PI) / 180;
  return [Math.cos(angle) * radius, Math.sin(angle) * radius];
}

function arc(from, to, inner, outer) {
  const [x1, y1] = point(from, outer);
  const [x2, y2] = point(to, outer);
  const [x3, y3] = point(to, inner);
  const [x4, y4] = point(from, inner);
  const d = (n) => n.toFixed(2);
  return `M${d(x1)} ${d(y1)}A${outer} ${outer} 0 0 1 ${d(x2)} ${d(y2)}` +
    `L${d(x3)} ${d(y3)}A${inner} ${inner} 0 0 0 ${d(x4)} ${d(y4)}Z`;
}

export function percent(part) {
  if (!(part > 0)) return '0 %';
  if (part < 0.001) return '< 0.1 %';
  return `${(part * 100).toFixed(part < 0.1 ? 1 : 0)} %`;
}

// The span at the cursor.
function now(thread, state) {
  const { spans, lanes } = thread;
  const time = state.cursor;
  const phase = thread.phaseAt(time);
  const turnSpan = lanes.turns.at(time);
  const selected = state.selected !== null && state.selected.thread === thread ? state.selected.span : -1;
  const kind = selected >= 0 && spans.begin[selected] === time ? spans.kind[selected] : -1;
  const task = lanes.tasks.at(time);
  const taskKind = kind >= 0 ? kind : task < 0 ? -1 : spans.kind[task];
  return {
    phase: kind === Span.job ? 0 : phase,
    turn: turnSpan < 0 ? 0 : spans.id[turnSpan],
    isSleeping: lanes.waits.at(time) >= 0,
    inTicks: taskKind === Span.tick || taskKind === Span.ticks || lanes.tickDrains.at(time) >= 0,
    inMicrotasks: taskKind === Span.microtask || taskKind === Span.microtasks || lanes.microtaskDrains.at(time) >= 0,
    isBefore: turnSpan < 0 && (lanes.turns.length === 0 || time < spans.begin[lanes.turns.ids[0]]),
    isAfter: time >= thread.end,
  };
}

export function Ring({ store }) {
  const state = useStore(store);
  const view = useView(store, 120);
  const { model } = store;
  const thread = state.selected?.thread ?? model.threads[0];
  if (thread === undefined) return null;
  const current = now(thread, state);
  const from = Math.max(view.from, thread.start);
  const to = Math.min(view.to, thread.end);
  const shares = thread.shares(from, to);
  const all = Math.max(1, to - from);
  const where = current.phase > 0 ? kSteps.find((step) => step.phases.includes(current.phase)).name :
    current.isAfter ? 'the end' : current.isBefore ? 'main script' : 'between phases';
  const doing = current.inTicks ? 'ticks' : current.inMicrotasks ? 'microtasks' : current.isSleeping ? 'sleeping' : '';
  const turn = current.turn > 0 ? `turn ${formatCount(current.turn)}` : '';
  return (
    <section class="panel ring-panel" aria-label="Phases of the loop">
      <svg class="ring" viewBox="-130 -120 260 230" role="img" data-testid="ring" data-phase={current.phase}
        aria-label={['The loop is in', [where, doing, turn].filter((text) => text !== '').join(', ')].join(' ')}>
        {kSteps.map((step, i) => {
          const isLit = step.phases.includes(current.phase);
          const a = i * 60 - 30 + kGap / 2;
          const b = (i + 1) * 60 - 30 - kGap / 2;
          const colour = `var(--phase-${step.colour ?? step.name})`;
          return (
            <g key={step.name} class={isLit ? 'step lit' : 'step'}>
              <path d={arc(a, b, kRadius - kWidth / 2, kRadius + kWidth / 2 +
                (isLit ? 4 : 0))} style={{ fill: colour }} />
              <Label step={step} degrees={(a + b) / 2} isLit={isLit} />
            </g>
          );
        })}
        <Direction />
        <text class="ring-turn" y="-24">{turn}</text>
        <text class="ring-now" y="0">{where}</text>
        <text class="ring-time" y="20">{formatTime(state.cursor)}</text>
        <g class="lamps" transform="translate(-6 42)">
          <g class={current.inTicks ? 'lamp lit' : 'lamp'}>
            <circle cx="-38" r="4" style={{ fill: 'var(--tick)' }} /><text x="-30" y="4">ticks</text>
          </g>
          <g class={current.inMicrotasks ? 'lamp lit' : 'lamp'}>
            <circle cx="6" r="4" style={{ fill: 'var(--microtask)' }} /><text x="14" y="4">promises</text>
          </g>
        </g>
      </svg>
      <Shares shares={shares} all={all} current={current} />
    </section>
  );
}

// Texts follow the arc; those at the bottom run the other way, so that none is upside down.
function Label({ step, degrees, isLit }) {
  const isBelow = degrees > 95 && degrees < 265;
  const radius = isBelow ? kRadius + 4 : kRadius - 4;
  const [x1, y1] = point(degrees - 29, radius);
  const [x2, y2] = point(degrees + 29, radius);
  const ink = `var(--phase-${step.colour ?? step.name}-ink)`;
  const id = `arc-${step.phases[0]}`;
  const d = isBelow ? `M${x2} ${y2}A${radius} ${radius} 0 0 0 ${x1} ${y1}` :
    `M${x1} ${y1}A${radius} ${radius} 0 0 1 ${x2} ${y2}`;
  return (
    <>
      <path id={id} d={d} fill="none" />
      <text class={isLit ? 'ring-label lit' : 'ring-label'} style={isLit ? { fill: ink } : undefined}>
        <textPath href={`#${id}`} startOffset="50%">{step.name}</textPath>
      </text>
    </>
  );
}

// The direction of the ring.
function Direction() {
  const [x, y] = point(-33, kRadius + kWidth / 2 + 11);
  const [x2, y2] = point(-8, kRadius + kWidth / 2 + 11);
  const radius = kRadius + kWidth / 2 + 11;
  return (
    <g class="direction" aria-hidden="true">
      <path d={`M${x} ${y}A${radius} ${radius} 0 0 1 ${x2} ${y2}`} />
      <path d="M0 0L-6 -3.5L-6 3.5Z" transform={`translate(${x2 + 2} ${y2 - 0.3}) rotate(-9)`} class="head" />
    </g>
  );
}

function Shares({ shares, all, current }) {
  const rows = kSteps.map((step) => ({
    name: step.name,
    colour: step.colour ?? step.name,
    time: step.phases.reduce((sum, phase) => sum + shares.phases[phase], 0),
    sleeping: step.name === 'poll' ? shares.waiting : 0,
    isLit: step.phases.includes(current.phase),
  }));
  if (shares.main > 0) {
    rows.unshift({ name: 'main script', colour: 'main', time: shares.main, sleeping: 0, isLit: current.isBefore });
  }
  return (
    <table class="shares">
      <caption>Share of the time in view</caption>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name} class={row.isLit ? 'lit' : ''}>
            <th scope="row"><i style={{ background: `var(--phase-${row.colour})` }} />{row.name}</th>
            <td class="bar-cell">
              <div class="bar" aria-hidden="true">
                <b style={{ width: `${((row.time - row.sleeping) / all) * 100}%`,
                  background: `var(--phase-${row.colour})` }} />
                <b class="asleep" style={{ width: `${(row.sleeping / all) * 100}%` }} />
              </div>
            </td>
            <td class="number" title={formatTime(row.time)}>{percent(row.time / all)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
