// Play, step and zoom; and the whole run in small, with the part of it that the timeline shows.
import { useEffect, useRef } from 'preact/hooks';
import { formatTime } from '../data/describe.js';
import { readPalette } from '../timeline/palette.js';
import { Icon } from './icons.jsx';
import { useStore, useView } from './use_store.js';

const kSpeeds = [0.5, 1, 2, 5, 10, 30];

function Button({ icon, label, keys, onClick, ...rest }) {
  return (
    <button type="button" class="plain" aria-label={label} title={`${label} (${keys})`} onClick={onClick} {...rest}>
      <Icon name={icon} />
    </button>
  );
}

export function Transport({ store, actions }) {
  const state = useStore(store);
  const view = useView(store, 60);
  return (
    <div class="transport">
      <div class="group" role="group" aria-label="Step through the run">
        <Button icon="first" label="First callback" keys="Home" onClick={() => actions.stepTo(-1)} />
        <Button icon="previous" label="Previous callback" keys="," onClick={() => actions.step(-1)} />
        <button type="button" class="main" aria-label={state.playing ? 'Pause' : 'Play'} aria-pressed={state.playing}
          title="Play or pause (Space)" data-testid="play" onClick={() => actions.play()}>
          <Icon name={state.playing ? 'pause' : 'play'} />
        </button>
        <Button icon="next" label="Next callback" keys="." onClick={() => actions.step(1)} />
        <Button icon="last" label="Last callback" keys="End" onClick={() => actions.stepTo(1)} />
        <select aria-label="Callbacks per second while playing" title="Callbacks per second" value={state.speed}
          onChange={(event) => actions.setSpeed(Number(event.target.value))}>
          {kSpeeds.map((speed) => <option value={speed} key={speed}>{speed} per s</option>)}
        </select>
      </div>
      <Overview store={store} actions={actions} state={state} />
      <div class="group" role="group" aria-label="Zoom">
        <span class="extent" title="Width of the view">{formatTime(view.to - view.from)}</span>
        <Button icon="minus" label="Zoom out" keys="-" onClick={() => actions.zoom(2)} />
        <Button icon="plus" label="Zoom in" keys="+" onClick={() => actions.zoom(0.5)} />
        <Button icon="target" label="Zoom to the selected callback" keys="Z" disabled={state.selected === null}
          onClick={() => actions.zoomToSelected()} />
        <Button icon="fit" label="Fit the whole run" keys="F" onClick={() => actions.fit()} />
      </div>
    </div>
  );
}

function Overview({ store, actions, state }) {
  const canvas = useRef(null);
  useEffect(() => {
    const element = canvas.current;
    const request = () => drawOverview(element, store);
    const resize = new ResizeObserver(request);
    resize.observe(element);
    store.viewListeners.add(request);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', request);
    return () => {
      resize.disconnect();
      store.viewListeners.delete(request);
      scheme.removeEventListener('change', request);
    };
  }, []);
  useEffect(() => drawOverview(canvas.current, store));
  const move = (event) => {
    if (event.buttons !== 1) return;
    const box = canvas.current.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * store.model.end;
    const half = (store.view.to - store.view.from) / 2;
    actions.show(at - half, at + half);
  };
  // It repeats the timeline, for the eye only.
  return <canvas ref={canvas} class="overview" aria-hidden="true" data-theme={state.theme} onPointerDown={move} onPointerMove={move} />;
}

function drawOverview(canvas, store) {
  const { clientWidth: width, clientHeight: height } = canvas;
  if (width === 0) return;
  const ratio = devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext('2d');
  context.scale(ratio, ratio);
  const palette = readPalette(canvas);
  const { model, view, state } = store;
  const { end } = model;
  const rows = model.threads.slice(0, 4);
  const each = (height - 6) / Math.max(1, rows.length);
  rows.forEach((thread, i) => {
    // How busy the loop was: the time of callbacks in every two pixels.
    const { spans } = thread;
    for (let x = 0; x < width; x += 2) {
      const from = (x / width) * end;
      const to = ((x + 2) / width) * end;
      let busy = thread.lanes.tasks.busy(from, to);
      for (const lane of thread.lanes.callbacks.slice(0, 1)) busy += lane.busy(from, to);
      const part = Math.min(1, busy / (to - from));
      if (part === 0) continue;
      const at = thread.lanes.phases.at((from + to) / 2);
      context.fillStyle = palette.phases[at < 0 ? 0 : spans.phase[at]];
      const tall = Math.max(2, part * (each - 2));
      context.fillRect(x, 3 + i * each + each - tall, 2, tall);
    }
  });
  const left = Math.max(0, (view.from / end) * width);
  const right = Math.min(width, (view.to / end) * width);
  context.fillStyle = palette.sunken;
  context.globalAlpha = 0.7;
  context.fillRect(0, 0, left, height);
  context.fillRect(right, 0, width - right, height);
  context.globalAlpha = 1;
  context.strokeStyle = palette.accent;
  context.lineWidth = 1.5;
  context.strokeRect(left + 0.75, 0.75, Math.max(3, right - left) - 1.5, height - 1.5);
  context.fillStyle = palette.accent;
  context.fillRect((state.cursor / end) * width - 0.5, 0, 1, height);
}
