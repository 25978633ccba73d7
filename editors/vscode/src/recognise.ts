// Recognises graphs and worlds by the first word of their text.

/** The suffix of files that may hold a graph. */
const SUFFIX = '.ron';

/** Whether a file may hold a graph, by its name alone. */
export function mayBeGraph(path: string): boolean {
  return path.toLowerCase().endsWith(SUFFIX);
}

/** Whether a text begins with `Graph(` or `World(`, after blanks and comments. */
export function isGraph(text: string): boolean {
  const word = /(?:Graph|World)(?![^\s()[\]{},:=;"'/])/y;
  word.lastIndex = skip(text, 0);
  return word.test(text) && text[skip(text, word.lastIndex)] === '(';
}

/** The first position from `at` on that is not in a blank or a comment. */
function skip(text: string, at: number): number {
  for (;;) {
    const blank = /[\s\uFEFF\u0085\u200E\u200F]*/y;
    blank.lastIndex = at;
    blank.test(text);
    at = blank.lastIndex;
    // A line that begins with `#` is a mistake, and meant as a comment.
    if (text.startsWith('//', at) || text[at] === '#') {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end;
    } else if (text.startsWith('/*', at)) {
      at = afterBlockComment(text, at);
    } else {
      return at;
    }
  }
}

/** The end of a block comment, which may contain block comments. */
function afterBlockComment(text: string, start: number): number {
  const edge = /\/\*|\*\//g;
  edge.lastIndex = start;
  let depth = 0;
  for (let found = edge.exec(text); found; found = edge.exec(text)) {
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return edge.lastIndex;
  }
  return text.length;
}
