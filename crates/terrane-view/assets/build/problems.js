// What is not as meant: ports that need a wire, and warnings. They stay until they are mended.

import { byId, h, plain } from '../dom.js';

let shown = '';

// Lists the problems; `choose` shows a node.
export function showProblems(graph, state, choose, jump) {
  const open = graph.nodes.filter((node) => node.open.length || node.lacks).map((node) => ({ node: node.name, line: node.line, words: plain(node.open.length ? `needs ${node.open.join(' and ')}` : node.lacks) }));
  const warnings = state.warnings.map((text) => {
    const [, name, words] = /^(.*?): (.*)$/s.exec(text) ?? [];
    const node = graph.nodes.find((other) => other.name === name);
    return node ? { node: name, line: node.line, words: plain(words) } : { node: null, line: '', words: plain(text) };
  });
  // A node that says itself that its mask selects nothing is not listed twice.
  const isSaid = ({ code, node }) => code === 'constant-mask' && warnings.some((warning) => warning.node === node);
  const lints = state.lints.filter((lint) => !isSaid(lint)).map(({ node, message, help, of, line, column }) => ({ node: graph.nodes.some((other) => other.name === node) ? node : null, line: of ? `${of}:${line}` : '', words: plain(help ? `${message}; ${help}` : message), at: of ? { file: of, line, column } : null }));
  const all = [...open, ...warnings, ...lints];
  const key = JSON.stringify(all);
  if (key === shown) return;
  shown = key;
  const box = byId('problems');
  box.hidden = all.length === 0;
  box.querySelector('summary').textContent = `${all.length} ${all.length === 1 ? 'warning' : 'warnings'}`;
  box.querySelector('ul').replaceChildren(...all.map(({ node, line, words, at }) => {
    const go = node ? h('button', { type: 'button', className: 'quiet' }, node) : null;
    go?.addEventListener('click', () => choose(node, 0));
    const place = at ? h('button', { type: 'button', className: 'quiet', title: 'Show it in the text' }, line) : line ? h('small', {}, ` ${line}`) : null;
    if (at) place.addEventListener('click', () => jump(at));
    return h('li', {}, go, ' ', words, ' ', place);
  }));
}
