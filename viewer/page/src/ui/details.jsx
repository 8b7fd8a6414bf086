// The selected callback: its kind, where it was scheduled and by which callback, how long it waited, and why it ran
// here.
import { formatCount, formatPlace, formatTime, plural, shownPlace, titleOf, whatOf } from '../data/describe.js';
import { nameOfPhase } from '../data/model.js';
import { figuresOf, isServed, ownerOf } from '../data/requests.js';
import { Span } from '../data/thread.js';
import { kPhaseVariables } from '../timeline/palette.js';
import { queuedText, RequestLink, RequestParts } from './request.jsx';
import { Source } from './source.jsx';
import { useStore } from './use_store.js';
import { describe } from 'internal/trace/callbacks';

const kFirstHidden = 2 ** 40; // Ids from here on are internal to the trace.
const kMostCauses = 8;
const kMostEffects = 12;

export function Details({ store, actions }) {
  const state = useStore(store);
  const { selected } = state;
  if (selected === null) return <Nothing store={store} actions={actions} />;
  const { thread, span } = selected;
  const isRequest = thread.spans.kind[span] === Span.request;
  const owner = ownerOf(thread, span);
  return (
    <section class="panel details" aria-label="Selected callback" data-testid="details">
      <Heading thread={thread} span={span} />
      {thread.isCallback(span) && <Why thread={thread} span={span} />}
      <Facts thread={thread} span={span} actions={actions} many={store.model.threads.length > 1} />
      {isRequest && <RequestParts thread={thread} span={span} actions={actions} />}
      {!isRequest && owner >= 0 && <RequestLink thread={thread} span={owner} actions={actions} />}
      {thread.isCallback(span) && <Sources store={store} thread={thread} span={span} />}
      <Causes thread={thread} span={span} actions={actions} />
      <Touches thread={thread} span={span} />
      <Effects model={store.model} thread={thread} span={span} actions={actions} />
    </section>
  );
}

function Nothing({ store, actions }) {
  return (
    <section class="panel details empty" aria-label="Selected callback" data-testid="details">
      <p>Click a callback on the timeline, or step through the run:</p>
      <button type="button" class="action" onClick={() => actions.step(1)} disabled={store.model.threads.length === 0}>
        Start with the first
      </button>
    </section>
  );
}

function chipClass(thread, span) {
  const { kind, phase } = thread.spans;
  if (kind[span] === Span.tick || kind[span] === Span.ticks) return 'tick';
  if (kind[span] === Span.microtask || kind[span] === Span.microtasks) return 'microtask';
  if (kind[span] === Span.job) return 'job';
  if (kind[span] === Span.request) return isServed(thread, span) ? 'request' : 'outgoing';
  return `phase-${kPhaseVariables[phase[span]]}`;
}

const kChips = {
  [Span.tick]: 'tick',
  [Span.ticks]: 'ticks',
  [Span.microtask]: 'microtask',
  [Span.microtasks]: 'microtasks',
  [Span.job]: 'job',
  [Span.request]: 'HTTP',
};

export function Chip({ thread, span }) {
  const { kind, phase } = thread.spans;
  const name = chipClass(thread, span);
  const text = kChips[kind[span]] ?? nameOfPhase(phase[span]);
  return <span class="chip" style={{ background: `var(--${name})`, color: `var(--${name}-ink)` }}>{text}</span>;
}

function Heading({ thread, span }) {
  const what = whatOf(thread, span);
  const title = titleOf(thread, span);
  return (
    <div class="details-heading">
      <h2>{title}</h2>
      <Chip thread={thread} span={span} />
      {what !== title && <p class="what">{what}</p>}
    </div>
  );
}

function Why({ thread, span }) {
  const { rule } = describe(thread.model, span);
  return (
    <p class="why" data-testid="why">
      <strong>Why here</strong> {rule.text} <abbr title="The promise in docs/BEHAVIOURS.md">{rule.id}</abbr>
    </p>
  );
}

function Fact({ name, children }) {
  return <div><dt>{name}</dt><dd>{children}</dd></div>;
}

