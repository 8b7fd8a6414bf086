// The plugin `rondo`: rules of our own.
import primordials from './primordials.mjs';
import requires from './require.mjs';

export const rondo = { rules: { primordials, require: requires } };
