// rondo/require: ids of lib name a file, and dependencies point down. lib/README.md has the rules.
import { plainTraceModules } from '../files.mjs';
import { exportsOf, hasFile, idOf } from './lib.mjs';

// Folders whose files only some others may require. `open` are the files of a folder that all may require.
const kFolders = {
  '__proto__': null,
  'internal/bootstrap': { by: [], open: ['realm'] },
  'internal/commands': { by: ['internal/explore', 'internal/main', 'internal/trace'], open: [] },
  'internal/explore': { by: ['internal/commands'], open: [] },
  'internal/main': { by: [], open: [] },
  'internal/per_context': { by: [], open: [] },
  'internal/test': { by: [], open: [] },
  'internal/test_runner': { by: ['internal/commands', 'test'], open: [] },
  'internal/trace': { by: ['internal/commands', 'internal/explore'], open: ['events', 'record'] },
};
const kPlain = plainTraceModules.map((name) => `internal/trace/${name}`);

function isIn(id, folder) {
  return id === folder || id.startsWith(`${folder}/`);
}

// The reason why a file must not require another; undefined if it may.
function objection(from, to) {
  if (to.startsWith('node:')) return "lib names modules without 'node:'";
  if (to.startsWith('.')) return 'lib names files by their path below lib';
  if (to.startsWith('vendor/')) return undefined;
  if (!hasFile(to)) return `lib has no ${to}.js`;
  if (kPlain.includes(from) && !kPlain.includes(to)) {
    return `${from} is also part of the viewer's page, which has no ${to}`;
  }
  for (const folder in kFolders) {
    const { by, open } = kFolders[folder];
    if (!isIn(to, folder) || isIn(from, folder) || open.includes(to.slice(folder.length + 1))) continue;
    if (!by.some((user) => isIn(from, user))) {
      return `${folder} is required by ${['its own files', ...by].join(', ')} only`;
    }
  }
  return undefined;
}

export default {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const from = idOf(context.filename);
    const { parser } = context.languageOptions;

    function checkNames(pattern, id) {
      const names = exportsOf(id, parser);
      if (names === undefined) return;
      for (const property of pattern.properties) {
        if (property.type !== 'Property' || property.computed) continue;
        const name = property.key.name ?? property.key.value;
        if (!names.has(name)) context.report({ node: property, message: `${id} does not export ${name}` });
      }
    }

    return {
      'CallExpression[callee.name="require"]'(node) {
        const id = node.arguments[0];
        if (id?.type !== 'Literal') return;
        const reason = objection(from, id.value);
        if (reason !== undefined) {
          context.report({ node, message: reason });
          return;
        }
        if (!hasFile(id.value)) return;
        const { parent } = node;
        if (parent.type === 'VariableDeclarator' && parent.id.type === 'ObjectPattern') checkNames(parent.id, id.value);
        if (parent.type === 'MemberExpression' && parent.object === node && !parent.computed) {
          const names = exportsOf(id.value, parser);
          if (names === undefined || names.has(parent.property.name)) return;
          context.report({ node: parent.property, message: `${id.value} does not export ${parent.property.name}` });
        }
      },
    };
  },
};
