// A parameter's row: its name, where it is written, its control, and whether it differs from the file.

import { control, fixed, isSimple } from './controls.js';
import { h, paced } from './dom.js';
import { key } from './values.js';

// The minimum time between two values of a moving slider.
const PACE = 50;
// How long a value set here is shown while the server still reports the old one.
const PATIENCE = 5000;

const TIMES = ['', '', ', used twice'];

// The facts that a row's controls depend on. When they change, the row is rebuilt.
export const form = (now) => JSON.stringify([now?.wire, now?.why, now?.home, now?.as, now?.in]);

// The permitted values: those of the node, or narrower if the value also sets other fields.
const narrowed = (spec, now) => (now.as ? { name: spec.name, docs: spec.docs, unit: spec.unit, ...now.as } : spec);

// `word` is the rest of the message to the server; `more` are elements below the control, `extras` buttons beside the name.
export function row(link, given, now, { id, word, more = [], extras = [], ranges, sibling, first }) {
  const spec = narrowed(given, now);
  const label = given.name.replaceAll('_', ' ');
  let sent = null;
  let latest = now;
  const say = paced(PACE, (value) => link.say({ do: 'set', ...word, value }));
  const change = (value) => {
    sent = { key: key(value), until: performance.now() + PATIENCE };
    say(value);
  };
  const made = now.home && !link.readOnly ? control(spec, now.value, { id, label, full: now.full, change, ranges, sibling, first }) : null;
  const simple = made && isSimple(spec);
  const bound = h('small', { className: 'bound' });
  const problem = h('small', { className: 'problem', role: 'alert' });
  const reset = h('button', { type: 'button', className: 'quiet reset', hidden: true, title: 'Restore the value from the file', 'aria-label': `Reset ${label}` }, 'reset');
  reset.addEventListener('click', () => { sent = null; link.say({ do: 'reset', home: latest.home }); });
  const name = h(simple ? 'label' : 'span', { className: 'name', title: given.docs ?? '' }, label, given.unit ? h('small', {}, given.unit) : null, bound);
  if (simple) name.setAttribute('for', id); else name.id = `${id}-name`;
  const place = made ? made.element : h('span', {}, fixed(now.text));
  if (made && !simple) {
    place.setAttribute('role', 'group');
    place.setAttribute('aria-labelledby', name.id);
    place.id = id;
  }
  const notes = [
    now.why ? h('small', { className: 'why' }, `cannot be changed here: ${now.why}`) : null,
    now.in ? h('small', { className: 'where' }, `in ${now.in.file}${TIMES[now.in.uses] ?? `, used ${now.in.uses} times`}`) : null,
  ];
  const element = h('div', { className: `param is-${spec.shape}` }, h('div', { className: 'head' }, name, h('span', { className: 'extras' }, ...extras), reset), place, ...notes, ...more, problem);

  const update = (told) => {
    if (!told) return;
    latest = told;
    for (const one of extras) {
      if (one.classList.contains('clear')) one.hidden = !told.given;
      if (one.classList.contains('fix')) one.hidden = told.given || told.value === undefined;
    }
    bound.textContent = told.bound ? `$${told.bound}` : '';
    bound.title = told.bound ? `A parameter of the graph: a change affects every field that uses it${told.home ? `. Defined at ${told.home}` : ''}` : '';
    if (!made) { place.replaceChildren(fixed(told.text)); return; }
    if (sent && key(told.value) !== sent.key && performance.now() < sent.until) {
      // The server has not received it yet. If it never does, the row shows the server's value.
      setTimeout(() => update(latest), sent.until - performance.now() + 10);
      return;
    }
    sent = null;
    made.set(told.value, told.full);
  };
  const mark = (changes) => {
    const found = changes.find((other) => latest.home && other.home === latest.home);
    // A graph with mistakes has older values than the changes.
    if (made && !sent && found?.given !== undefined && found.given !== null && key(found.given) !== key(latest.value)) made.set(found.given);
    element.classList.toggle('changed', Boolean(found));
    reset.hidden = !found;
    problem.textContent = found?.problem ?? '';
  };
  return { element, update, mark };
}
