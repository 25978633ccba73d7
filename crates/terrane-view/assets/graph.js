// The graph: a card per node with its thumbnail and state, wires coloured by kind. It can be dragged and zoomed.

import { Ports, along } from './build/ports.js';
import { bytes, byId, h, seconds, svg } from './dom.js';
import { SIZES, course, place } from './layout.js';
import { Minimap } from './minimap.js';
import { content } from './link.js';

const WORDS = {
  planned: 'planned', running: 'running', done: 'computed', cached: 'reused', failed: 'failed', skipped: 'skipped', cancelled: 'cancelled', unseen: 'rendered in the map view',
};

// The smallest scale at which cards are readable.
const LEAST = 0.42;
// Above this number of nodes, cards have no pictures.
const MANY = 40;
// Pixels between cards and the border of their view.
const MARGIN = 22;

export class GraphView extends EventTarget {
  #cards = new Map();
  #graph = null;
  #shape = '';
  #laid = null;
  #view = { x: 0, y: 0, scale: 1 };
  #touched = false;
  #selected = null;
  #ports;
  #minimap = new Minimap((x, y) => this.#centre(x, y));
  // The nodes that are marked, to be grouped.
  #marked = new Set();
  #find;
  // Whether cards have no pictures; `null` until the user chooses.
  #bare = null;

