'use strict';
// Selects tests: by name (--test-name-pattern, --test-skip-pattern), by `only`, and by tags.

const {
  ArrayPrototypeEvery,
  ArrayPrototypePush,
  ArrayPrototypeSome,
  ObjectFreeze,
  RegExpPrototypeExec,
  SafeSet,
  StringPrototypeToLowerCase,
} = primordials;

const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { emitExperimentalWarning } = require('internal/util');
const { validateArray, validateString } = require('internal/validators');

const kNoTags = ObjectFreeze([]);
const kNeedsFlag = "'only' and 'runOnly' require the --test-only command-line option.";

function validateTag(tag, name) {
  validateString(tag, name);
  if (tag === '') throw new ERR_INVALID_ARG_VALUE(name, tag, 'must not be empty');
  return StringPrototypeToLowerCase(tag);
}

function validateTags(tags, name) {
  validateArray(tags, name);
  if (tags.length > 0) emitExperimentalWarning('Test tags');
  const result = [];
  for (let i = 0; i < tags.length; i++) ArrayPrototypePush(result, validateTag(tags[i], `${name}[${i}]`));
  return result;
}

// Its own tags after those of its parent, each once and in lower case.
function tagsOf(parent, own) {
  const inherited = parent?.tags ?? kNoTags;
  if (own === undefined) return inherited;
  const added = validateTags(own, 'options.tags');
  if (added.length === 0) return inherited;
  const seen = new SafeSet();
  const all = [];
  const add = (tag) => {
    if (seen.has(tag)) return;
    seen.add(tag);
    ArrayPrototypePush(all, tag);
  };
  for (let i = 0; i < inherited.length; i++) add(inherited[i]);
  for (let i = 0; i < added.length; i++) add(added[i]);
  return ObjectFreeze(all);
}

// The name alone, the name after those of all its parents, or one of its parents.
function matches(test, patterns) {
  const hits = (name) => ArrayPrototypeSome(patterns, (pattern) => RegExpPrototypeExec(pattern, name) !== null);
  let withParents = '';
  for (let one = test; one !== null; one = one.parent) {
    if (hits(one.name)) return true;
  }
  for (let one = test; one.parent !== null; one = one.parent) {
    withParents = withParents === '' ? one.name : `${one.name} ${withParents}`;
  }
  return hits(withParents);
}

function isRefusedByName(test, { patterns, skipPatterns }) {
  if (patterns !== undefined && !matches(test, patterns)) return true;
  return skipPatterns !== undefined && matches(test, skipPatterns);
}

function isRefusedByTag(test, { tagFilters }) {
  return tagFilters !== undefined &&
    !ArrayPrototypeEvery(tagFilters, (tag) => ArrayPrototypeSome(test.tags, (own) => own === tag));
}

// The parents of a selected test run, too.
function admit(test, key) {
  for (let parent = test.parent; parent !== null && parent[key]; parent = parent.parent) parent[key] = false;
}

// Called when a test is created. The decision to skip it is made later, because its subtests may have to run.
function prepareFilters(test) {
  const { harness, parent } = test;
  test.isRefusedByName = isRefusedByName(test, harness);
  if (!test.isRefusedByName) admit(test, 'isRefusedByName');
  test.isRefusedByTag = isRefusedByTag(test, harness);
  if (!test.isRefusedByTag) admit(test, 'isRefusedByTag');
  if (!harness.filtersByOnly) {
    if (test.only || parent.runOnlySubtests) test.diagnostic(kNeedsFlag);
    return;
  }
  if (!test.only) return;
  parent.runOnlySubtests = true;
  if (parent.parent !== null && parent.startTime !== undefined) return;
  for (let one = parent; one !== null && !one.hasOnlyTests; one = one.parent) one.hasOnlyTests = true;
}

// When a test is started. Errors are never left out.
function isFiltered(test) {
  if (test.error !== null) return false;
  if (test.isRefusedByName || test.isRefusedByTag) return true;
  if (!test.harness.filtersByOnly || test.only || test.hasOnlyTests) return false;
  return test.parent.runOnlySubtests || test.parent.hasOnlyTests || test.only === false;
}

module.exports = { isFiltered, prepareFilters, tagsOf, validateTag };
