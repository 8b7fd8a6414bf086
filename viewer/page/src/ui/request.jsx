// The selected HTTP request: where its time went, the requests that it sent, and the callbacks that it caused.
import { formatTime, plural } from '../data/describe.js';
import { callbacksOf, figuresOf, isServed, partsOf } from '../data/requests.js';
import { SpanLink } from './details.jsx';

const kMostCallbacks = 12;
const kKinds = {
  ran: 'ran',
  blocked: 'blocked by',
  outgoing: 'waited for',
  job: 'on the pool',
  waited: 'waited for',
};

export function queuedText({ queued, mostQueued }) {
  return mostQueued >= 2 * queued && mostQueued >= 1e6 ? `${formatTime(queued)} to ${formatTime(mostQueued)}` :
    formatTime(queued);
}

function Part({ part, thread, actions }) {
  return (
    <li class="part">
      <span class="number">{formatTime(part.duration)}</span>
      <span class="soft">{kKinds[part.kind]}</span>
      <SpanLink thread={thread} span={part.span} actions={actions}>
        {part.times > 1 && <span class="soft"> {part.times} times</span>}
      </SpanLink>
    </li>
  );
}

export function RequestParts({ thread, span, actions }) {
  const { outgoing, parent } = figuresOf(thread, span);
  if (!isServed(thread, span)) {
    return parent < 0 ? null : (
      <div class="links" data-testid="request-parent">
        <h3>Sent for</h3>
        <SpanLink thread={thread} span={parent} actions={actions} />
      </div>
    );
  }
  const parts = partsOf(thread, span);
  const callbacks = callbacksOf(thread, span);
  return (
    <>
      {parts.length > 0 && (
        <div class="links" data-testid="request-parts">
          <h3>Where the time went</h3>
          <ul>{parts.map((part, i) => <Part key={i} part={part} thread={thread} actions={actions} />)}</ul>
        </div>
      )}
      {outgoing.length > 0 && (
        <div class="links" data-testid="request-outgoing">
          <h3>Sent {plural(outgoing.length, 'request')}</h3>
          <ul>
            {outgoing.slice(0, kMostCallbacks).map((other) => (
              <li class="part" key={other}>
                <span class="number">{formatTime(thread.duration(other))}</span>
                <SpanLink thread={thread} span={other} actions={actions} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {callbacks.length > 0 && (
        <div class="links" data-testid="request-callbacks">
          <h3>Caused {plural(callbacks.length, 'callback')}</h3>
          <ul>
            {callbacks.slice(0, kMostCallbacks).map((down) => (
              <li key={down}><SpanLink thread={thread} span={down} actions={actions} /></li>
            ))}
          </ul>
          {callbacks.length > kMostCallbacks && <p class="soft">and {callbacks.length - kMostCallbacks} more</p>}
        </div>
      )}
    </>
  );
}

// Of a callback: the request that it belongs to.
export function RequestLink({ thread, span, actions }) {
  return (
    <div class="links" data-testid="request-owner">
      <h3>Belongs to</h3>
      <SpanLink thread={thread} span={span} actions={actions} />
    </div>
  );
}
