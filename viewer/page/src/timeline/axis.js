// Marks of time at round distances.
import { formatTime } from '../data/describe.js';

const kLeastPixels = 90; // Between two marks with a text.

// The round distance of marks for a view of this width.
export function stepFor(nsPerPixel) {
  const least = nsPerPixel * kLeastPixels;
  const power = 10 ** Math.floor(Math.log10(least));
  for (const factor of [1, 2, 5, 10]) if (factor * power >= least) return factor * power;
  return 10 * power;
}

// As many digits as needed to distinguish two neighbouring marks.
export function formatMark(time, step) {
  if (time === 0) return '0';
  const size = Math.abs(time);
  const [unit, name] = size >= 1e9 ? [1e9, 's'] : size >= 1e6 ? [1e6, 'ms'] : size >= 1e3 ? [1e3, 'µs'] : [1, 'ns'];
  const decimals = Math.max(0, Math.ceil(-Math.log10(step / unit) - 1e-9));
  return decimals > 6 ? formatTime(time) : `${(time / unit).toFixed(decimals)} ${name}`;
}
