// The map on which a node without one is shown: positions are dragged on the ground.

// The [node, output] of the map for a node, or `null`: the ground that its readers read, or the first output with heights. Only nodes with
// positions have one, unless it is for `any`.
export function backdrop(graph, { node: name, output }, any = false) {
  const at = graph.nodes.findIndex((node) => node.name === name);
  const type = graph.types[graph.nodes[at]?.type];
  const kind = type?.outputs[output]?.kind;
  if (!type || kind === 'map' || kind === 'level' || kind === 'picture' || !(any || type.params.some((param) => param.place))) return null;
  const relief = ([source, position]) => { const found = graph.types[graph.nodes[source].type].outputs[position]; return found?.relief && found.kind === 'map'; };
  const seen = new Set([at]);
  const open = [at];
  while (open.length) {
    const next = open.shift();
    const ground = graph.wires.find(([source, position, reader]) => reader === next && next !== at && relief([source, position]));
    if (ground) return [graph.nodes[ground[0]].name, ground[1]];
    for (const [source, , reader] of graph.wires) if (source === next && !seen.has(reader)) { seen.add(reader); open.push(reader); }
  }
  // Without readers, the ground that was shaped last.
  const last = graph.layout.columns.flat().filter((item) => item < graph.nodes.length).findLast((item) => relief([item, 0]) && !graph.nodes[item].waits);
  return last === undefined ? null : [graph.nodes[last].name, 0];
}

// The first map of heights that a node reads, or its own, as [node, output].
export function heights(graph, name) {
  const at = graph.nodes.findIndex((node) => node.name === name);
  const isMap = ([source, position]) => { const output = graph.types[graph.nodes[source].type].outputs[position]; return output.kind === 'map' && output.relief; };
  const wire = graph.wires.find(([source, position, reader]) => reader === at && isMap([source, position]));
  if (wire) return [wire[0], wire[1]];
  return isMap([at, 0]) ? [at, 0] : null;
}

// The last output with heights that nothing reads, except that of a node, as [node, output].
export function unread(graph, except) {
  const at = graph.nodes.findLastIndex((node, index) => {
    const output = graph.types[node.type].outputs[0];
    return node.name !== except && !node.waits && output?.kind === 'map' && output.relief && graph.wires.every(([source]) => source !== index);
  });
  return at < 0 ? null : [graph.nodes[at].name, 0];
}
