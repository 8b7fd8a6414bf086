// Actions of buttons, keys and clicks.
import { Search } from './data/search.js';

const kLeastView = 200; // Nanoseconds: no view is narrower.
const kOver = 0.1; // Fraction of the view that may lie beyond the ends.
const kMargin = 0.02; // Fraction of the view left free beside the zoomed span.

export class Actions {
  constructor(store) {
    this.store = store;
    this.timer = 0;
    this.animation = 0;
  }

  // Clamps a view to the recorded time, and shows it.
  show(from, to) {
    if (!Number.isFinite(from) || !Number.isFinite(to)) return;
    const { start, end } = this.store.model;
    const whole = Math.max(end - start, kLeastView) * (1 + 2 * kMargin);
    const width = Math.min(Math.max(to - from, kLeastView), whole);
    const margin = width * kOver;
    const at = Math.max(Math.min(from, end + margin - width), start - margin);
    this.store.setView(at, at + width);
  }

  // The same, animated.
  glide(from, to) {
    cancelAnimationFrame(this.animation);
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return this.show(from, to);
    const start = performance.now();
    const old = this.store.view;
    const step = (now) => {
      const part = Math.min(1, (now - start) / 180);
      const ease = 1 - (1 - part) ** 3;
      // Widths are interpolated by their logarithms, so that long zooms look as even as short ones.
      const oldWidth = old.to - old.from;
      const width = oldWidth * ((to - from) / oldWidth) ** ease;
      const oldMiddle = (old.from + old.to) / 2;
      const middle = (from + to) / 2;
      const shift = oldWidth === to - from ? ease : (oldWidth - width) / (oldWidth - (to - from));
      const at = oldMiddle + (middle - oldMiddle) * shift;
      if (part < 1) {
        this.show(at - width / 2, at + width / 2);
        this.animation = requestAnimationFrame(step);
      } else {
        this.show(from, to);
      }
    };
    this.animation = requestAnimationFrame(step);
  }

  fit() {
    const { start, end } = this.store.model;
    const margin = (end - start) * kMargin;
    this.glide(start - margin, end + margin);
  }

  // factor below 1: closer. The point at `part` of the view stays fixed.
  zoom(factor, part = 0.5) {
    const { from, to } = this.store.view;
    const at = from + (to - from) * part;
    const width = Math.max(kLeastView, (to - from) * factor);
    this.show(at - width * part, at + width * (1 - part));
  }

  // part of the width of the view.
  pan(part) {
    const { from, to } = this.store.view;
    this.show(from + (to - from) * part, to + (to - from) * part);
  }

  // `follow`: moves the view if the span is not in it.
  select(thread, span, follow = true) {
    const begin = thread.spans.begin[span];
    this.store.set({ selected: { thread, span }, cursor: begin });
    if (!follow) return;
    const { from, to } = this.store.view;
    const width = to - from;
    const duration = thread.duration(span);
    if (begin >= from && begin + Math.min(duration, width * 0.5) <= to) return;
    // Not further out than the recorded time.
    const { model } = this.store;
    const least = model.start - width * kMargin;
    const start = Math.max(least, Math.min(begin - width * 0.3, model.end + width * kMargin - width));
    this.glide(start, start + width);
  }

  unselect() {
    this.store.set({ selected: null });
  }

  zoomToSelected() {
    const { selected } = this.store.state;
    if (selected === null) return;
    const { spans } = selected.thread;
    const begin = spans.begin[selected.span];
    const width = Math.max(selected.thread.duration(selected.span), kLeastView);
    this.glide(begin - width * 0.6, begin + width * 1.6);
  }

  moveCursor(time) {
    this.store.set({ cursor: Math.min(Math.max(time, 0), this.store.model.end) });
  }

  // Selects the next or previous callback, tick or microtask of any thread. false: there is none.
  step(direction) {
    const { model, state } = this.store;
    let best = null;
    for (const thread of model.threads) {
      const { steps, spans } = thread;
      if (steps.length === 0) continue;
      let i;
      if (state.selected !== null && state.selected.thread === thread) {
        i = positionOf(steps, spans, state.selected.span) + direction;
      } else {
        const time = state.selected === null ? state.cursor : state.selected.thread.spans.begin[state.selected.span];
        i = steps.firstBeginningAt(time);
        if (state.selected === null && direction > 0 && state.cursor === 0) i = 0;
        else if (direction < 0) i--;
      }
      if (i < 0 || i >= steps.length) continue;
      const span = steps.ids[i];
      const begin = spans.begin[span];
      if (best === null || (direction > 0 ? begin < best.begin : begin > best.begin)) best = { thread, span, begin };
    }
    if (best === null) return false;
    this.select(best.thread, best.span);
    return true;
  }

  stepTo(end) {
    let best = null;
    for (const thread of this.store.model.threads) {
      const { steps, spans } = thread;
      if (steps.length === 0) continue;
      const span = steps.ids[end > 0 ? steps.length - 1 : 0];
      const begin = spans.begin[span];
      if (best === null || (end > 0 ? begin > best.begin : begin < best.begin)) best = { thread, span, begin };
    }
    if (best !== null) this.select(best.thread, best.span);
  }

  play() {
    if (this.store.state.playing) return this.pause();
    this.store.set({ playing: true });
    const tick = () => {
      if (!this.store.state.playing) return;
      if (!this.step(1)) return this.pause();
      this.timer = setTimeout(tick, 1000 / this.store.state.speed);
    };
    tick();
  }

  pause() {
    clearTimeout(this.timer);
    this.store.set({ playing: false });
  }

  setSpeed(speed) {
    this.store.set({ speed });
  }

  search(text) {
    this.store.set({ search: new Search(this.store.model, text) });
  }

  searchStep(direction) {
    const { search, selected, cursor } = this.store.state;
    const time = selected === null ? cursor - (direction > 0 ? 1 : 0) : selected.thread.spans.begin[selected.span];
    const found = search.next(time, direction);
    if (found !== null) this.select(found.thread, found.span);
  }

  setTheme(theme) {
    // Before the colours are read again.
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    this.store.set({ theme });
  }

  setTab(tab) {
    this.store.set({ tab });
  }
}

// The index of the span among the steps, or its insertion point.
function positionOf(steps, spans, span) {
  const begin = spans.begin[span];
  let i = steps.firstBeginningAt(begin);
  while (i < steps.length && spans.begin[steps.ids[i]] === begin && steps.ids[i] < span) i++;
  return i;
}
