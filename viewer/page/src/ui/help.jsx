import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icons.jsx';

const kKeys = [
  ['Space', 'play or pause'],
  [', and .', 'previous and next callback'],
  ['Home, End', 'first and last callback'],
  ['C', 'the callback that caused the selected one'],
  ['/', 'search; Enter and Shift+Enter go through the results'],
  ['← →', 'pan; with Shift farther'],
  ['+ −', 'zoom; so do the wheel and two fingers'],
  ['Z or Enter', 'zoom to the selected callback'],
  ['F', 'fit the whole run'],
  ['T', 'light, dark, or as the system'],
  ['Esc', 'select nothing'],
  ['?', 'this help'],
];

export function Help({ isOpen, onClose }) {
  const dialog = useRef(null);
  useEffect(() => {
    if (isOpen && !dialog.current.open) dialog.current.showModal();
    if (!isOpen && dialog.current.open) dialog.current.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={onClose}>
      <div class="help-heading">
        <h2 id="help-title">Keys</h2>
        <button type="button" class="plain" aria-label="Close" onClick={onClose}><Icon name="close" /></button>
      </div>
      <table>
        <tbody>
          {kKeys.map(([keys, meaning]) => <tr key={keys}><th scope="row"><kbd>{keys}</kbd></th><td>{meaning}</td></tr>)}
        </tbody>
      </table>
      <p class="soft">
        A turn of the loop goes through six phases. A phase runs its callbacks one by one; after each of them ticks run,
        then
        promises. Click on a callback to see where it was scheduled, and why it ran when it did.
      </p>
    </dialog>
  );
}
