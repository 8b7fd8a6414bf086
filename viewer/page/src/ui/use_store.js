import { useEffect, useState } from 'preact/hooks';

// The state; renders again when it changes.
export function useStore(store) {
  const [state, setState] = useState(store.state);
  useEffect(() => {
    store.listeners.add(setState);
    setState(store.state);
    return () => store.listeners.delete(setState);
  }, [store]);
  return store.state ?? state;
}

// The view of the timeline, at most every `pause` milliseconds.
export function useView(store, pause) {
  const [view, setView] = useState(store.view);
  useEffect(() => {
    let timer = 0;
    const listen = () => {
      if (timer !== 0) return;
      timer = setTimeout(() => {
        timer = 0;
        setView(store.view);
      }, pause);
    };
    store.viewListeners.add(listen);
    setView(store.view);
    return () => {
      clearTimeout(timer);
      store.viewListeners.delete(listen);
    };
  }, [store]);
  return view;
}
