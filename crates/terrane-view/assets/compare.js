// Compares the map with its previous version or with another output.

import { byId, h } from './dom.js';

const IMAGES = ['map', 'picture', 'frames', 'animation', 'paths', 'graph', 'fields', 'points'];

export class Compare {
  #choices = '';
  // The last two contents shown of each port.
  #seen = new Map();

  constructor(changed) {
    byId('compare').addEventListener('change', () => changed());
    this.list(null);
  }

  // Lists the outputs that the map can be compared with.
  list(graph) {
    const ports = (graph?.nodes ?? []).flatMap((node) => graph.types[node.type].outputs
      .map((output, index) => ({ output, index }))
      .filter(({ output }) => IMAGES.includes(output.kind))
      .map(({ output, index }) => [`${node.name}\n${index}`, index ? `${node.name}.${output.name}` : node.name]));
    const key = JSON.stringify(ports);
    if (key === this.#choices) return;
    this.#choices = key;
    const chosen = byId('compare').value;
    byId('compare').replaceChildren(
      h('option', { value: '' }, 'Off'),
      h('option', { value: 'previous' }, 'Previous version'),
      ...(ports.length ? [h('optgroup', { label: 'Another output' }, ...ports.map(([value, name]) => h('option', { value }, name)))] : []),
    );
    byId('compare').value = [...byId('compare').options].some((option) => option.value === chosen) ? chosen : '';
  }

  // Records the full-size content of a port, to compare its next version with.
  note(port, id) {
    const seen = this.#seen.get(port) ?? [];
    if (seen[0] !== id) this.#seen.set(port, [id, seen[0]]);
  }

  // The port that is compared with, as [node, output].
  get port() {
    const [node, output] = byId('compare').value.split('\n');
    return output === undefined ? null : [node, Number(output)];
  }

  // The content to compare a port with, if any.
  id(port, graph, state) {
    if (byId('compare').value === 'previous') return this.#seen.get(port)?.[1] ?? null;
    if (!this.port) return null;
    const [name, output] = this.port;
    const index = graph.nodes.findIndex((node) => node.name === name);
    return state.nodes[index]?.ids[output] ?? null;
  }
}
