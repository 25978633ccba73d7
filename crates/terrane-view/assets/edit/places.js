// Positions of a node's parameters on the map or in the scene: they can be dragged, added, joined and removed.

import { byId, h, svg } from '../dom.js';
import { key } from '../values.js';
import { added, joined, network, removed } from './lines.js';

// Parameters whose positions are the two ends of something.
const ENDS = [['from', 'to'], ['eye', 'target']];
// A pointer that moves less than this, in pixels, clicks.
const CLICK = 3;
// How long a value set here is shown, in milliseconds, while the server still reports an older one.
const PATIENCE = 5000;

// Where a map shows positions, and what is under the pointer; scenes have a surface of their own.
export const onMap = (map, about) => ({
  spacing: about.spacing,
  at: ([x, y]) => { const [px, py] = map.toScreen(about, x, y); return { x: px, y: py }; },
  world: (px, py) => map.toWorld(about, px, py),
});

export class Places {
  #link;
  #node = null;
  #type = null;
  #surface = null;
  #held = null;
  // By parameter, values that the server may not have received yet.
  #sent = new Map();
  #marks = [];
  #lines = svg('svg', { class: 'edges', 'aria-hidden': 'true' });
  #pressed = null;
  #drawing = false;
  // The item from which the next one is joined; `undefined` for the last item, `null` for none.
  #from;

