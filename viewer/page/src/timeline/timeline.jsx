// The timeline: a canvas with mouse, touch and keyboard control.
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatValue, formatTime, formatPlace, shownPlace, titleOf, whatOf } from '../data/describe.js';
import { work } from '../data/lane.js';
import { useStore } from '../ui/use_store.js';
import { draw } from './draw.js';
import { readPalette } from './palette.js';
import { pick, pickCounter } from './pick.js';
import { kAxisHeight, layOut, rowOf } from './rows.js';

const kGutter = 118;
const kNarrowGutter = 64;
const kDragStart = 4; // Pixels: less is a click.

export function Timeline({ store, actions }) {
  const canvas = useRef(null);
  const [scene] = useState(() => new Scene(store));
  const [tip, setTip] = useState(null);
  const state = useStore(store);
  scene.state = state;

  useEffect(() => {
    window.rondo = { ...window.rondo, scene };
    return scene.attach(canvas.current, actions, setTip);
  }, []);
  useEffect(() => scene.modelChanged(), [state.version]);
  useEffect(() => scene.themeChanged(), [state.theme]);
  scene.request();

  return (
    <div class="timeline" style={{ flexBasis: `${kAxisHeight + layOut(store.model).height}px` }}>
      <canvas ref={canvas} class="timeline-canvas" tabIndex={0} role="application" aria-roledescription="timeline"
        aria-label="Timeline of turns, phases and callbacks" aria-describedby="timeline-help" data-testid="timeline" />
      <p id="timeline-help" class="hidden">
        Arrow keys left and right pan, plus and minus zoom, comma and full stop step from callback to callback,
        Z zooms to the
        selected callback, F fits the whole run. The table of callbacks below holds the same.
      </p>
      {tip !== null && (tip.counter === undefined ? <Tip {...tip} /> : <CounterTip {...tip} />)}
    </div>
  );
}

function Tip({ thread, span, x, y, flip }) {
  const what = whatOf(thread, span);
  const title = titleOf(thread, span);
  return (
    <div class="tip" aria-hidden="true"
      style={{ transform: `translate(${x}px, ${y}px)${flip ? ' translateX(-100%)' : ''}` }}>
      <strong>{title}</strong>
      <span>{formatTime(thread.duration(span))}{what !== title ? ` · ${what}` : ''}</span>
      <span class="soft">{formatPlace(shownPlace(thread, span))}</span>
    </div>
  );
}

function CounterTip({ counter, value, x, y, flip }) {
  return (
    <div class="tip" aria-hidden="true"
      style={{ transform: `translate(${x}px, ${y}px)${flip ? ' translateX(-100%)' : ''}` }}>
      <strong>{counter.label}</strong>
      <span>{formatValue(counter, value)}</span>
      <span class="soft">at most {formatValue(counter, counter.highest)}</span>
    </div>
  );
}

class Scene {
  constructor(store) {
    this.store = store;
    this.model = store.model;
    this.state = store.state;
    this.rows = [];
    this.content = 0;
    this.scroll = 0;
    this.hover = null;
    this.hasTip = false;
    this.frame = 0;
    this.frames = 0;
    this.width = 0;
    this.height = 0;
    this.gutter = kGutter;
    this.pointers = new Map();
    this.drag = null;
  }

  get view() {
    return this.store.view;
  }

  attach(canvas, actions, setTip) {
    this.canvas = canvas;
    this.actions = actions;
    this.setTip = setTip;
    this.context = canvas.getContext('2d', { alpha: false });
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const onScheme = () => this.themeChanged();
    const onView = () => this.request();
    const resize = new ResizeObserver(() => this.resize());
    const listeners = {
      wheel: (event) => this.onWheel(event),
      pointerdown: (event) => this.onDown(event),
      pointermove: (event) => this.onMove(event),
      pointerup: (event) => this.onUp(event),
      pointercancel: (event) => this.onUp(event),
      pointerleave: () => this.leave(),
      dblclick: (event) => this.onDouble(event),
      keydown: (event) => this.onKey(event),
    };
    for (const name in listeners) canvas.addEventListener(name, listeners[name], { passive: false });
    scheme.addEventListener('change', onScheme);
    this.store.viewListeners.add(onView);
    resize.observe(canvas);
    this.themeChanged();
    this.modelChanged();
    this.resize();
    return () => {
      resize.disconnect();
      scheme.removeEventListener('change', onScheme);
      this.store.viewListeners.delete(onView);
    };
  }

