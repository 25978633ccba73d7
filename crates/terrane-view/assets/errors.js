// Shows errors with their source lines. The last good result stays visible.

import { byId, h, plain } from './dom.js';

// While the text is edited, mistakes are shown here when they have stayed for so many milliseconds: the text marks them at once.
const STAYED = 1500;

let shown = '';
let timer = 0;

// Shows the errors of the file and the nodes that failed.
export function showErrors(state, graph, jump) {
  const failed = (graph?.nodes ?? [])
    .map((node, index) => ({ node, now: state.nodes[index] }))
    .filter(({ now }) => now?.status === 'failed')
    .map(({ node, now }) => ({ node, place: node.line, message: `${node.name}: ${now.error[0]}`, help: now.error[1] }));
  const key = JSON.stringify([state.errors, state.mistakes, failed.map(({ place, message }) => [place, message]), state.missing]);
  if (key === shown) return;
  shown = key;
  clearTimeout(timer);
  const isNew = byId('errors').hidden && document.body.classList.contains('texting') && document.activeElement?.classList.contains('text-host');
  if (isNew) timer = setTimeout(() => fill(state, failed, jump), STAYED);
  else fill(state, failed, jump);
}

function fill(state, failed, jump) {
  const box = byId('errors');
  // A missing file is begun with a template.
  box.hidden = state.errors.length + failed.length === 0 || !document.getElementById('start').hidden;
  const note = state.errors.length ? h('p', { className: 'note' }, 'The last good result is still shown.') : null;
  const many = state.mistakes > state.errors.length ? h('p', { className: 'note' }, `${state.mistakes - state.errors.length} more`) : null;
  box.replaceChildren(...[...[...state.errors, ...failed].map((error) => mistake(error, jump)), many, note].filter(Boolean));
}

function mistake(error, jump) {
  const place = error.place ?? (error.file ? `${error.file}:${error.line}:${error.column}` : '');
  const excerpt = error.excerpt ? h('pre', { tabIndex: 0 }, ...error.excerpt.flatMap(([line, text]) => lines(error, line, text))) : null;
  const target = error.of ? { file: error.of, line: error.line, column: error.column } : error.node?.file ? { file: error.node.file, node: error.node.name } : null;
  const code = h('code', {}, place);
  const at = target ? h('button', { type: 'button', className: 'quiet', title: 'Show it in the text' }, code) : code;
  if (target) at.addEventListener('click', () => jump(target));
  return h('article', {}, h('p', {}, h('b', {}, plain(error.message)), ' ', at), error.help ? h('p', { className: 'remedy' }, plain(error.help)) : null, excerpt);
}

function lines(error, line, text) {
  const label = h('span', { className: 'lineno' }, String(line).padStart(4));
  if (line !== error.line) return [label, `  ${text}\n`];
  const letters = [...text];
  const start = error.column - 1;
  const end = start + error.length;
  return [h('span', { className: 'lineno at' }, String(line).padStart(4)), '  ', letters.slice(0, start).join(''), h('mark', {}, letters.slice(start, end).join('') || ' '), `${letters.slice(end).join('')}\n`];
}
