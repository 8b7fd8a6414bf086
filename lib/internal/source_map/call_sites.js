'use strict';

// Maps the frames of util.getCallSites() to the original sources.

const { ArrayPrototypePush } = primordials;

const { findSourceMap } = require('internal/source_map/cache');

function mapCallSite(site) {
  const entry = findSourceMap(site.scriptName)?.findEntry(site.lineNumber - 1, site.columnNumber - 1);
  if (!entry?.originalSource) return site;
  const column = entry.originalColumn + 1;
  return {
    __proto__: null,
    functionName: entry.name ?? '',
    scriptName: entry.originalSource,
    lineNumber: entry.originalLine + 1,
    column,
    columnNumber: column,
  };
}

function mapCallSites(sites) {
  const mapped = [];
  for (let i = 0; i < sites.length; i++) ArrayPrototypePush(mapped, mapCallSite(sites[i]));
  return mapped;
}

module.exports = { mapCallSites };
