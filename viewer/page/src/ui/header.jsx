import { useRef } from 'preact/hooks';
import { formatCount, formatTime, plural, shortFile } from '../data/describe.js';
import { Icon, Logo } from './icons.jsx';
import { useStore } from './use_store.js';

const kThemes = { auto: ['auto', 'as the system'], light: ['sun', 'light'], dark: ['moon', 'dark'] };
const kNextTheme = { auto: 'light', light: 'dark', dark: 'auto' };

// The program and its arguments. Options of rondo that change its behaviour are shown, those of the recording are not.
export function nameOfRun(header) {
  if (header === null) return '';
  const words = header.commandLine.slice(1).filter((word) => !word.startsWith('--trace-'));
  const at = words.findIndex((word) => !word.startsWith('-'));
  if (at < 0) return words.join(' ');
  return [shortFile(words[at]), ...words.slice(at + 1), ...words.slice(0, at)].join(' ');
}

function Facts({ model, state }) {
  const { header, threads } = model;
  if (header === null) return null;
  let turns = 0;
  let callbacks = 0;
  let dropped = 0;
  for (const thread of threads) {
    turns += thread.lanes.turns.length;
    callbacks += thread.steps.length;
    dropped += thread.dropped;
  }
  return (
    <p class="facts">
      <span>{formatTime(model.end - model.start)}</span>
      <span>{plural(turns, 'turn')}</span>
      <span>{plural(callbacks, 'callback')}</span>
      {threads.length > 1 && <span>{plural(threads.length, 'thread')}</span>}
      {header.isVirtual && <span>virtual clock</span>}
      {dropped > 0 && <span class="warn">{formatCount(dropped)} older records are gone</span>}
      {state.live === 'running' && <span class="live" data-testid="live">recording</span>}
      {state.live === 'lost' && <span class="warn">connection lost</span>}
      {state.live !== 'running' && header.exitCode >= 0 && (
        <span class={header.exitCode === 0 ? '' : 'warn'}>exit code {header.exitCode}</span>
      )}
    </p>
  );
}

function SearchBox({ store, actions, state }) {
  const input = useRef(null);
  const { search } = state;
  const count = search.found.length;
  const onKey = (event) => {
    if (event.key === 'Enter') {
      actions.searchStep(event.shiftKey ? -1 : 1);
      event.preventDefault();
    } else if (event.key === 'Escape') {
      input.current.value = '';
      actions.search('');
      input.current.blur();
    }
  };
  return (
    <div class="search" role="search">
      <Icon name="search" />
      <input ref={input} id="search" type="search" placeholder="Function or file"
        aria-label="Search callbacks by function or file" autocomplete="off" spellcheck={false}
        onInput={(event) => actions.search(event.target.value)} onKeyDown={onKey} />
      {search.isActive && (
        <span class="found" data-testid="found" aria-live="polite">
          {count === 0 ? 'none' : `${formatCount(search.position(state.selected))} / ${formatCount(count)}`}
        </span>
      )}
      <button type="button" class="plain" aria-label="Previous match" title="Previous match (Shift+Enter)"
        disabled={search.found.length === 0} onClick={() => actions.searchStep(-1)}><Icon name="up" />
      </button>
      <button type="button" class="plain" aria-label="Next match" title="Next match (Enter)"
        disabled={search.found.length === 0} onClick={() => actions.searchStep(1)}><Icon name="down" />
      </button>
    </div>
  );
}

export function Header({ store, actions, onHelp }) {
  const state = useStore(store);
  const { model } = store;
  const [icon, words] = kThemes[state.theme];
  return (
    <header class="header">
      <Logo />
      <div class="title">
        <h1 title={model.header?.commandLine.join(' ')}>{nameOfRun(model.header) || 'trace'}</h1>
        <Facts model={model} state={state} version={state.version} />
      </div>
      <SearchBox store={store} actions={actions} state={state} />
      <button type="button" class="plain" aria-label={`Colours: ${words}. Change`} title={`Colours: ${words}`}
        data-testid="theme" onClick={() => actions.setTheme(kNextTheme[state.theme])}><Icon name={icon} />
      </button>
      <button type="button" class="plain" aria-label="Keys and help" title="Keys (?)" onClick={onHelp}>
        <Icon name="help" />
      </button>
    </header>
  );
}
