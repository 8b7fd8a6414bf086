'use strict';
// The XML format of JUnit, which systems for continuous integration read.

const {
  ArrayPrototypeFilter,
  ArrayPrototypeJoin,
  ArrayPrototypeMap,
  ArrayPrototypePush,
  ArrayPrototypeSome,
  Date,
  DateNow,
  DatePrototypeToISOString,
  NumberPrototypeToFixed,
  ObjectEntries,
  RegExpPrototypeSymbolReplace,
  SafeArrayIterator,
  StringPrototypeRepeat,
  StringPrototypeReplaceAll,
  StringPrototypeTrim,
  String,
} = primordials;

const { inspect } = require('internal/util/inspect');
const { hostname } = require('os');

function escapeAttribute(text = '') {
  const oneLine = StringPrototypeReplaceAll(String(text), '\n', '&#10;');
  return escapeContent(StringPrototypeReplaceAll(oneLine, '"', '&quot;'));
}

function escapeContent(text = '') {
  return RegExpPrototypeSymbolReplace(/</g, RegExpPrototypeSymbolReplace(/&(?!#\d{1,7};)/g, String(text), '&amp;'),
    '&lt;');
}

function escapeComment(text = '') {
  return RegExpPrototypeSymbolReplace(/--/g, String(text), '&#45;&#45;');
}

function toXml(node) {
  if (typeof node === 'string') return `${escapeContent(node)}\n`;
  const { tag, attributes, nesting, children, comment } = node;
  const indent = StringPrototypeRepeat('\t', nesting + 1);
  if (comment !== undefined) return `${indent}<!-- ${escapeComment(comment)} -->\n`;
  const given = ArrayPrototypeMap(
    ObjectEntries(attributes), ({ 0: key, 1: value }) => `${key}="${escapeAttribute(value)}"`);
  const head = ArrayPrototypeJoin([tag, ...new SafeArrayIterator(given)], ' ');
  if (children === undefined || children.length === 0) return `${indent}<${head}/>\n`;
  return `${indent}<${head}>\n${ArrayPrototypeJoin(ArrayPrototypeMap(children, toXml), '')}${indent}</${tag}>\n`;
}

const isFailure = (node) => node.attributes?.failures > 0 || node.attributes?.failure !== undefined ||
  (node.children !== undefined && ArrayPrototypeSome(node.children, (child) => child.tag === 'failure'));
const isSkipped = (node) => node.attributes?.skipped > 0 ||
  (node.children !== undefined && ArrayPrototypeSome(node.children, (child) => child.tag === 'skipped'));

function complete(node, data, failed) {
  const { details, name, nesting, skip, todo } = data;
  node.attributes.time = NumberPrototypeToFixed(details.duration_ms / 1000, 6);
  const tests = ArrayPrototypeFilter(node.children, (child) => child.comment === undefined);
  if (tests.length > 0) {
    node.tag = 'testsuite';
    node.attributes = {
      __proto__: null, name, time: node.attributes.time, disabled: 0, errors: 0, tests: tests.length,
      failures: ArrayPrototypeFilter(tests, isFailure).length, skipped: ArrayPrototypeFilter(tests, isSkipped).length,
      timestamp: DatePrototypeToISOString(new Date(DateNow() - details.duration_ms)),
      hostname: hostname(),
    };
    return;
  }
  node.tag = 'testcase';
  node.attributes.classname = data.classname ?? 'test';
  if (data.file) node.attributes.file = data.file;
  if (skip !== undefined) {
    ArrayPrototypePush(node.children, {
      __proto__: null, tag: 'skipped', nesting: nesting + 1,
      attributes: { __proto__: null, type: 'skipped', message: skip },
    });
  }
  if (todo !== undefined) {
    ArrayPrototypePush(node.children, {
      __proto__: null, tag: 'skipped', nesting: nesting + 1,
      attributes: { __proto__: null, type: 'todo', message: todo },
    });
  }
  if (!failed) return;
  const { error } = details;
  ArrayPrototypePush(node.children, {
    __proto__: null,
    tag: 'failure',
    nesting: nesting + 1,
    attributes: { __proto__: null, type: error?.failureType || error?.code,
      message: StringPrototypeTrim(error?.message ?? '') },
    children: [inspect(error, { __proto__: null, breakLength: Infinity })],
  });
  node.attributes.failure = error?.message ?? '';
}

async function* junitReporter(source) {
  yield '<?xml version="1.0" encoding="utf-8"?>\n';
  yield '<testsuites>\n';
  let open = []; // The tests that have begun, one per nesting.
  const roots = [];
  for await (const { type, data } of source) {
    const siblings = data?.nesting > 0 ? open[data.nesting - 1]?.children ?? roots : roots;
    switch (type) {
      case 'test:start': {
        const node = {
          __proto__: null, nesting: data.nesting, attributes: { __proto__: null, name: data.name }, children: [],
        };
        ArrayPrototypePush(siblings, node);
        open = ArrayPrototypeFilter(open, (other) => other.nesting < data.nesting);
        open[data.nesting] = node;
        break;
      }
      case 'test:pass':
      case 'test:fail': {
        const node = open[data.nesting];
        if (node === undefined) break;
        complete(node, data, type === 'test:fail');
        open[data.nesting] = undefined;
        open.length = data.nesting;
        break;
      }
      case 'test:diagnostic':
      case 'test:log':
        ArrayPrototypePush(siblings, { __proto__: null, nesting: data.nesting, comment: data.message });
        break;
    }
  }
  for (let i = 0; i < roots.length; i++) yield toXml(roots[i]);
  yield '</testsuites>\n';
}

module.exports = junitReporter;
