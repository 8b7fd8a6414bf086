'use strict';
// Coverage of files that were generated, in terms of the files that they were generated from (--enable-source-maps).

const {
  ArrayPrototypeForEach,
  ArrayPrototypeMap,
  ArrayPrototypePush,
  MathMax,
  MathMin,
  SafeMap,
} = primordials;

const { genericNodeError } = require('internal/errors');
const { SourceMap } = require('internal/source_map/source_map');

function corruptMap(url) {
  return genericNodeError(
    `The source map for '${url}' does not exist or is corrupt.`, { code: 'ERR_SOURCE_MAP_CORRUPT' });
}

function missingSource(source, url) {
  return genericNodeError(`Cannot find '${source}' imported from the source map for '${url}'`,
    { code: 'ERR_SOURCE_MAP_MISSING_SOURCE' });
}

function placeOf(starts, offset) {
  let line = 0;
  while (line + 1 < starts.length && starts[line + 1] <= offset) line++;
  return { line, column: MathMax(0, offset - starts[line]) };
}

function offsetOf({ originalColumn, originalLine }, lines) {
  const line = lines[MathMax(originalLine, 0)];
  return line === undefined ? -1 : MathMin(line.start + originalColumn, line.end);
}

function firstEntry(map, starts) {
  for (let line = 0; line < starts.length; line++) {
    const length = (starts[line + 1] ?? Infinity) - starts[line];
    if (map.findEntry(line, length).originalSource === undefined) continue;
    let column = 0;
    while (map.findEntry(line, column).originalSource === undefined) column++;
    return map.findEntry(line, column);
  }
  return { __proto__: null };
}

// The range in the original file; undefined if it does not lie in one.
function mapRange({ startOffset, endOffset, count }, map, starts, url, linesOf) {
  const start = placeOf(starts, startOffset);
  const end = placeOf(starts, MathMax(endOffset - 1, 0));
  let from = map.findEntry(start.line, start.column);
  const to = map.findEntry(end.line, end.column);
  if (from.originalSource === undefined && startOffset === 0 && to.originalSource !== undefined) {
    // A compiler may have added code before the first mapped position.
    from = firstEntry(map, starts);
  }
  if (from.originalSource === undefined || from.originalSource !== to.originalSource) return undefined;
  const lines = linesOf(from.originalSource);
  if (lines === undefined) throw missingSource(from.originalSource, url);
  const first = offsetOf(from, lines);
  const last = offsetOf(to, lines) + 1;
  if (first < 0 || last < 1) return undefined;
  return { __proto__: null, source: from.originalSource, startOffset: first, endOffset: last, count };
}

function toOriginals({ 'result': scripts, 'source-map-cache': maps }, skips, linesOf) {
  const result = new SafeMap();
  const add = (url, functions) => {
    const known = result.get(url);
    if (known === undefined) result.set(url, { __proto__: null, url, functions });
    else ArrayPrototypePush(known.functions, ...functions);
  };
  ArrayPrototypeForEach(scripts, ({ functions, url }) => {
    if (skips(url) || maps[url] === undefined) {
      add(url, functions);
      return;
    }
    const { data, lineLengths } = maps[url];
    if (!data) throw corruptMap(url);
    ArrayPrototypeForEach(data.sources, (source, i) => linesOf(source, data.sourcesContent?.[i] ?? undefined));
    const map = new SourceMap(data, { __proto__: null, lineLengths });
    let next = 0;
    const starts = ArrayPrototypeMap(lineLengths, (length) => {
      const start = next;
      next += length + 1;
      return start;
    });
    ArrayPrototypeForEach(functions, ({ functionName, isBlockCoverage, ranges }) => {
      const mapped = [];
      ArrayPrototypeForEach(ranges, (range) => {
        const one = mapRange(range, map, starts, url, linesOf);
        if (one !== undefined) ArrayPrototypePush(mapped, one);
      });
      if (mapped.length === 0) return;
      add(mapped[0].source, [{ __proto__: null, functionName, isBlockCoverage, ranges: mapped }]);
    });
  });
  return [...result.values()];
}

module.exports = { toOriginals };