  constructor(link) {
    this.#link = link;
    const layer = byId('places');
    layer.addEventListener('pointerdown', (event) => this.#take(event));
    layer.addEventListener('pointermove', (event) => this.#move(event));
    layer.addEventListener('pointerup', () => this.#release(true));
    layer.addEventListener('pointercancel', () => this.#release(false));
    layer.addEventListener('keydown', (event) => this.#key(event));
    byId('draw').addEventListener('click', () => this.#draw(!this.#drawing));
    byId('canvas').addEventListener('pointerdown', (event) => { this.#pressed = [event.clientX, event.clientY]; }, true);
    for (const id of ['map', 'scene']) byId(id).addEventListener('click', (event) => { if (this.#drawing && !far(event, this.#pressed)) this.#add(event); });
    addEventListener('keydown', (event) => { if (event.key === 'Escape' && this.#drawing && !document.querySelector('dialog[open]')) this.#escape(); });
  }

  // Shows the positions of a node on a surface; without one, none. `changes` are the unwritten changes: a graph with mistakes has older values.
  show(node, type, surface, changes) {
    // While a point is dragged, the page knows better than the server.
    if (this.#held) return;
    if (node?.name !== this.#node?.name) { this.#draw(false); this.#sent.clear(); }
    this.#node = node && { ...node, params: node.params.map((now) => ({ ...now, value: changes.find((change) => now.home && change.home === now.home)?.given ?? now.value })) };
    this.#type = type;
    this.#surface = surface;
    this.#renew();
    byId('draw').hidden = !surface || this.#link.readOnly || !this.#lists().length;
    if (byId('draw').hidden) this.#draw(false);
    this.draw();
  }

  // Values that were set a moment ago replace older ones of the server, so that a next change goes on from them.
  #renew() {
    for (const [name, { value, until }] of this.#sent) {
      const now = this.#node.params[this.#type.params.findIndex((spec) => spec.name === name)];
      if (!now || key(now.value) === key(value) || performance.now() > until) this.#sent.delete(name);
      else now.value = value;
    }
  }

  #specs() {
    return (this.#type?.params ?? []).map((spec, index) => ({ spec, now: this.#node.params[index] })).filter(({ spec, now }) => spec.place && now.home && now.value !== undefined && now.value !== null);
  }

  #lists() {
    return this.#node ? this.#specs().filter(({ spec }) => spec.shape === 'list') : [];
  }

  // All positions: the parameter, the item of a list, and the values.
  #all() {
    return this.#specs().flatMap(({ spec, now }) => (spec.shape === 'list' ? now.value.map((value, item) => ({ spec, now, item, value })) : [{ spec, now, item: null, value: now.value }]));
  }

  // Places the marks where the surface is now.
  draw() {
    const layer = byId('places');
    const shown = Boolean(this.#surface && this.#node && this.#specs().length);
    layer.hidden = !shown;
    if (!shown) return;
    const all = this.#all();
    const at = all.map((one) => this.#surface.at(one.value, one.spec.place));
    const from = this.#drawing ? this.#source() : null;
    // Marks are moved, and not made anew, so that they can be focused and pressed meanwhile.
    while (this.#marks.length < all.length) this.#marks.push(h('button', { type: 'button', className: 'mark' }));
    const focused = layer.contains(document.activeElement);
    const marks = this.#marks.slice(0, all.length);
    marks.forEach((mark, index) => {
      const [one, place] = [all[index], at[index]];
      const third = one.spec.place !== 'plane' && typeof one.value[2] === 'number';
      mark.title = `${one.spec.name}${one.item === null ? '' : ` ${one.item}`}`;
      mark.setAttribute('aria-label', `${one.spec.name}${one.item === null ? '' : `, item ${one.item + 1}`}: x ${one.value[0]}, y ${one.value[1]}${third ? `, height ${one.value[2]}` : ''}. Move with the arrow keys${third ? ', raise with Page up and Page down' : ''}`);
      mark.dataset.index = index;
      Object.assign(mark, { disabled: this.#link.readOnly, hidden: !place });
      mark.classList.toggle('behind', Boolean(place?.behind));
      mark.classList.toggle('source', from !== null && one.item === from && one.spec === this.#lists()[0]?.spec);
      if (place) mark.style.transform = `translate(${place.x}px, ${place.y}px)`;
    });
    this.#lines.replaceChildren(...this.#edges(all, at));
    if (layer.children.length !== marks.length + 1) layer.replaceChildren(this.#lines, ...marks);
    // The last item was removed: the one before it gets the keys.
    if (focused && !layer.contains(document.activeElement)) marks.at(-1)?.focus();
  }

  // Lines between joined positions, between ends, and from raised positions down to the ground.
  #edges(all, at) {
    const lines = [];
    for (const spec of this.#type.params.filter(({ joins }) => joins)) {
      const items = all.flatMap((one, index) => (one.spec.name === spec.joins ? [at[index]] : []));
      for (const ends of this.#node.params[this.#type.params.indexOf(spec)].value ?? []) lines.push(ends.map((end) => items[end]));
    }
    for (const ends of ENDS) lines.push(ends.map((name) => at[all.findIndex(({ spec }) => spec.name === name)]));
    all.forEach((one, index) => { const foot = this.#surface.foot?.(one.value, one.spec.place); if (foot) lines.push([at[index], foot]); });
    return lines.filter(([a, b]) => a && b).map(([a, b]) => svg('line', { x1: a.x, y1: a.y, x2: b.x, y2: b.y }));
  }

  #take(event) {
    const mark = event.target.closest('.mark');
    if (!mark) return;
    this.#held = { one: this.#all()[mark.dataset.index], from: [event.clientX, event.clientY], moved: false };
    this.#surface.hold?.(true);
    mark.focus();
    event.preventDefault();
    byId('places').setPointerCapture(event.pointerId);
  }

  #move(event) {
    if (!this.#held) return;
    this.#held.moved ||= far(event, this.#held.from);
    if (!this.#held.moved) return;
    const { one } = this.#held;
    const pointer = where(event);
    if (event.shiftKey && this.#surface.raised) {
      const third = this.#surface.raised(...pointer, one.value, one.spec.place);
      if (third !== null) this.#put(one, one.value, third);
      return;
    }
    const world = this.#surface.world(...pointer, one.value, one.spec.place);
    if (world) this.#put(one, world);
  }

  #release(whole) {
    if (!this.#held) return;
    const { one, moved } = this.#held;
    this.#held = null;
    this.#surface.hold?.(false);
    if (whole && !moved && this.#drawing && one.item !== null) this.#join(one);
  }

  #key(event) {
    const mark = event.target.closest('.mark');
    if (!mark || event.ctrlKey || event.altKey || event.metaKey) return;
    const one = this.#all()[mark.dataset.index];
    // A nudge of the camera leaves the view as it is.
    this.#surface.hold?.(false);
    const by = this.#surface.spacing * (event.shiftKey ? 10 : 1);
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const rise = one.spec.place !== 'plane' && typeof one.value[2] === 'number' ? { PageUp: 1, PageDown: -1 }[event.key] : undefined;
    if (step) this.#put(one, [one.value[0] + by * step[0], one.value[1] + by * step[1]]);
    else if (rise) this.#put(one, one.value, one.value[2] + by * rise);
    else if (event.key === 'Delete' && one.item !== null) this.#set(removed(network(this.#type, this.#node, one.spec.name), one.item));
    else if ((event.key === 'Enter' || event.key === ' ') && this.#drawing && one.item !== null) this.#join(one);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #put(one, [x, y], third) {
    const rest = third === undefined ? one.value.slice(2) : [this.#short(third), ...one.value.slice(3)];
    one.value = [this.#short(x), this.#short(y), ...rest];
    this.#set({ [one.spec.name]: one.item === null ? one.value : one.now.value.with(one.item, one.value) });
  }

  // Rounded to a tenth of the distance between samples.
  #short(value) {
    const unit = 10 ** Math.floor(Math.log10(this.#surface.spacing / 5));
    return Number((Math.round(value / unit) * unit).toPrecision(12));
  }

  // Sets parameters of the node, which are undone together.
  #set(changes) {
    Object.entries(changes ?? {}).forEach(([name, value], index) => {
      const at = this.#type.params.findIndex((spec) => spec.name === name);
      this.#node.params[at].value = value;
      this.#sent.set(name, { value, until: performance.now() + PATIENCE });
      this.#link.say({ do: 'set', node: this.#node.name, parameter: name, value, with: index > 0 });
    });
    this.draw();
  }

  // Whether clicks add positions.
  #draw(on) {
    this.#drawing = on;
    this.#from = undefined;
    byId('draw').setAttribute('aria-pressed', String(on));
    byId('draw-hint').hidden = !on;
    const joins = on && network(this.#type, this.#node, this.#lists()[0]?.spec.name).joins;
    byId('draw-hint').textContent = `Click to add a point${joins ? ', and on a point to join it; Escape begins a new line' : ''}. Drag points to move them, Delete removes them.`;
    byId('canvas').classList.toggle('draws', on);
    if (this.#surface) this.draw();
  }

  #escape() {
    if (this.#source() === null) this.#draw(false); else { this.#from = null; this.draw(); }
  }

  // The item from which the next one is joined.
  #source() {
    const list = this.#lists()[0];
    if (!list || !network(this.#type, this.#node, list.spec.name).joins) return null;
    const from = this.#from === undefined ? list.now.value.length - 1 : this.#from;
    return from !== null && from >= 0 && from < list.now.value.length ? from : null;
  }

  #join({ spec, item }) {
    const from = this.#source();
    if (from !== null) this.#set(joined(network(this.#type, this.#node, spec.name), from, item));
    this.#from = item;
    this.draw();
  }

  #add(event) {
    const [{ spec, now }] = this.#lists();
    const world = this.#surface?.world(...where(event), [0, 0], 'plane');
    if (!world) return;
    const more = spec.item.shape === 'tuple' ? spec.item.items.slice(2).map((item) => (item.shape === 'optional' ? null : 0)) : [];
    const from = this.#source();
    this.#set(added(network(this.#type, this.#node, spec.name), [...world.map((value) => this.#short(value)), ...more], from));
    this.#from = now.value.length - 1;
    this.draw();
  }
}

const far = (event, from) => Boolean(from) && Math.hypot(event.clientX - from[0], event.clientY - from[1]) > CLICK;

// The position of the pointer in the view.
function where(event) {
  const { left, top } = byId('canvas').getBoundingClientRect();
  return [event.clientX - left, event.clientY - top];
}