  constructor(builder, find) {
    super();
    this.#ports = new Ports(builder, find);
    this.#find = find;
    this.#listen();
    byId('graph-fit').addEventListener('click', () => this.fit());
    byId('graph-pictures').addEventListener('change', () => this.pictures(byId('graph-pictures').checked));
    new ResizeObserver(() => { if (!this.#touched) this.fit(); }).observe(byId('graph'));
  }

  // Shows a graph. Nodes that also exist in the previous graph keep their cards and pictures.
  show(graph) {
    const anchor = this.#anchor(graph);
    this.#graph = graph;
    this.#laid = place(graph.layout, graph.nodes.length, this.#size, this.#area);
    const shape = JSON.stringify([graph.nodes.map((node) => [node.name, node.type, node.open, node.waits]), graph.wires, this.#bare, this.#laid.gaps]);
    if (shape === this.#shape) return;
    this.#shape = shape;
    byId('plane').classList.toggle('bare', this.#size === SIZES.names);
    byId('graph-pictures').checked = this.#size === SIZES.pictures;
    byId('node-names').replaceChildren(...graph.nodes.map((node) => h('option', { value: node.name }, node.type)));
    const old = this.#cards;
    this.#cards = new Map(graph.nodes.map((node) => [node.name, old.get(node.name) ?? this.#card(node)]));
    graph.nodes.forEach((node, index) => {
      const card = this.#cards.get(node.name);
      card.index = index;
      card.type.textContent = node.type;
      card.words = '';
      card.ports.replaceChildren(...this.#ports.of(graph, node, this.#size.height));
      card.element.classList.toggle('open', node.open.length > 0);
      const { x, y } = this.#laid.places[index];
      card.element.style.transform = `translate(${x}px, ${y}px)`;
    });
    byId('cards').replaceChildren(...[...this.#cards.values()].map((card) => card.element));
    this.#marked = new Set([...this.#marked].filter((name) => this.#cards.has(name)));
    this.#wires();
    this.select(this.#selected);
    if (!this.#touched && !(anchor && this.#settle(anchor))) this.fit();
  }

  // A node that stays, the selected one if possible, and where it is on the screen.
  #anchor(graph) {
    const names = new Set(graph.nodes.map((node) => node.name));
    const name = names.has(this.#selected) && this.#cards.has(this.#selected) ? this.#selected : [...this.#cards.keys()].find((own) => names.has(own));
    const at = this.#laid?.places[this.#cards.get(name)?.index];
    return at && { name, x: this.#view.x + at.x * this.#view.scale, y: this.#view.y + at.y * this.#view.scale };
  }

  // Keeps the scale and the anchor's place, as far as the whole graph stays in sight; returns whether it does.
  #settle({ name, x, y }) {
    const { scale } = this.#view;
    const { clientWidth, clientHeight } = byId('graph');
    const at = this.#laid.places[this.#cards.get(name).index];
    const room = [clientWidth - this.#laid.width * scale, clientHeight - this.#laid.height * scale];
    // At the smallest scale, only a part is in sight.
    if (scale <= LEAST || Math.min(...room) < MARGIN) return false;
    const within = (length, from) => Math.max(MARGIN / 2, Math.min(length - MARGIN / 2, from));
    this.#view = { scale, x: within(room[0], x - at.x * scale), y: within(room[1], y - at.y * scale) };
    this.#move();
    return true;
  }

  // Graphs of many nodes are shown by names, so that all of them are seen, unless the user chose.
  get #size() {
    return (this.#bare ?? (this.#graph?.nodes.length ?? 0) > MANY) ? SIZES.names : SIZES.pictures;
  }

  // Shows or hides the pictures of cards.
  pictures(shown) {
    this.#bare = !shown;
    if (this.#graph) this.show(this.#graph);
    this.fit();
  }

  // The marked nodes.
  get marked() {
    return [...this.#marked];
  }

  #mark(name) {
    if (!this.#marked.delete(name)) this.#marked.add(name);
    this.#cards.get(name).element.classList.toggle('marked', this.#marked.has(name));
  }

  // Shows the progress of each node.
  update(state) {
    this.#graph?.nodes.forEach((node, index) => {
      const now = state.nodes[index];
      if (now) this.#tell(this.#cards.get(node.name), node, now);
    });
  }

  select(name) {
    const other = name !== this.#selected;
    this.#selected = name;
    for (const [own, card] of this.#cards) {
      card.element.classList.toggle('selected', own === name);
      card.element.setAttribute('aria-current', own === name ? 'true' : 'false');
    }
    const index = this.#graph?.nodes.findIndex((node) => node.name === name) ?? -1;
    for (const path of byId('wires').children) {
      path.classList.toggle('near', Number(path.dataset.from) === index || Number(path.dataset.to) === index);
    }
    if (other) this.#reveal();
  }

  // The neighbour of a node: upstream, downstream, or above or below in its column.
  neighbour(name, direction) {
    const nodes = this.#graph?.nodes ?? [];
    const at = nodes.findIndex((node) => node.name === name);
    if (at < 0) return null;
    const column = this.#laid.columns[this.#laid.places[at].column];
    const step = {
      left: () => this.#graph.wires.find(([, , target]) => target === at)?.[0],
      right: () => this.#graph.wires.find(([source]) => source === at)?.[2],
      up: () => column[column.indexOf(at) - 1],
      down: () => column[column.indexOf(at) + 1],
    }[direction]();
    return nodes[step]?.name ?? null;
  }

  get #area() {
    const { clientWidth, clientHeight } = byId('graph');
    return { width: Math.max(80, clientWidth - 2 * MARGIN), height: Math.max(60, clientHeight - 2 * MARGIN) };
  }

  fit() {
    if (!this.#laid) return;
    this.#touched = true;
    this.show(this.#graph);
    const { clientWidth: w, clientHeight: height } = byId('graph');
    const scale = Math.min((w - 2 * MARGIN) / this.#laid.width, (height - 2 * MARGIN) / this.#laid.height, 1);
    // If the whole graph would be too small to read, shows a part around the selected node.
    const shown = Math.max(scale, LEAST);
    const chosen = this.#cards.get(this.#selected);
    const place = this.#laid.places[chosen?.index ?? 0] ?? { x: 0, y: 0 };
    const along = (room, length, centre) => {
      if (length * shown + 2 * MARGIN <= room) return (room - length * shown) / 2;
      return Math.min(MARGIN, Math.max(room - MARGIN - length * shown, room / 2 - centre * shown));
    };
    this.#view = {
      scale: shown,
      x: along(w, this.#laid.width, place.x + this.#size.width / 2),
      y: along(height, this.#laid.height, place.y + this.#size.height / 2),
    };
    this.#touched = false;
    this.#move();
  }

  // Moves the plane if the selected card is not entirely visible.
  #reveal() {
    const place = this.#laid?.places[this.#cards.get(this.#selected)?.index];
    if (!place) return;
    const { clientWidth, clientHeight } = byId('graph');
    const { scale } = this.#view;
    const within = (at, room, from, length) => Math.max(MARGIN - from * scale, Math.min(room - MARGIN - (from + length) * scale, at));
    this.#view.x = within(this.#view.x, clientWidth, place.x, this.#size.width);
    this.#view.y = within(this.#view.y, clientHeight, place.y, this.#size.height);
    this.#move();
  }

  #centre(x, y) {
    const { clientWidth, clientHeight } = byId('graph');
    const { scale } = this.#view;
    Object.assign(this.#view, { x: clientWidth / 2 - x * scale, y: clientHeight / 2 - y * scale });
    this.#touched = true;
    this.#move();
  }

  #card(node) {
    const parts = {
      image: h('img', { alt: '', loading: 'lazy', decoding: 'async', draggable: false }),
      name: h('b', {}, node.name),
      type: h('span', { className: 'type' }, node.type),
      cost: h('span', { className: 'cost' }),
      dot: h('i', { className: 'dot' }),
      bar: h('i', { className: 'progress' }),
      ports: h('div', { className: 'handles', 'aria-hidden': 'true' }),
    };
    parts.image.addEventListener('error', () => parts.image.classList.add('none'));
    parts.image.addEventListener('load', () => parts.image.classList.remove('none'));
    const picture = h('div', { className: 'picture' }, parts.image, parts.bar);
    const lines = [[parts.dot, parts.name], [parts.type], [parts.cost]].map((line) => h('div', { className: 'line' }, ...line));
    parts.element = h('div', { className: 'card', role: 'listitem', tabIndex: 0 }, picture, ...lines, parts.ports);
    parts.element.dataset.node = node.name;
    // An element that is placed anew would flash again.
    parts.element.addEventListener('animationend', () => parts.element.classList.remove('flash'));
    const choose = () => this.dispatchEvent(new CustomEvent('choose', { detail: node.name }));
    parts.element.addEventListener('click', (event) => { if (event.target.closest('.handle')) return; if (event.shiftKey) this.#mark(node.name); else choose(); });
    parts.element.addEventListener('keydown', (event) => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); choose(); } });
    return parts;
  }

  #tell(card, node, now) {
    const cost = now.status === 'running' && now.fraction > 0 ? `${Math.round(now.fraction * 100)} %` : seconds(now.seconds);
    const needs = node.open.length ? `needs ${node.open.join(', ')}` : node.lacks ? 'is not complete' : node.waits ? 'waits for a node that is not connected' : WORDS[now.status];
    const words = [needs, now.coarse ? 'coarse' : '', now.error?.[0] ?? ''].filter(Boolean).join(', ');
    if (card.words !== words + cost) {
      card.words = words + cost;
      card.element.dataset.status = now.status;
      card.cost.textContent = (node.waits ? '' : [cost, bytes(now.bytes)].filter(Boolean).join(' · ')) || needs;
      card.element.title = [`${node.name}: ${words}`, seconds(now.seconds), bytes(now.bytes)].filter(Boolean).join(' · ');
      card.element.setAttribute('aria-label', `${node.name}, ${node.type}, ${words}`);
      card.bar.style.transform = `scaleX(${now.status === 'running' ? now.fraction : 0})`;
    }
    const id = now.ids[0];
    if (id && id !== card.id) {
      if (card.id) this.#flash(card.element);
      card.id = id;
      card.image.src = content(id, 'thumbnail');
    }
    card.element.classList.toggle('coarse', now.coarse);
  }

  #flash(element) {
    element.classList.remove('flash');
    void element.offsetWidth;
    element.classList.add('flash');
  }

  #wires() {
    const { places, routes, width, height, gaps } = this.#laid;
    const plane = byId('wires');
    plane.setAttribute('width', width);
    plane.setAttribute('height', height);
    const { nodes, wires, types } = this.#graph;
    plane.replaceChildren(...wires.map((wire, index) => {
      const [source, output, target, input] = wire;
      const count = (node, side) => types[nodes[node].type][side].length;
      const from = { x: places[source].x + this.#size.width, band: places[source].band, y: places[source].y + along(output, count(source, 'outputs'), this.#size.height) };
      const to = { x: places[target].x, band: places[target].band, y: places[target].y + along(input, count(target, 'inputs'), this.#size.height) };
      const kind = types[nodes[source].type].outputs[output].kind;
      const d = course(from, routes[index], to, this.#size.width, gaps);
      const path = svg('path', { d, class: `wire kind-${kind}` });
      Object.assign(path.dataset, { from: source, to: target, wire: index });
      return path;
    }));
  }

  // The position in the plane of a position of the pointer.
  #where({ clientX, clientY }) {
    const { left, top } = byId('graph').getBoundingClientRect();
    const { x, y, scale } = this.#view;
    return [(clientX - left - x) / scale, (clientY - top - y) / scale];
  }

  // The wire at a position of the pointer.
  #wireAt(event) {
    const reach = 9 / this.#view.scale;
    const at = new DOMPoint(...this.#where(event));
    const around = Array.from({ length: 8 }, (_, turn) => new DOMPoint(at.x + reach * Math.cos(turn * Math.PI / 4), at.y + reach * Math.sin(turn * Math.PI / 4)));
    return [...byId('wires').children].find((one) => one.dataset.from && [at, ...around].some((point) => one.isPointInStroke(point)));
  }

  // A double click on a card shows it in the text; on a wire, it inserts a node there; on free ground, it adds one.
  #insert(event) {
    const card = event.target.closest('.card');
    if (card && !event.target.closest('.handle')) { this.dispatchEvent(new CustomEvent('text', { detail: { node: card.dataset.node } })); return; }
    if (event.target.closest('.card, button, details')) return;
    const path = this.#wireAt(event);
    if (!path) { this.#find({}); return; }
    const { nodes, wires, types } = this.#graph;
    const [source, output, target, input] = wires[path.dataset.wire];
    this.#find({ from: [nodes[source].name, output], into: [nodes[target].name, types[nodes[target].type].inputs[input].name] });
  }

  #move() {
    const { x, y, scale } = this.#view;
    byId('plane').style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
    const { clientWidth, clientHeight } = byId('graph');
    if (this.#laid) this.#minimap.show(this.#laid, this.#size, { x: -x / scale, y: -y / scale, width: clientWidth / scale, height: clientHeight / scale });
  }

  #listen() {
    const area = byId('graph');
    let from = null;
    area.addEventListener('pointerdown', (event) => {
      if (this.#ports.begin(event, (at) => this.#where(at))) { event.preventDefault(); return; }
      if (event.target.closest('.card, button, .grip, details')) return;
      from = [event.clientX - this.#view.x, event.clientY - this.#view.y];
      area.setPointerCapture(event.pointerId);
    });
    area.addEventListener('pointermove', (event) => {
      if (this.#ports.drawing) { this.#ports.move(event); return; }
      if (!from) return;
      Object.assign(this.#view, { x: event.clientX - from[0], y: event.clientY - from[1] });
      this.#touched = true;
      this.#move();
    });
    area.addEventListener('pointerup', (event) => { from = null; if (this.#ports.drawing) this.#ports.end(event); });
    area.addEventListener('pointercancel', () => { from = null; if (this.#ports.drawing) this.#ports.cancel(); });
    area.addEventListener('click', (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.target.closest('.card, button, details')) return;
      const path = this.#wireAt(event);
      if (!path) return;
      const { nodes, wires, types } = this.#graph;
      const [, , target, input] = wires[path.dataset.wire];
      this.dispatchEvent(new CustomEvent('text', { detail: { node: nodes[target].name, field: types[nodes[target].type].inputs[input].name } }));
    });
    area.addEventListener('dblclick', (event) => this.#insert(event));
    area.addEventListener('wheel', (event) => {
      event.preventDefault();
      const { left, top } = area.getBoundingClientRect();
      const [px, py] = [event.clientX - left, event.clientY - top];
      const scale = Math.min(2, Math.max(0.08, this.#view.scale * Math.exp(-event.deltaY * 0.0015)));
      const ratio = scale / this.#view.scale;
      this.#view = { scale, x: px - (px - this.#view.x) * ratio, y: py - (py - this.#view.y) * ratio };
      this.#touched = true;
      this.#move();
    }, { passive: false });
  }
}
