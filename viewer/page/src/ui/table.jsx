// All callbacks as a table, also for readers who cannot see the timeline. Only visible rows exist.
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatPlace, formatTime, kindOf, shownPlace, titleOf, whatOf } from '../data/describe.js';
import { nameOfPhase } from '../data/model.js';
import { kPhaseVariables } from '../timeline/palette.js';

const kRow = 26; // Pixels.
const kExtra = 8; // Rows rendered above and below the visible ones.
const kTallest = 8e6; // Pixels: browsers limit the height of elements.

// The rows: search results, or all.
function rowsOf(model, search) {
  if (search.isActive) return { length: search.found.length, at: (i) => search.found[i] };
  if (model.threads.length === 1) {
    const [thread] = model.threads;
    return { length: thread.steps.length, at: (i) => ({ thread, span: thread.steps.ids[i] }) };
  }
  const all = [];
  for (const thread of model.threads) {
    for (let i = 0; i < thread.steps.length; i++) all.push({ thread, span: thread.steps.ids[i] });
  }
  all.sort((a, b) => a.thread.spans.begin[a.span] - b.thread.spans.begin[b.span]);
  return { length: all.length, at: (i) => all[i] };
}

function indexOf(rows, selected) {
  if (selected === null) return -1;
  const begin = selected.thread.spans.begin[selected.span];
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const { thread, span } = rows.at(middle);
    if (thread.spans.begin[span] < begin) low = middle + 1;
    else high = middle;
  }
  for (; low < rows.length; low++) {
    const { thread, span } = rows.at(low);
    if (thread === selected.thread && span === selected.span) return low;
    if (thread.spans.begin[span] > begin) return -1;
  }
  return -1;
}

export function CallbackTable({ store, actions, state }) {
  const box = useRef(null);
  const [top, setTop] = useState(0);
  const memory = useRef({});
  const key = `${state.version} ${state.search.text}`;
  if (memory.current.key !== key) memory.current = { key, rows: rowsOf(store.model, state.search) };
  const { rows } = memory.current;
  const chosen = indexOf(rows, state.selected);
  const tall = Math.min(rows.length * kRow, kTallest);
  const shrink = rows.length * kRow > kTallest ? (rows.length * kRow) / kTallest : 1;
  const height = box.current?.clientHeight ?? 300;
  const first = Math.max(0, Math.floor((top * shrink) / kRow) - kExtra);
  const last = Math.min(rows.length, first + Math.ceil(height / kRow) + 2 * kExtra);

  useEffect(() => {
    if (chosen < 0) return;
    const at = (chosen * kRow) / shrink;
    const element = box.current;
    const isInSight = at >= element.scrollTop && at <= element.scrollTop + element.clientHeight - 2 * kRow;
    if (!isInSight) element.scrollTop = at - element.clientHeight / 3;
  }, [chosen]);

  const go = (index) => {
    if (rows.length === 0) return;
    const { thread, span } = rows.at(Math.min(Math.max(index, 0), rows.length - 1));
    actions.select(thread, span);
  };
  const onKey = (event) => {
    const page = Math.max(1, Math.floor(height / kRow) - 2);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
    if (steps[event.key] !== undefined) go(chosen < 0 ? 0 : chosen + steps[event.key]);
    else if (event.key === 'Home') go(0);
    else if (event.key === 'End') go(rows.length - 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const visible = [];
  for (let i = first; i < last; i++) visible.push(i);
  const isScaled = shrink !== 1;
  return (
    <div class="table-box" ref={box} tabIndex={0} onScroll={(event) => setTop(event.target.scrollTop)} onKeyDown={onKey}
      data-testid="table" aria-label="Callbacks in the order of time; arrow keys select">
      <div style={{ height: `${tall + kRow}px` }}>
        <table class="table" aria-rowcount={rows.length + 1}
          style={{ transform: `translateY(${isScaled ? top : first * kRow}px)` }}>
          <thead>
            <tr aria-rowindex={1}>
              <th scope="col">Began</th><th scope="col">Phase</th><th scope="col">Kind</th><th scope="col">Function</th>
              <th scope="col">What</th><th scope="col">Place</th><th scope="col">Took</th>
            </tr>
          </thead>
          <tbody>{visible.map((i) =>
            <Row key={i} index={i} {...rows.at(i)} isChosen={i === chosen} actions={actions} />)}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function Row({ index, thread, span, isChosen, actions }) {
  const { begin, phase } = thread.spans;
  return (
    <tr aria-rowindex={index + 2} aria-current={isChosen ? 'true' : undefined} class={isChosen ? 'selected' : ''}
      onClick={() => actions.select(thread, span)}>
      <td class="number">{formatTime(begin[span])}</td>
      <td>
        <i class="dot" style={{ background: `var(--phase-${kPhaseVariables[phase[span]]})` }} />
        {nameOfPhase(phase[span])}
      </td>
      <td>{kindOf(thread, span)}</td>
      <td>{titleOf(thread, span)}</td>
      <td>{whatOf(thread, span)}</td>
      <td><code>{formatPlace(shownPlace(thread, span))}</code></td>
      <td class="number">{formatTime(thread.duration(span))}</td>
    </tr>
  );
}
