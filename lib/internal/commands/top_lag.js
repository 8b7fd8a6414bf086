'use strict';
// The lateness of timers, from the counts in buckets that a process reports: [[upper edge in ms, how many], ...] since
// its start.

// Of those between the two: { count, p50, p99, max }, each an upper edge.
function percentile(before, now) {
  const earlier = new Map(before);
  const fresh = [];
  let count = 0;
  for (const [edge, total] of now) {
    const more = total - (earlier.get(edge) ?? 0);
    if (more > 0) fresh.push([edge, more]);
    count += more;
  }
  const at = (percent) => {
    let seen = 0;
    for (const [edge, more] of fresh) {
      seen += more;
      if (seen > percent / 100 * (count - 1)) return edge;
    }
    return 0;
  };
  return { count, p50: at(50), p99: at(99), max: fresh.length === 0 ? 0 : fresh[fresh.length - 1][0] };
}

module.exports = { percentile };