function Facts({ thread, span, many }) {
  const { spans, model } = thread;
  const isCallback = thread.isCallback(span);
  const about = isCallback ? describe(model, span) : null;
  const took = thread.duration(span);
  const own = thread.own(span);
  const scheduledAt = spans.scheduledAt[span];
  const kind = spans.kind[span];
  const turn = spans.turn[span] < 0 ? 0 : spans.id[spans.turn[span]];
  return (
    <dl class="facts-grid">
      <Fact name="Took">{formatTime(took)}{isCallback && took > own * 1.02 ? `, own ${formatTime(own)}` : ''}</Fact>
      <Fact name="Began at">{formatTime(spans.begin[span])}</Fact>
      {about !== null && !Number.isNaN(about.wait) && <Fact name="Waited">{formatTime(about.wait)}</Fact>}
      {about !== null && !Number.isNaN(about.late) && <Fact name="Late by">{formatTime(about.late)}</Fact>}
      {kind === Span.job && scheduledAt > 0 &&
        <Fact name="Waited for a worker">{formatTime(spans.begin[span] - scheduledAt)}</Fact>}
      {kind === Span.job && <Fact name="Worker">{spans.value[span]}</Fact>}
      {kind === Span.request && isServed(thread, span) &&
        <Fact name="Queued before its handler">{queuedText(figuresOf(thread, span))}</Fact>}
      {kind === Span.wait && <Fact name="Woke for">{plural(spans.value[span], 'event')}</Fact>}
      {turn > 0 && <Fact name="Turn">{formatCount(turn)}</Fact>}
      {many && <Fact name="Thread">{thread.number === 0 ? 'main' : thread.number}</Fact>}
      {isCallback && spans.id[span] < kFirstHidden && <Fact name="Async id">{formatCount(spans.id[span])}</Fact>}
    </dl>
  );
}

function Sources({ store, thread, span }) {
  const { place, scheduled } = describe(thread.model, span);
  const origin = scheduled === null ? null : scheduled.place;
  const isSame = origin !== null && origin.file === place.file && Math.abs(origin.line - place.line) <= 2;
  return (
    <>
      <Source store={store} place={place} label="Function" />
      {origin !== null && !isSame && <Source store={store} place={origin} label="Scheduled at" />}
      {origin !== null && isSame &&
        <p class="scheduled"><span class="soft">Scheduled at</span> <code>{formatPlace(origin)}</code></p>}
    </>
  );
}

export function SpanLink({ thread, span, actions, children }) {
  const place = formatPlace(shownPlace(thread, span));
  return (
    <button type="button" class="span-link" onClick={() => actions.select(thread, span)}>
      <Chip thread={thread} span={span} />
      <span class="name">{titleOf(thread, span)}</span>
      {place !== '' && <code class="soft">{place}</code>}
      {children}
    </button>
  );
}

// From the callback that scheduled it back to the main script.
function Causes({ thread, span, actions }) {
  const { cause } = thread.spans;
  const chain = [];
  for (let up = cause[span]; up >= 0 && chain.length < kMostCauses; up = cause[up]) chain.push(up);
  if (chain.length === 0) return null;
  return (
    <div class="links" data-testid="causes">
      <h3>Caused by</h3>
      <ol>{chain.map((up) => <li key={up}><SpanLink thread={thread} span={up} actions={actions} /></li>)}</ol>
    </div>
  );
}

function Touches({ thread, span }) {
  const touches = thread.touchesOf(span);
  if (touches.length === 0) return null;
  return (
    <div class="links" data-testid="touches">
      <h3>Touches outside</h3>
      <ul>
        {touches.slice(0, kMostEffects).map(({ what, writes }, i) => (
          <li key={i}>{writes ? 'writes' : 'reads'} <code>{what}</code></li>
        ))}
      </ul>
    </div>
  );
}

function Effects({ model, thread, span, actions }) {
  const effects = model.causedBy(thread, span);
  if (effects.length === 0) return null;
  const shown = [...effects.subarray(0, kMostEffects)];
  return (
    <div class="links" data-testid="effects">
      <h3>Asked for {plural(effects.length, 'callback')}</h3>
      <ul>{shown.map((down) => <li key={down}><SpanLink thread={thread} span={down} actions={actions} /></li>)}</ul>
      {effects.length > shown.length && <p class="soft">and {effects.length - shown.length} more</p>}
    </div>
  );
}
