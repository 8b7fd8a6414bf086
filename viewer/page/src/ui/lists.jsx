// Findings: the slowest callbacks, those that blocked the loop, drains that starved it, handles alive at the end.
import { useMemo } from 'preact/hooks';
import { formatPlace, formatTime, isMainScript, shownPlace, titleOf } from '../data/describe.js';
import { largest } from '../data/model.js';
import { slowestRequests } from '../data/requests.js';
import { Span } from '../data/thread.js';
import { CallbackTable } from './table.jsx';
import { SpanLink } from './details.jsx';
import { useStore } from './use_store.js';

const kMost = 60;
const kBlocks = 10e6; // Nanoseconds: users notice a callback this long.
const kBlocksAtStart = 100e6; // Higher for the main script: no events are pending yet.
const kStarves = 5e6;
const kStarvesTasks = 1000;

const kTabs = [
  ['slowest', 'Slowest', 'The slowest callbacks'],
  ['requests', 'HTTP', 'The slowest HTTP requests'],
  ['blockers', 'Blockers', 'Callbacks that blocked the loop'],
  ['drains', 'Drains', 'Drains of ticks or microtasks that starved the loop'],
  ['alive', 'Alive', 'Handles that were alive at the end'],
  ['table', 'Table', 'All callbacks'],
];

function slowest(model) {
  return largest(model.threads, kMost, (thread, span) => (thread.isCallback(span) ? thread.own(span) : -1));
}

function blockers(model) {
  return largest(model.threads, kMost, (thread, span) => {
    if (!thread.holdsLoop(span)) return -1;
    const duration = thread.duration(span);
    return duration >= (isMainScript(thread, span) ? kBlocksAtStart : kBlocks) ? duration : -1;
  });
}

function drains(model) {
  return largest(model.threads, kMost, (thread, span) => {
    const kind = thread.spans.kind[span];
    if (kind !== Span.ticks && kind !== Span.microtasks) return -1;
    const duration = thread.duration(span);
    const tasks = thread.spans.tasks[span];
    return tasks > 1 && (duration >= kStarves || tasks >= kStarvesTasks) ? duration : -1;
  });
}

function leftovers(model) {
  const found = [];
  for (const thread of model.threads) {
    const { leftovers: notes, names } = thread.model;
    for (let i = 0; i < notes.count; i++) {
      const record = notes.record[i];
      const what = names.text(thread.model.name(record)) || 'something';
      found.push({ thread, what, place: names.place(thread.model.first(record)) });
    }
  }
  return found;
}

// Reports of the watchdog, with the sampled stack.
function stacks(model) {
  const found = [];
  for (const thread of model.threads) {
    const { blocked, names } = thread.model;
    for (let i = 0; i < blocked.count; i++) {
      const record = blocked.record[i];
      found.push({ duration: thread.model.value(record), frames: names.stack(thread.model.name(record)) });
    }
  }
  return found;
}

function errors(model) {
  const found = [];
  for (const thread of model.threads) {
    const { uncaught, names } = thread.model;
    for (let i = 0; i < uncaught.count; i++) {
      found.push({ thread, span: uncaught.span[i], text: names.text(thread.model.name(uncaught.record[i])) });
    }
  }
  return found;
}

