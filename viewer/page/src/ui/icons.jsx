// Embedded, so that the page needs no other files.
const paths = {
  play: 'M7 4.5v15l12-7.5z',
  pause: 'M6 5h4v14H6zM14 5h4v14h-4z',
  next: 'M6 5l9 7-9 7zM16 5h2.5v14H16z',
  previous: 'M18 5l-9 7 9 7zM5.5 5H8v14H5.5z',
  first: 'M20 5l-8 7 8 7zM12 5l-8 7 8 7z',
  last: 'M4 5l8 7-8 7zM12 5l8 7-8 7z',
  up: 'M12 8l7 8H5z',
  down: 'M12 16L5 8h14z',
};

const strokes = {
  search: 'M10.5 17a6.5 6.5 0 1 1 0-13 6.5 6.5 0 0 1 0 13zM15.5 15.5L21 21',
  fit: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  target: 'M12 3v5M12 16v5M3 12h5M16 12h5M12 12h.01',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
  auto: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 3v18M12 7h6.5M12 11h9M12 15h8',
  help: 'M9.5 9.5a2.5 2.5 0 1 1 3.5 2.300c-.7.300-1 .8-1 1.700M12 17h.01M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z',
  close: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
};

export function Icon({ name }) {
  const isStroke = strokes[name] !== undefined;
  return (
    <svg class="icon" viewBox="0 0 24 24" width="16" height="16" aria-hidden="true"
      fill={isStroke ? 'none' : 'currentColor'} stroke={isStroke ? 'currentColor' : 'none'}
      stroke-width="2" stroke-linecap="round" stroke-linejoin="round">
      <path d={strokes[name] ?? paths[name]} />
    </svg>
  );
}

// The ring, with one phase lit.
export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" fill="none" stroke-width="3.6">
      <circle cx="12" cy="12" r="8.5" stroke="var(--line-strong)" pathLength="60" stroke-dasharray="8 2" />
      <circle cx="12" cy="12" r="8.5" stroke="var(--accent)" pathLength="60" stroke-dasharray="8 52" />
    </svg>
  );
}
