// What is not as meant: ports that need a wire, and warnings. They stay until they are mended.

import { byId, h, plain } from '../dom.js';

let shown = '';

// Lists the problems; `choose` shows a node.
export function showProblems(graph, state, choose) {
  const open = graph.nodes.filter((node) => node.open.length || node.lacks).map((node) => ({ node: node.name, line: node.line, words: plain(node.open.length ? `needs ${node.open.join(' and ')}` : node.lacks) }));
  const warnings = state.warnings.map((text) => {
    const [, name, words] = /^(.*?): (.*)$/s.exec(text) ?? [];
    const node = graph.nodes.find((other) => other.name === name);
    return node ? { node: name, line: node.line, words: plain(words) } : { node: null, line: '', words: plain(text) };
  });
  const all = [...open, ...warnings];
  const key = JSON.stringify(all);
  if (key === shown) return;
  shown = key;
  const box = byId('problems');
  box.hidden = all.length === 0;
  box.querySelector('summary').textContent = `${all.length} ${all.length === 1 ? 'warning' : 'warnings'}`;
  box.querySelector('ul').replaceChildren(...all.map(({ node, line, words }) => {
    const go = node ? h('button', { type: 'button', className: 'quiet' }, node) : null;
    go?.addEventListener('click', () => choose(node, 0));
    return h('li', {}, go, ' ', words, line ? h('small', {}, ` ${line}`) : null);
  }));
}