export function Lists({ store, actions }) {
  const state = useStore(store);
  const { model } = store;
  const data = useMemo(() => ({
    slowest: slowest(model),
    blockers: blockers(model),
    drains: drains(model),
    alive: leftovers(model),
    requests: slowestRequests(model.threads, kMost),
    stacks: stacks(model),
    errors: errors(model),
  }), [state.version]);
  const counts = { blockers: data.blockers.length, drains: data.drains.length, alive: data.alive.length };
  const onKey = (event) => {
    const at = kTabs.findIndex(([id]) => id === state.tab);
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const next = kTabs[(at + step + kTabs.length) % kTabs.length][0];
    actions.setTab(next);
    document.getElementById(`tab-${next}`).focus();
    event.preventDefault();
  };
  return (
    <section class="panel lists" aria-label="Lists of callbacks">
      <div class="tabs" role="tablist" aria-label="Lists" onKeyDown={onKey}>
        {kTabs.map(([id, name, title]) => (
          <button type="button" role="tab" id={`tab-${id}`} key={id} title={title} aria-selected={state.tab === id}
            aria-controls="tab-panel" tabIndex={state.tab === id ? 0 : -1} onClick={() => actions.setTab(id)}>
            {name}{counts[id] > 0 && <span class="count">{counts[id] === kMost ? `${kMost}+` : counts[id]}</span>}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id="tab-panel" aria-labelledby={`tab-${state.tab}`} data-testid="list"
        tabIndex={state.tab === 'table' ? -1 : 0}>
        {state.tab === 'table' ? <CallbackTable store={store} actions={actions} state={state} /> :
          <List tab={state.tab} data={data} actions={actions} state={state} />}
      </div>
    </section>
  );
}

function Rows({ items, actions, state, note }) {
  const most = items.length > 0 ? items[0].figure : 1;
  return (
    <ol class="rows">
      {items.map(({ thread, span, figure }) => {
        const isSelected = state.selected !== null && state.selected.span === span && state.selected.thread === thread;
        return (
          <li key={`${thread.number}-${span}`} class={isSelected ? 'selected' : ''}>
            <span class="meter" aria-hidden="true">
              <b style={{ width: `${Math.max(1, (figure / most) * 100)}%` }} />
            </span>
            <span class="number">{formatTime(figure)}</span>
            <SpanLink thread={thread} span={span} actions={actions}>{note?.(thread, span)}</SpanLink>
          </li>
        );
      })}
    </ol>
  );
}

function Stack({ duration, frames }) {
  const [first] = frames;
  return (
    <details class="stack">
      <summary>
        Seen after {formatTime(duration)}
        {first !== undefined && `, in ${first.functionName || 'a function'} (${formatPlace(first)})`}
      </summary>
      <ol>
        {frames.map((frame, i) => (
          <li key={i}>{frame.functionName || '(anonymous)'} <code class="soft">{formatPlace(frame)}</code></li>
        ))}
      </ol>
    </details>
  );
}

// The first task of a drain. A drain that starves the loop usually repeats a single task.
function FirstTask({ thread, span }) {
  const task = span + 1;
  if (task >= thread.model.spans.count || thread.spans.parent[task] !== span) return null;
  return <span class="soft">{titleOf(thread, task)} <code>{formatPlace(shownPlace(thread, task))}</code></span>;
}

function List({ tab, data, actions, state }) {
  switch (tab) {
    case 'slowest':
      return (
        <>
          {data.errors.map(({ thread, span, text }, i) => (
            <div class="error" key={i}>
              <strong>Uncaught</strong> {text} {span >= 0 && <SpanLink thread={thread} span={span} actions={actions} />}
            </div>
          ))}
          <Rows items={data.slowest} actions={actions} state={state} />
        </>
      );
    case 'blockers':
      if (data.blockers.length === 0 && data.stacks.length === 0) {
        return <p class="none">No callback blocked the loop for {formatTime(kBlocks)} or longer.</p>;
      }
      return (
        <>
          <Rows items={data.blockers} actions={actions} state={state} />
          {data.stacks.map((report, i) => <Stack key={i} {...report} />)}
        </>
      );
    case 'requests':
      if (data.requests.length === 0) return <p class="none">The program served no HTTP requests.</p>;
      return <Rows items={data.requests} actions={actions} state={state} />;
    case 'drains':
      if (data.drains.length === 0) {
        return <p class="none">Ticks and microtasks never kept the loop for {formatTime(kStarves)} or longer.</p>;
      }
      return (
        <Rows items={data.drains} actions={actions} state={state}
          note={(thread, span) => <FirstTask thread={thread} span={span} />} />
      );
    default:
      if (data.alive.length === 0) return <p class="none">Nothing was alive at the end.</p>;
      return (
        <ul class="alive">{data.alive.map(({ what, place }, i) => (
          <li key={i}>
            <span class="name">{what}</span>
            {place.file !== '' && (
              <> made in {place.functionName ||
              '(anonymous)'} <code class="soft">{formatPlace(place)}</code>
              </>
            )}
          </li>
        ))}
        </ul>
      );
  }
}
