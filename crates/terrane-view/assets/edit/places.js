// Positions of a node's parameters on the map: they can be dragged, and added to lists.

import { byId, h, svg } from '../dom.js';

export class Places {
  #link;
  #map;
  #node = null;
  #type = null;
  #about = null;
  #held = null;
  #drawing = false;

  // `map` turns positions of the world into positions on the screen.
  constructor(link, map) {
    this.#link = link;
    this.#map = map;
    const layer = byId('places');
    layer.addEventListener('pointerdown', (event) => this.#take(event));
    layer.addEventListener('pointermove', (event) => this.#move(event));
    const end = () => { this.#held = null; };
    layer.addEventListener('pointerup', end);
    layer.addEventListener('pointercancel', end);
    layer.addEventListener('keydown', (event) => this.#nudge(event));
    byId('draw').addEventListener('click', () => this.#draw(!this.#drawing));
    byId('map').addEventListener('click', (event) => { if (this.#drawing) this.#add(event); });
  }

  // Shows the positions of a node on the map that `about` describes; without one, none.
  show(node, type, about) {
    // While a point is dragged, the page knows better than the server.
    if (this.#held) return;
    this.#node = node;
    this.#type = type;
    this.#about = about;
    byId('draw').hidden = !about?.spacing || this.#link.readOnly || !this.#lists().length;
    if (byId('draw').hidden) this.#draw(false);
    this.draw();
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

  // Places the marks where the map is now.
  draw() {
    const layer = byId('places');
    const shown = Boolean(this.#about?.spacing && this.#node && !byId('map').hidden && this.#specs().length);
    layer.hidden = !shown;
    if (!shown) return;
    const all = this.#all();
    const marks = all.map((one, index) => {
      const [x, y] = this.#map.toScreen(this.#about, one.value[0], one.value[1]);
      const mark = h('button', { type: 'button', className: 'mark', title: `${one.spec.name}${one.item === null ? '' : ` ${one.item}`}` });
      mark.setAttribute('aria-label', `${one.spec.name}${one.item === null ? '' : `, item ${one.item + 1}`}: x ${one.value[0]}, y ${one.value[1]}. Move with the arrow keys`);
      mark.style.transform = `translate(${x}px, ${y}px)`;
      mark.dataset.index = index;
      mark.disabled = this.#link.readOnly;
      return mark;
    });
    const focused = layer.contains(document.activeElement) ? document.activeElement.dataset.index : null;
    layer.replaceChildren(this.#edges(all), ...marks);
    if (focused !== null) layer.querySelector(`[data-index="${focused}"]`)?.focus();
  }

  // The edges between positions, and lines from where something begins to where it ends.
  #edges(all) {
    const at = (one) => this.#map.toScreen(this.#about, one.value[0], one.value[1]);
    const index = this.#type.params.findIndex((spec) => spec.name === 'edges');
    const nodes = all.filter(({ spec }) => spec.name === 'nodes');
    const edges = index < 0 ? [] : (this.#node.params[index].value ?? []).filter((edge) => edge.every((end) => nodes[end])).map(([a, b]) => [nodes[a], nodes[b]]);
    const pair = ['from', 'to'].map((name) => all.find(({ spec }) => spec.name === name));
    if (pair[0] && pair[1]) edges.push(pair);
    const drawing = svg('svg', { class: 'edges', 'aria-hidden': 'true' });
    drawing.append(...edges.map(([a, b]) => { const [[x1, y1], [x2, y2]] = [at(a), at(b)]; return svg('line', { x1, y1, x2, y2 }); }));
    return drawing;
  }

  #take(event) {
    const mark = event.target.closest('.mark');
    if (!mark) return;
    this.#held = this.#all()[mark.dataset.index];
    mark.focus();
    event.preventDefault();
    byId('places').setPointerCapture(event.pointerId);
  }

  #move(event) {
    if (!this.#held) return;
    const { left, top } = byId('canvas').getBoundingClientRect();
    this.#put(this.#held, this.#map.toWorld(this.#about, event.clientX - left, event.clientY - top));
  }

  #nudge(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const mark = event.target.closest('.mark');
    if (!step || !mark) return;
    event.preventDefault();
    event.stopPropagation();
    const one = this.#all()[mark.dataset.index];
    const far = this.#about.spacing * (event.shiftKey ? 10 : 1);
    this.#put(one, [one.value[0] + far * step[0], one.value[1] + far * step[1]]);
  }

  #put(one, [x, y]) {
    const value = [this.#short(x), this.#short(y), ...one.value.slice(2)];
    const { spec, now } = one;
    one.value = value;
    now.value = one.item === null ? value : now.value.with(one.item, value);
    this.#say(spec, now);
    this.draw();
  }

  // Rounded to a tenth of the distance between samples.
  #short(value) {
    const unit = 10 ** Math.floor(Math.log10(this.#about.spacing / 5));
    return Number((Math.round(value / unit) * unit).toPrecision(12));
  }

  #say(spec, now) {
    this.#link.say({ do: 'set', node: this.#node.name, parameter: spec.name, value: now.value });
  }

  // Whether clicks on the map add positions.
  #draw(on) {
    this.#drawing = on;
    byId('draw').setAttribute('aria-pressed', String(on));
    byId('map').classList.toggle('draws', on);
  }

  // Adds a position to the list, and an edge from the last one to it where there are edges.
  #add(event) {
    const [{ spec, now }] = this.#lists();
    if (this.#map.moved) return;
    const [x, y] = this.#map.toWorld(this.#about, event.offsetX, event.offsetY).map((value) => this.#short(value));
    const more = spec.item.shape === 'tuple' ? spec.item.items.slice(2).map((item) => (item.shape === 'optional' ? null : 0)) : [];
    now.value = [...now.value, [x, y, ...more]];
    this.#say(spec, now);
    const edges = this.#type.params.findIndex((other) => other.name === 'edges');
    if (edges >= 0 && now.value.length > 1 && this.#node.params[edges].home) {
      const lines = this.#node.params[edges];
      lines.value = [...(lines.value ?? []), [now.value.length - 2, now.value.length - 1]];
      this.#say(this.#type.params[edges], lines);
    }
    this.draw();
  }
}
