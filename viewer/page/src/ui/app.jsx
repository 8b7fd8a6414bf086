import { useEffect, useState } from 'preact/hooks';
import { sentenceOf } from '../data/describe.js';
import { Timeline } from '../timeline/timeline.jsx';
import { Details } from './details.jsx';
import { Header } from './header.jsx';
import { Help } from './help.jsx';
import { Lists } from './lists.jsx';
import { Ring } from './ring.jsx';
import { Transport } from './transport.jsx';
import { useStore } from './use_store.js';

const kNextTheme = { auto: 'light', light: 'dark', dark: 'auto' };

// Keys that work everywhere except in text fields.
function onKey(event, store, actions, setHelp) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const { target } = event;
  if (target.matches('input, select, textarea, dialog *')) return;
  const isButton = target.matches('button, summary');
  const { selected } = store.state;
  switch (event.key) {
    case ' ':
      if (isButton) return;
      actions.play();
      break;
    case ',': actions.step(-1); break;
    case '.': actions.step(1); break;
    case 'Home': actions.stepTo(-1); break;
    case 'End': actions.stepTo(1); break;
    case '/': document.getElementById('search').focus(); break;
    case '+': case '=': actions.zoom(0.6); break;
    case '-': actions.zoom(1 / 0.6); break;
    case 'f': actions.fit(); break;
    case 'z': actions.zoomToSelected(); break;
    case 't': actions.setTheme(kNextTheme[store.state.theme]); break;
    case '?': setHelp(true); break;
    case 'c':
      if (selected !== null && selected.thread.spans.cause[selected.span] >= 0) {
        actions.select(selected.thread, selected.thread.spans.cause[selected.span]);
      }
      break;
    case 'Escape': actions.unselect(); break;
    default: return;
  }
  event.preventDefault();
}

export function App({ store, actions }) {
  const state = useStore(store);
  const [isHelpOpen, setHelp] = useState(false);
  useEffect(() => {
    const listen = (event) => onKey(event, store, actions, setHelp);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
  const { selected } = state;
  return (
    <>
      <Header store={store} actions={actions} onHelp={() => setHelp(true)} />
      {state.failure !== '' && <p class="failure" role="alert">{state.failure}</p>}
      <main>
        <section class="stage" aria-label="Timeline">
          <Transport store={store} actions={actions} />
          <Timeline store={store} actions={actions} />
        </section>
        <div class="below">
          <Ring store={store} />
          <Details store={store} actions={actions} />
          <Lists store={store} actions={actions} />
        </div>
      </main>
      <Help isOpen={isHelpOpen} onClose={() => setHelp(false)} />
      <p class="hidden" role="status" aria-live="polite" data-testid="status">
        {selected === null ? '' : sentenceOf(selected.thread, selected.span)}
      </p>
    </>
  );
}
