// rondo/primordials: lib must not depend on built-ins that user code can replace. Reports uses of constructors and
// functions of the global object; methods of arrays, strings and other built-in objects; the iterators of arrays and
// strings in for-of, destructuring and spread. Also reports names that primordials does not have.
import { readFileSync } from 'node:fs';

function makePrimordials() {
  const made = {};
  const file = new URL('../../../lib/internal/per_context/primordials.js', import.meta.url);
  new Function('primordials', readFileSync(file, 'utf8'))(made);
  return made;
}

const primordials = makePrimordials();
const kHolders = ['Atomics', 'JSON', 'Math', 'Reflect'];
// Functions of the global object that are in primordials under their own name.
const kFunctions = ['decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent', 'escape', 'unescape'];
const kReplacements = {
  __proto__: null,
  isFinite: 'NumberIsFinite',
  isNaN: 'NumberIsNaN',
  parseFloat: 'NumberParseFloat',
  parseInt: 'NumberParseInt',
};

// The primordial for a method, by the kind of its receiver.
function methodOf(kind, name) {
  const full = `${kind}Prototype${name[0].toUpperCase()}${name.slice(1)}`;
  return typeof primordials[full] === 'function' && Object.hasOwn(primordials, full) ? full : undefined;
}

// Method names that no class of lib has: a call of one is always on a built-in object.
const kUnmistakable = new Map();
const kTelling = {
  __proto__: null,
  Array: ['copyWithin', 'every', 'filter', 'findIndex', 'findLastIndex', 'flat', 'flatMap', 'pop', 'reduce',
    'reduceRight',
    'some', 'sort', 'splice', 'toSorted', 'toSpliced', 'unshift'],
  Date: ['getDate', 'getFullYear', 'getHours', 'getMinutes', 'getMonth', 'getSeconds', 'getTime', 'toISOString'],
  Number: ['toExponential', 'toFixed', 'toPrecision'],
  Object: ['hasOwnProperty', 'isPrototypeOf', 'propertyIsEnumerable'],
  String: ['charAt', 'charCodeAt', 'codePointAt', 'endsWith', 'includes', 'lastIndexOf', 'localeCompare', 'matchAll',
    'padEnd', 'padStart', 'repeat', 'replaceAll', 'split', 'startsWith', 'substring', 'toLowerCase', 'toUpperCase',
    'trim',
    'trimEnd',
    'trimStart'],
};
for (const kind in kTelling) {
  for (const name of kTelling[kind]) kUnmistakable.set(name, methodOf(kind, name) ?? `a primordial of ${kind}`);
}

// Primordials whose result is an array or a string.
const kGivesArray =
  /^(?:ArrayFrom|ArrayOf|ObjectKeys|ObjectValues|ObjectEntries|ObjectGetOwnPropertyNames|ReflectOwnKeys|StringPrototypeSplit|ArrayPrototype(?:Concat|Filter|Flat|FlatMap|Map|Reverse|Slice|Sort|Splice|ToSorted))$/;
const kGivesString =
  /^(?:String|JSONStringify|ArrayPrototypeJoin|StringFromCharCode|StringPrototype(?:Concat|Normalize|Pad\w+|Repeat|Replace|ReplaceAll|Slice|Substring|To\w+Case|Trim\w*))$/;

export default {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const { sourceCode } = context;

    function variableOf(node) {
      for (let scope = sourceCode.getScope(node); scope !== null; scope = scope.upper) {
        const variable = scope.set.get(node.name);
        if (variable !== undefined) return variable;
      }
      return undefined;
    }

    // 'Array', 'String', 'RegExp' or undefined if it could be anything.
    function kindOf(node, depth = 0) {
      switch (node.type) {
        case 'ArrayExpression':
          return 'Array';
        case 'TemplateLiteral':
          return 'String';
        case 'Literal':
          return typeof node.value === 'string' ? 'String' : node.regex !== undefined ? 'RegExp' : undefined;
        case 'NewExpression':
          return node.callee.name === 'Array' ? 'Array' : undefined;
        case 'CallExpression':
          if (node.callee.type !== 'Identifier') return undefined;
          if (kGivesArray.test(node.callee.name)) return 'Array';
          return kGivesString.test(node.callee.name) ? 'String' : undefined;
        case 'Identifier': {
          const variable = variableOf(node);
          const definition = variable?.defs.length === 1 ? variable.defs[0] : undefined;
          if (definition?.type === 'Parameter') {
            return definition.name.parent.type === 'RestElement' ? 'Array' : undefined;
          }
          const isOnce = definition?.type === 'Variable' && definition.node.id.type === 'Identifier' &&
            definition.node.init !== null && variable.references.every((one) => one.init === true || !one.isWrite());
          return isOnce && depth < 3 ? kindOf(definition.node.init, depth + 1) : undefined;
        }
        default:
          return undefined;
      }
    }

    function checkIterated(node, what) {
      const kind = kindOf(node);
      if (kind !== 'Array' && kind !== 'String') return;
      context.report({ node, message: `${what} calls a replaceable iterator; use new Safe${kind}Iterator()` });
    }

    return {
      'Program:exit'(node) {
        const scope = sourceCode.getScope(node);
        for (const variable of scope.variables) {
          if (variable.defs.length > 0) continue;
          const { name } = variable;
          const better = kReplacements[name] ?? (kFunctions.includes(name) ? name : undefined);
          const isHeld = Object.hasOwn(primordials, name) && name !== 'globalThis';
          if (better === undefined && !isHeld && !kHolders.includes(name)) continue;
          for (const { identifier } of variable.references) {
            context.report({ node: identifier, message: `Take ${better ?? name} from primordials` });
          }
        }
      },
      'VariableDeclarator[init.name="primordials"] > ObjectPattern > Property'({ key, computed }) {
        if (computed || Object.hasOwn(primordials, key.name)) return;
        context.report({ node: key, message: `primordials has no ${key.name}` });
      },
      'MemberExpression[object.name="primordials"][computed=false]'({ property }) {
        if (Object.hasOwn(primordials, property.name)) return;
        context.report({ node: property, message: `primordials has no ${property.name}` });
      },
      'CallExpression > MemberExpression.callee[computed=false]'({ object, property }) {
        if (property.type !== 'Identifier') return;
        const { name } = property;
        const kind = kindOf(object);
        const better = kind === undefined ? kUnmistakable.get(name) : methodOf(kind, name);
        if (better !== undefined) context.report({ node: property, message: `Use ${better}` });
      },
      'ForOfStatement[await=false]'({ right }) { checkIterated(right, 'for-of'); },
      'SpreadElement'({ argument, parent }) {
        if (parent.type !== 'ObjectExpression') checkIterated(argument, 'Spread');
      },
      'ArrayPattern'(node) {
        context.report({ node, message: 'Destructuring calls a replaceable iterator; use { 0: first, 1: second }' });
      },
    };
  },
};
