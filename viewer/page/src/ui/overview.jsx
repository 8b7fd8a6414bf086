// Overview of the whole run: how busy the loop was, and the part that the timeline shows.
import { useEffect, useRef, useState } from 'preact/hooks';
import { readPalette } from '../timeline/palette.js';

const kStep = 2; // Pixels.
const kMostThreads = 4;

export function Overview({ store, actions, state }) {
  const canvas = useRef(null);
  const [picture] = useState(() => new Picture(store));
  useEffect(() => {
    picture.canvas = canvas.current;
    const all = () => picture.drawAll();
    const frame = () => picture.drawFrame();
    const resize = new ResizeObserver(all);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    resize.observe(canvas.current);
    scheme.addEventListener('change', all);
    store.viewListeners.add(frame);
    return () => {
      resize.disconnect();
      scheme.removeEventListener('change', all);
      store.viewListeners.delete(frame);
    };
  }, []);
  useEffect(() => picture.drawAll(), [state.version, state.theme]);
  useEffect(() => picture.drawFrame(), [state.cursor]);
  const move = (event) => {
    if (event.buttons !== 1) return;
    const box = canvas.current.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * store.model.end;
    const half = (store.view.to - store.view.from) / 2;
    actions.show(at - half, at + half);
  };
  // It repeats the timeline, so it is hidden from screen readers.
  return <canvas ref={canvas} class="overview" aria-hidden="true" onPointerDown={move} onPointerMove={move} />;
}

// The part that does not change with the view is drawn once, and copied.
class Picture {
  constructor(store) {
    this.store = store;
    this.base = document.createElement('canvas');
    this.width = 0;
  }

  drawAll() {
    const { canvas, base } = this;
    if (canvas === undefined) return;
    this.width = canvas.clientWidth;
    this.height = canvas.clientHeight;
    this.ratio = devicePixelRatio || 1;
    for (const each of [canvas, base]) {
      each.width = Math.round(this.width * this.ratio);
      each.height = Math.round(this.height * this.ratio);
    }
    if (this.width === 0) return;
    this.palette = readPalette(canvas);
    const context = base.getContext('2d');
    context.scale(this.ratio, this.ratio);
    const threads = this.store.model.threads.slice(0, kMostThreads);
    const each = (this.height - 6) / Math.max(1, threads.length);
    threads.forEach((thread, i) => this.drawThread(context, thread, 3 + i * each, each));
    this.drawFrame();
  }

  drawThread(context, thread, y, height) {
    const { end } = this.store.model;
    const { callbacks, phases, tasks } = thread.lanes;
    for (let x = 0; x < this.width; x += kStep) {
      const from = (x / this.width) * end;
      const to = ((x + kStep) / this.width) * end;
      const busy = tasks.busy(from, to) + (callbacks.length > 0 ? callbacks[0].busy(from, to) : 0);
      if (busy === 0) continue;
      const at = phases.at((from + to) / 2);
      context.fillStyle = this.palette.phases[at < 0 ? 0 : thread.spans.phase[at]];
      const tall = Math.max(2, Math.min(1, busy / (to - from)) * (height - 2));
      context.fillRect(x, y + height - tall, kStep, tall);
    }
  }

  drawFrame() {
    if (this.width === 0) return;
    const { canvas, palette, width, height } = this;
    const { model, view, state } = this.store;
    const context = canvas.getContext('2d');
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(this.base, 0, 0);
    context.scale(this.ratio, this.ratio);
    const left = Math.max(0, (view.from / model.end) * width);
    const right = Math.min(width, (view.to / model.end) * width);
    context.fillStyle = palette.sunken;
    context.globalAlpha = 0.7;
    context.fillRect(0, 0, left, height);
    context.fillRect(right, 0, width - right, height);
    context.globalAlpha = 1;
    context.strokeStyle = palette.accent;
    context.lineWidth = 1.5;
    context.strokeRect(left + 0.75, 0.75, Math.max(3, right - left) - 1.5, height - 1.5);
    context.fillStyle = palette.accent;
    context.fillRect((state.cursor / model.end) * width - 0.5, 0, 1, height);
  }
}
