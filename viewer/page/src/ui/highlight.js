// Colours for JavaScript: comments, strings, numbers, keywords and called names. Not a parser: a regular expression
// with a quote in it may be coloured wrongly, which affects nothing else.

const kWords = new Set(['async', 'await', 'break', 'case', 'catch', 'class', 'const', 'continue', 'debugger', 'default',
  'delete', 'do', 'else', 'export', 'extends', 'false', 'finally', 'for', 'from', 'function', 'if', 'import', 'in',
  'instanceof',
  'let', 'new', 'null', 'of', 'return', 'static', 'super', 'switch', 'this', 'throw', 'true', 'try', 'typeof',
  'undefined',
  'var',
  'void', 'while', 'with', 'yield']);

const pattern = new RegExp([
  '(?<comment>//[^\\n]*|/\\*[\\s\\S]*?(?:\\*/|$))',
  '(?<string>"(?:[^"\\\\\\n]|\\\\[\\s\\S])*"?|\'(?:[^\'\\\\\\n]|\\\\[\\s\\S])*\'?|`(?:[^`\\\\]|\\\\[\\s\\S])*`?)',
  '(?<number>\\b(?:0[xXbBoO][\\da-fA-F_]+n?|\\d[\\d_]*(?:\\.\\d+)?(?:[eE][+-]?\\d+)?n?)\\b)',
  '(?<name>[A-Za-z_$][\\w$]*)',
].join('|'), 'g');

let lastText = '';
let lastLines = [];

// For each line its pieces, [kind, text] each.
export function colourLines(text) {
  if (text === lastText && lastLines.length > 0) return lastLines;
  const lines = [[]];
  const add = (kind, piece) => {
    piece.split('\n').forEach((part, i) => {
      if (i > 0) lines.push([]);
      if (part !== '') lines[lines.length - 1].push([kind, part]);
    });
  };
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > at) add('', text.slice(at, match.index));
    const { comment, string, number, name } = match.groups;
    at = match.index + match[0].length;
    let kind = '';
    if (comment !== undefined) kind = 'comment';
    else if (string !== undefined) kind = 'string';
    else if (number !== undefined) kind = 'number';
    else if (kWords.has(name)) kind = 'word';
    else if (text[at] === '(') kind = 'call';
    add(kind, match[0]);
  }
  add('', text.slice(at));
  lastText = text;
  lastLines = lines;
  return lines;
}
