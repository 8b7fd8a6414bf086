// Starts the page: reads its embedded data, or polls its server.
import { render } from 'preact';
import { Actions } from './actions.js';
import { decodeThread } from './data/embedded.js';
import { follow } from './data/live.js';
import { Store } from './store.js';
import { App } from './ui/app.jsx';
import './style/index.css';

const data = JSON.parse(document.getElementById('rondo-data').textContent);
const store = new Store();
const actions = new Actions(store);

function start() {
  try {
    for (const thread of data.threads) store.model.add(decodeThread(thread));
    for (const file in data.sources) store.model.sources.set(file, data.sources[file]);
    store.modelChanged();
  } catch (error) {
    store.set({ failure: `The trace cannot be shown: ${error.message}` });
  }
  const { start: from, end } = store.model;
  const margin = (end - from) * 0.02;
  actions.show(from - margin, end + margin);
  const root = document.getElementById('app');
  root.textContent = '';
  render(<App store={store} actions={actions} />, root);
  // For the browser's console and for tests.
  window.rondo = { ...window.rondo, store, actions };
  if (data.live !== null) follow(store, actions, data.live);
}

start();
