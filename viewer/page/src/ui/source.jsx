// A line of a source file with its neighbours.
import { formatPlace } from '../data/describe.js';
import { colourLines } from './highlight.js';

const kNeighbours = 3;

export function Source({ store, place, label }) {
  if (place.file === '') return null;
  const { model } = store;
  const text = model.sources.get(place.file);
  if (text === undefined) store.requestSource?.(place.file);
  return (
    <figure class="source" data-testid="source">
      <figcaption>
        <span class="soft">{label}</span>{' '}
        <code title={`${place.file}:${place.line}:${place.column}`}>{formatPlace(place)}</code>
      </figcaption>
      {typeof text === 'string' && place.line > 0 && <Lines text={text} place={place} />}
    </figure>
  );
}

function Lines({ text, place }) {
  const lines = colourLines(text);
  if (place.line > lines.length) return null;
  const from = Math.max(1, place.line - kNeighbours);
  const to = Math.min(lines.length, place.line + kNeighbours);
  const rows = [];
  for (let n = from; n <= to; n++) {
    const isIt = n === place.line;
    rows.push(
      <div class={isIt ? 'code-line here' : 'code-line'} key={n} aria-current={isIt ? 'location' : undefined}>
        <span class="line-number">{n}</span>
        <code>
          {lines[n - 1].map(([kind, piece], i) =>
            (kind === '' ? piece : <span class={`code-${kind}`} key={i}>{piece}</span>))}
          {'\n'}
        </code>
      </div>,
    );
  }
  return <pre class="code" tabIndex={0} aria-label={`Source around line ${place.line}`}>{rows}</pre>;
}