  resize() {
    const ratio = devicePixelRatio || 1;
    const { clientWidth, clientHeight } = this.canvas;
    this.width = clientWidth;
    this.height = clientHeight;
    this.gutter = clientWidth < 560 ? kNarrowGutter : kGutter;
    this.canvas.width = Math.round(clientWidth * ratio);
    this.canvas.height = Math.round(clientHeight * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.scrollBy(0);
    this.draw(); // At once: an empty canvas flickers.
  }

  modelChanged() {
    const { rows, height } = layOut(this.model);
    this.rows = rows;
    this.content = height;
    this.scrollBy(0);
    this.request();
  }

  themeChanged() {
    if (this.canvas === undefined) return;
    this.palette = readPalette(this.canvas);
    this.request();
  }

  request() {
    if (this.frame !== 0 || this.canvas === undefined) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  draw() {
    if (this.palette === undefined || this.width === 0) return;
    draw(this);
    this.frames++;
    // For tests, which bound the work of a frame.
    this.canvas.dataset.touched = work.touched;
    this.canvas.dataset.drawn = work.drawn;
    this.canvas.dataset.frames = this.frames;
  }

  scrollBy(pixels) {
    const most = Math.max(0, this.content - (this.height - kAxisHeight));
    const scroll = Math.min(Math.max(this.scroll + pixels, 0), most);
    const moved = scroll !== this.scroll;
    this.scroll = scroll;
    return moved;
  }

  // The point on the canvas where a span is drawn.
  pointOf(thread, span) {
    const row = rowOf(this.rows, thread, span);
    const { begin, end } = thread.spans;
    const scale = (this.width - this.gutter) / (this.view.to - this.view.from);
    return {
      x: this.gutter + ((begin[span] + end[span]) / 2 - this.view.from) * scale,
      y: kAxisHeight + row.y - this.scroll + row.height * 0.7,
    };
  }

  position(event) {
    const box = this.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  part(x) {
    return Math.min(Math.max((x - this.gutter) / (this.width - this.gutter), 0), 1);
  }

  timeAt(x) {
    return this.view.from + (this.view.to - this.view.from) * this.part(x);
  }

  onWheel(event) {
    event.preventDefault();
    const { x } = this.position(event);
    const unit = event.deltaMode === 1 ? 20 : 1;
    const dx = (event.shiftKey ? event.deltaX || event.deltaY : event.deltaX) * unit;
    const dy = event.shiftKey ? 0 : event.deltaY * unit;
    if (event.altKey) {
      this.scrollBy(dy);
      this.request();
    } else if (Math.abs(dx) > Math.abs(dy)) {
      this.actions.pan(dx / (this.width - this.gutter));
    } else {
      this.actions.zoom(Math.exp(Math.min(Math.max(dy, -120), 120) * (event.ctrlKey ? 0.01 : 0.0025)), this.part(x));
    }
    this.leave();
  }

  onDown(event) {
    if (event.button !== 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    const at = this.position(event);
    this.pointers.set(event.pointerId, at);
    if (this.pointers.size === 2) {
      this.startPinch();
    } else if (at.y < kAxisHeight) {
      this.drag = { kind: 'cursor' };
      this.actions.moveCursor(this.timeAt(at.x));
    } else {
      this.drag = { kind: 'click', x: at.x, y: at.y, from: this.view.from, to: this.view.to, scroll: this.scroll };
    }
  }

  startPinch() {
    const [a, b] = [...this.pointers.values()];
    this.drag = {
      kind: 'pinch',
      distance: Math.max(20, Math.abs(a.x - b.x)),
      time: this.timeAt((a.x + b.x) / 2),
      width: this.view.to - this.view.from,
    };
  }

  onMove(event) {
    const at = this.position(event);
    if (!this.pointers.has(event.pointerId)) return this.point(at, event.pointerType);
    this.pointers.set(event.pointerId, at);
    const { drag } = this;
    if (drag === null) return;
    if (drag.kind === 'cursor') return this.actions.moveCursor(this.timeAt(at.x));
    if (drag.kind === 'pinch') return this.pinch();
    if (drag.kind === 'click' && Math.hypot(at.x - drag.x, at.y - drag.y) < kDragStart) return;
    drag.kind = 'pan';
    this.leave();
    this.canvas.classList.add('dragging');
    const shift = ((drag.x - at.x) / (this.width - this.gutter)) * (drag.to - drag.from);
    this.scroll = drag.scroll;
    this.scrollBy(drag.y - at.y);
    this.actions.show(drag.from + shift, drag.to + shift);
    this.request();
  }

  pinch() {
    if (this.pointers.size < 2) return;
    const [a, b] = [...this.pointers.values()];
    const width = (this.drag.width * this.drag.distance) / Math.max(20, Math.abs(a.x - b.x));
    const part = this.part((a.x + b.x) / 2);
    this.actions.show(this.drag.time - width * part, this.drag.time + width * (1 - part));
  }

  onUp(event) {
    const at = this.position(event);
    this.pointers.delete(event.pointerId);
    this.canvas.classList.remove('dragging');
    const { drag } = this;
    this.drag = null;
    if (drag === null || drag.kind !== 'click' || event.type !== 'pointerup') return;
    const found = pick(this, at.x, at.y);
    if (found !== null) {
      this.actions.select(found.thread, found.span, false);
    } else {
      this.actions.unselect();
      this.actions.moveCursor(this.timeAt(at.x));
    }
  }

  onDouble(event) {
    const { x, y } = this.position(event);
    if (pick(this, x, y) !== null) this.actions.zoomToSelected();
  }

  point(at, type) {
    const found = type === 'touch' ? null : pick(this, at.x, at.y);
    const same = found === null ? this.hover === null :
      this.hover !== null && this.hover.span === found.span && this.hover.thread === found.thread;
    this.hover = found;
    this.canvas.style.cursor = found === null ? '' : 'pointer';
    const shown = found ?? (type === 'touch' ? null : pickCounter(this, at.x, at.y));
    if (shown !== null) {
      const flip = at.x > this.width - 260;
      this.setTip({ ...shown, x: at.x + (flip ? -12 : 14), y: at.y + 18, flip });
      this.hasTip = true;
    } else if (this.hasTip) {
      this.hasTip = false;
      this.setTip(null);
    }
    if (!same) this.request();
  }

  leave() {
    if (this.hover === null && !this.hasTip) return;
    this.hover = null;
    this.hasTip = false;
    this.setTip(null);
    this.request();
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const far = event.shiftKey ? 0.8 : 0.15;
    switch (event.key) {
      case 'ArrowLeft': this.actions.pan(-far); break;
      case 'ArrowRight': this.actions.pan(far); break;
      case 'ArrowUp': this.scrollBy(-30); this.request(); break;
      case 'ArrowDown': this.scrollBy(30); this.request(); break;
      case 'PageUp': this.actions.pan(-0.9); break;
      case 'PageDown': this.actions.pan(0.9); break;
      case '+': case '=': this.actions.zoom(0.6); break;
      case '-': case '_': this.actions.zoom(1 / 0.6); break;
      case 'Home': this.actions.stepTo(-1); break;
      case 'End': this.actions.stepTo(1); break;
      case 'Enter': this.actions.zoomToSelected(); break;
      default: return;
    }
    event.preventDefault();
  }
}
