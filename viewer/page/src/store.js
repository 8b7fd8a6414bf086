// The state of the page and its listeners. The view of the timeline changes with every frame while it is dragged, so it
// has separate listeners.
import { Model } from './data/model.js';
import { Search } from './data/search.js';

export class Store {
  constructor() {
    this.model = new Model();
    this.state = {
      version: 0, // Of the model.
      selected: null, // { thread, span }
      cursor: 0, // The time that the ring shows.
      search: new Search(this.model, ''),
      playing: false,
      speed: 2, // Callbacks per second.
      theme: 'auto',
      tab: 'slowest',
      live: null, // null: a file; otherwise 'running', 'ended' or 'lost'
      failure: '',
    };
    this.view = { from: 0, to: 1 };
    this.listeners = new Set();
    this.viewListeners = new Set();
  }

  set(change) {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener(this.state);
  }

  setView(from, to) {
    this.view = { from, to };
    for (const listener of this.viewListeners) listener(this.view);
  }

  // Call it after records were added.
  modelChanged() {
    const { search } = this.state;
    this.set({
      version: this.model.version,
      search: search.isActive ? new Search(this.model, search.text) : search,
    });
  }
}
