// The grammar, as VS Code's own tokeniser applies it.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import oniguruma from 'vscode-oniguruma';
import textmate from 'vscode-textmate';
import { home } from './home.mjs';

const SCOPE = 'source.terrane';
const FILE = join(home, 'syntaxes/terrane.tmLanguage.json');

/** Loads the grammar. */
export async function grammar() {
  const wasm = createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm');
  await oniguruma.loadWASM((await readFile(wasm)).buffer);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (sources) => new oniguruma.OnigScanner(sources),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(await readFile(FILE, 'utf8'), FILE),
  });
  return registry.loadGrammar(SCOPE);
}

/** The tokens of a text: line, text, and scopes without the grammar's own. */
export function tokens(loaded, text) {
  const found = [];
  let stack = textmate.INITIAL;
  for (const [line, words] of text.split('\n').entries()) {
    const { tokens: parts, ruleStack } = loaded.tokenizeLine(words, stack);
    stack = ruleStack;
    for (const { startIndex, endIndex, scopes } of parts) {
      const part = words.slice(startIndex, endIndex);
      if (part !== '') found.push({ line: line + 1, text: part, scopes: scopes.slice(1) });
    }
  }
  return found;
}

/** Whether the text ends outside every bracket, string and comment. */
export function isClosed(loaded, text) {
  let stack = textmate.INITIAL;
  for (const line of text.split('\n')) stack = loaded.tokenizeLine(line, stack).ruleStack;
  return stack.depth === 1;
}

/** One line for each token, for snapshots. */
export function drawn(found) {
  const short = (scope) => scope.replace(/\.terrane$/, '');
  const lines = found
    .filter(({ text }) => text.trim() !== '')
    .map(({ line, text, scopes }) => `${line}: ${text.trim()}  ${scopes.map(short).join(' ')}`);
  return `${lines.join('\n')}\n`;
}
