// The text of a graph: its colours, and where nodes and their fields are in it, also while it has mistakes.

import { HighlightStyle, StreamLanguage, tags } from '../vendor/codemirror/codemirror.min.js';

const TOKEN = /\/\/[^\n]*|\/\*|r(#*)"|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)'|[A-Za-z_][\w]*|[-+]?(?:\d[\d_]*\.?[\d_]*(?:[eE][-+]?\d+)?|\.\d+)|[()[\]{}:,]/gsy;

// Calls `token` with the text and the place of each token that is not a comment.
function tokens(text, token) {
  let at = 0;
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (!found) { at += 1; continue; }
    let to = TOKEN.lastIndex;
    if (found[0] === '/*') to = afterComment(text, to);
    else if (found[1] !== undefined) { const end = text.indexOf(`"${found[1]}`, to); to = end < 0 ? text.length : end + 1 + found[1].length; }
    if (!found[0].startsWith('/')) token(text.slice(at, to), at, to);
    at = to;
  }
}

function afterComment(text, from) {
  let depth = 1;
  let at = from;
  while (at < text.length && depth > 0) {
    const two = text.slice(at, at + 2);
    if (two === '/*') { depth += 1; at += 2; } else if (two === '*/') { depth -= 1; at += 2; } else at += 1;
  }
  return at;
}

const named = (word) => (word.startsWith('"') ? word.slice(1, word.endsWith('"') ? -1 : undefined) : word);

// The entries of the graph's sections, as { section, name, from, key, to, fields: [{ name, from, to }] }; `key` ends the name.
export function entries(text) {
  const found = [];
  const open = [];
  let last = null;
  // Ends the item before a comma or a bracket.
  const end = (to) => {
    const frame = open.at(-1);
    if (frame?.item) frame.item.to = to;
    if (frame) { frame.item = null; frame.key = null; }
    last = null;
  };
  tokens(text, (word, from, to) => {
    const frame = open.at(-1);
    if ('([{'.includes(word)) { open.push({ key: null, item: null, entry: open.length === 2 ? frame.item : null }); last = null; return; }
    if (')]}'.includes(word)) { end(from); open.pop(); return; }
    if (word === ',') { end(from); return; }
    if (word !== ':') { last = { word, from, to }; return; }
    if (!frame || !last) return;
    // A comma is missing.
    if (frame.item) frame.item.to = last.from;
    frame.key = named(last.word);
    const item = { name: frame.key, from: last.from, key: last.to, to: text.length, section: open[0].key, fields: [] };
    if (open.length === 2) { frame.item = item; found.push(item); }
    if (open.length === 3 && frame.entry) { frame.item = item; frame.entry.fields.push(item); }
  });
  return found;
}

// The node whose entry is at a position.
export function nodeAt(text, position) {
  const nodes = entries(text).filter((entry) => entry.section === 'nodes');
  const at = (place) => nodes.find((entry) => entry.from <= place && place <= entry.to)?.name;
  // Behind its comma, a node is meant as well.
  const before = text.slice(0, position).replace(/,[ \t]*$/, '').length;
  return at(position) ?? at(before) ?? null;
}

// The range of a node's name, or of one of its fields.
export function rangeOf(text, node, field) {
  const entry = entries(text).find((one) => one.section === 'nodes' && one.name === node);
  const inner = field && entry?.fields.find((one) => one.name === field);
  return inner ? [inner.from, inner.to] : entry ? [entry.from, entry.key] : null;
}

// How a text is coloured, line by line.
export const graphLanguage = StreamLanguage.define({
  name: 'terrane',
  startState: () => ({ comment: 0, raw: null, depth: 0 }),
  token(stream, state) {
    if (state.comment) return comment(stream, state);
    if (state.raw !== null) return raw(stream, state);
    if (stream.eatSpace()) return null;
    if (stream.match('//')) { stream.skipToEnd(); return 'lineComment'; }
    if (stream.match('/*')) { state.comment = 1; return comment(stream, state); }
    const begin = stream.match(/^r(#*)"/);
    if (begin) { state.raw = begin[1]; return raw(stream, state); }
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) {
      if (stream.match(/^\s*:/, false)) return 'propertyName';
      return /^"\$/.test(stream.current()) ? 'variableName' : 'string';
    }
    if (stream.match(/^[-+]?(?:\d[\d_]*\.?[\d_]*(?:[eE][-+]?\d+)?|\.\d+)/)) return 'number';
    if (stream.match(/^(?:true|false|None|Some)\b/)) return 'bool';
    if (stream.match(/^[A-Z]\w*/)) return 'typeName';
    if (stream.match(/^[a-z_]\w*/)) return 'attributeName';
    if (stream.match(/^[([{]/)) { state.depth += 1; return 'bracket'; }
    if (stream.match(/^[)\]}]/)) { state.depth = Math.max(0, state.depth - 1); return 'bracket'; }
    stream.next();
    return null;
  },
  indent: (state, after, { unit }) => (state.comment || state.raw !== null ? null : Math.max(0, state.depth - (/^\s*[)\]}]/.test(after) ? 1 : 0)) * unit),
  languageData: { commentTokens: { line: '//', block: { open: '/*', close: '*/' } }, closeBrackets: { brackets: ['(', '[', '{', '"'] }, indentOnInput: /^\s*[)\]}]$/ },
  tokenTable: { propertyName: tags.propertyName, attributeName: tags.attributeName, variableName: tags.variableName },
});

function comment(stream, state) {
  while (!stream.eol() && state.comment) {
    if (stream.match('/*')) state.comment += 1;
    else if (stream.match('*/')) state.comment -= 1;
    else stream.next();
  }
  return 'blockComment';
}

function raw(stream, state) {
  while (!stream.eol()) {
    if (stream.match(`"${state.raw}`)) { state.raw = null; break; }
    stream.next();
  }
  return 'string';
}

// The colours are those of the page, which knows light and dark.
export const colours = HighlightStyle.define([
  { tag: [tags.lineComment, tags.blockComment], color: 'var(--code-comment)', fontStyle: 'italic' },
  { tag: tags.propertyName, color: 'var(--code-name)', fontWeight: '600' },
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: tags.variableName, color: 'var(--code-parameter)' },
  { tag: [tags.number, tags.bool], color: 'var(--code-number)' },
  { tag: tags.typeName, color: 'var(--code-type)' },
  { tag: tags.attributeName, color: 'var(--ink)' },
  { tag: tags.bracket, color: 'var(--soft)' },
]);
