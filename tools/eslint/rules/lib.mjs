// The files of lib by their ids, and the names that they export.
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../lib/', import.meta.url));
const kGenerated = ['internal/trace/page'];
const ids = new Set(kGenerated);
for (const name of readdirSync(folder, { recursive: true })) {
  if (name.endsWith('.js') && !name.endsWith('.test.js')) ids.add(name.slice(0, -'.js'.length));
}

export function hasFile(id) {
  return ids.has(id);
}

// The id of a linted file, or undefined outside of lib.
export function idOf(filename) {
  return filename.startsWith(folder) ? filename.slice(folder.length, -'.js'.length) : undefined;
}

function isExports(node) {
  return (node.type === 'Identifier' && node.name === 'exports') ||
    (node.type === 'MemberExpression' && node.object.name === 'module' && node.property.name === 'exports');
}

function addKeys(object, names) {
  for (const property of object.properties) {
    if (property.type === 'SpreadElement' || property.computed) return false;
    names.add(property.key.name ?? property.key.value);
  }
  return true;
}

// Adds the names that one top-level statement exports to `names`; false if only running the statement would show them.
function addExports(statement, names) {
  if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'AssignmentExpression') return true;
  const { left, right } = statement.expression;
  if (left.type !== 'MemberExpression') return true;
  if (isExports(left)) return right.type === 'ObjectExpression' && addKeys(right, names);
  if (isExports(left.object) && !left.computed) names.add(left.property.name);
  return true;
}

const known = new Map();

// The names that the file exports; undefined if they cannot be determined without running it.
export function exportsOf(id, parser) {
  if (known.has(id)) return known.get(id);
  known.set(id, undefined);
  if (kGenerated.includes(id)) return undefined;
  const text = readFileSync(`${folder}${id}.js`, 'utf8');
  const { body, tokens } = parser.parse(text, {
    comment: true,
    ecmaFeatures: { globalReturn: true },
    ecmaVersion: 'latest',
    loc: true,
    range: true,
    tokens: true,
  });
  const names = new Set();
  let mentions = 0;
  for (let i = 0; i < tokens.length; i++) {
    if (tokens[i].type === 'Identifier' && tokens[i].value === 'exports') mentions++;
  }
  for (const statement of body) {
    const before = names.size;
    if (!addExports(statement, names)) return undefined;
    if (names.size > before) mentions--;
  }
  // Another use of `exports` may add names in a way that this function does not analyse.
  if (mentions > 0 || names.size === 0) return undefined;
  known.set(id, names);
  return names;
}
