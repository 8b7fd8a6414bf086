// Play, step and zoom.
import { formatTime } from '../data/describe.js';
import { Icon } from './icons.jsx';
import { Overview } from './overview.jsx';
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
