// Which scene is shown: that of a node which renders one, or the ground of one's choice under the usual sun.

import { byId, h } from './dom.js';

// Kinds of values that have lines, which are drawn on the ground.
const LINES = ['paths', 'graph'];

// How scenes are seen that no node describes.
const USUAL = {
  pixels: [1600, 900], camera_azimuth: 200, camera_altitude: 28, zoom: null, target: null, eye: null, field_of_view: 40,
  azimuth: 290, altitude: 32, sun_size: 2, haze: 0.1, sea: null, clarity: null, waves: 1, exaggeration: 1, exposure: 1.35,
};

export class Scenes extends EventTarget {
  #graph = null;
  #choices = '';
  #selected = null;

  constructor() {
    super();
    for (const id of ['scene-of', 'scene-drape', 'scene-selected']) byId(id).addEventListener('change', () => this.dispatchEvent(new Event('change')));
    byId('scene-of').addEventListener('change', () => { byId('scene-pin').checked = true; });
  }

  // Lists what can be shown. Choices that are still there stay.
  list(graph) {
    this.#graph = graph;
    const type = (node) => graph.types[node.type];
    const scenes = graph.nodes.filter((node) => type(node).scene).map((node) => [`${node.name}\n`, node.name]);
    const of = (wanted) => graph.nodes.flatMap((node) => type(node).outputs.map((output, index) => ({ node, output, index })))
      .filter(({ node, output }) => wanted(output, node)).map(({ node, output, index }) => [`${node.name}\n${index}`, index ? `${node.name}.${output.name}` : node.name]);
    const grounds = of((output) => output.kind === 'map' && output.relief);
    const pictures = of((output, node) => output.kind === 'picture' && !type(node).scene);
    const key = JSON.stringify([scenes, grounds, pictures]);
    if (key === this.#choices) return;
    this.#choices = key;
    const group = (label, all) => (all.length ? [h('optgroup', { label }, ...all.map(([value, name]) => h('option', { value }, name)))] : []);
    fill('scene-of', [...group('Scenes', scenes), ...group('Ground', grounds)]);
    fill('scene-drape', [h('option', { value: '' }, 'Own colours'), ...group('Pictures', pictures)]);
  }

  // A scene that is selected is shown, unless another one is pinned.
  select(selected) {
    this.#selected = selected;
    const value = `${selected?.node}\n`;
    if (!byId('scene-pin').checked && [...byId('scene-of').options].some((option) => option.value === value)) byId('scene-of').value = value;
  }

  get #node() {
    const [name, output] = byId('scene-of').value.split('\n');
    return { node: this.#graph?.nodes.find((node) => node.name === name), output };
  }

  // The outputs that the scene is drawn from, by role, as [node, output].
  get roles() {
    const { node, output } = this.#node;
    if (!node) return null;
    const wired = (name) => {
      const input = this.#graph.types[node.type].inputs.findIndex((input) => input.name === name);
      const at = this.#graph.nodes.indexOf(node);
      const wire = this.#graph.wires.find(([, , reader, port]) => reader === at && port === input);
      return wire ? [this.#graph.nodes[wire[0]].name, wire[1]] : null;
    };
    const roles = output ? { ground: [node.name, Number(output)] } : { ground: wired('height'), picture: wired('picture'), water: wired('water') };
    const [drape, index] = byId('scene-drape').value.split('\n');
    if (drape) roles.picture = [drape, Number(index)];
    const own = this.#selected && this.#output([this.#selected.node, this.#selected.output]);
    if (own && byId('scene-selected').checked) {
      const port = [this.#selected.node, this.#selected.output];
      if (LINES.includes(own.kind)) roles.lines = port;
      else if (own.kind === 'map' && !own.relief) roles.tint = port;
      else if (own.kind === 'picture' && !this.#graph.types[this.#typeOf(port[0])].scene) roles.picture = port;
    }
    byId('scene-selected').disabled = !this.#shows(own);
    return roles.ground ? roles : null;
  }

  // Whether a selected output can be shown on the ground.
  #shows(own) {
    return Boolean(own) && (LINES.includes(own.kind) || (own.kind === 'map' && !own.relief) || own.kind === 'picture');
  }

  #typeOf(name) {
    return this.#graph.nodes.find((node) => node.name === name)?.type;
  }

  #output([name, index]) {
    return this.#graph.types[this.#typeOf(name)]?.outputs[index];
  }

  // What is shown now; null while parts of it are not computed, undefined if there is nothing. Parts of two sizes are not shown together.
  spec(state) {
    const roles = this.roles;
    if (!roles) return undefined;
    const now = Object.entries(roles).filter(([, port]) => port).map(([role, [name, output]]) => {
      const node = state.nodes[this.#graph.nodes.findIndex((node) => node.name === name)];
      return { role, id: node?.ids[output], coarse: node?.coarse, ready: ['done', 'cached'].includes(node?.status) };
    });
    if (now.some(({ id, coarse, ready }) => !id || !ready || coarse !== now[0].coarse)) return null;
    const ids = Object.fromEntries(now.map(({ role, id }) => [role, id]));
    const { node, output } = this.#node;
    const look = { ...USUAL };
    if (!output) this.#graph.types[node.type].params.forEach((spec, at) => { if (spec.name in look && node.params[at]?.value !== undefined) look[spec.name] = node.params[at].value; });
    return { ...ids, look, waterIsDepth: Boolean(roles.water) && this.#output(roles.water).kind !== 'level', coarse: now[0].coarse, selected: roles.tint?.[0] ?? roles.lines?.[0] ?? null, node: output ? null : node.name, port: byId('scene-of').value };
  }

  // Whether a node is a scene, whose own picture need not be rendered to show it.
  draws(name) {
    return Boolean(this.#graph?.types[this.#typeOf(name)]?.scene);
  }
}

function fill(id, options) {
  const chosen = byId(id).value;
  byId(id).replaceChildren(...options);
  if ([...byId(id).options].some((option) => option.value === chosen)) byId(id).value = chosen;
}
