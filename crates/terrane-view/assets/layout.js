// The layout of the graph: nodes in columns from left to right, ordered so that few wires cross.

export const CARD = { width: 152, height: 148 };
const GAP = { x: 68, y: 18 };
// The height of a wire's lane.
const LANE = 8;
const SWEEPS = 8;

// `wires` are [source, output, target, input]. Returns the position { x, y, column } of each node, the lanes { x, y } of each wire in the
// columns that it passes, the nodes of each column from top to bottom, and the total size.
export function layout(count, wires) {
  const upstream = Array.from({ length: count }, () => []);
  const downstream = Array.from({ length: count }, () => []);
  for (const [source, , target] of wires) {
    upstream[target].push(source);
    downstream[source].push(target);
  }
  const { column, left, right, routes } = lanes(columns(count, upstream, downstream), wires);
  const rows = [];
  column.forEach((at, node) => (rows[at] ??= []).push(node));
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const forward = sweep % 2 === 0;
    const order = forward ? rows.keys() : [...rows.keys()].reverse();
    for (const at of order) sortColumn(rows, at, forward ? left : right);
  }
  return place(rows, routes, count);
}

// A wire that passes a column has a lane there, so that no card hides it. All wires of a node share its lanes. Lanes are numbered after the nodes.
function lanes(nodeColumn, wires) {
  const column = [...nodeColumn];
  const left = column.map(() => []);
  const right = column.map(() => []);
  const chains = new Map();
  const routes = wires.map(([source, , target]) => {
    const passed = nodeColumn[target] - nodeColumn[source] - 1;
    if (!chains.has(source)) chains.set(source, []);
    const chain = chains.get(source);
    while (chain.length < passed) {
      const before = chain.at(-1) ?? source;
      right[before].push(column.length);
      left.push([before]);
      right.push([]);
      chain.push(column.length);
      column.push(nodeColumn[source] + chain.length);
    }
    const last = passed > 0 ? chain[passed - 1] : source;
    left[target].push(last);
    right[last].push(target);
    return chain.slice(0, Math.max(0, passed));
  });
  return { column, left, right, routes };
}

// A node is one column after its last upstream node; a source is just before its first downstream node.
function columns(count, upstream, downstream) {
  const column = new Array(count).fill(-1);
  const depth = (start) => {
    const stack = [start];
    while (stack.length) {
      const node = stack[stack.length - 1];
      const open = upstream[node].filter((source) => column[source] < 0);
      if (open.length) stack.push(...open);
      else {
        column[node] = upstream[node].reduce((most, source) => Math.max(most, column[source] + 1), 0);
        stack.pop();
      }
    }
  };
  for (let node = 0; node < count; node += 1) if (column[node] < 0) depth(node);
  for (let node = 0; node < count; node += 1) {
    if (upstream[node].length === 0 && downstream[node].length > 0) {
      column[node] = Math.max(0, Math.min(...downstream[node].map((target) => column[target])) - 1);
    }
  }
  return column;
}

function sortColumn(rows, at, neighbours) {
  const position = new Map();
  rows.forEach((row) => row.forEach((node, index) => position.set(node, (index + 0.5) / row.length)));
  const weight = (node) => {
    const near = neighbours[node];
    return near.length ? near.reduce((sum, other) => sum + position.get(other), 0) / near.length : position.get(node);
  };
  rows[at] = rows[at].map((node) => [weight(node), node]).sort((a, b) => a[0] - b[0]).map(([, node]) => node);
}

function place(rows, routes, count) {
  const tall = (node) => (node < count ? CARD.height : LANE);
  const length = (row) => row.reduce((sum, node) => sum + tall(node) + GAP.y, -GAP.y);
  const height = rows.reduce((most, row) => Math.max(most, length(row)), CARD.height);
  const places = [];
  rows.forEach((row, at) => {
    let y = (height - length(row)) / 2;
    for (const node of row) {
      places[node] = { x: at * (CARD.width + GAP.x), y, column: at };
      y += tall(node) + GAP.y;
    }
  });
  return {
    places: places.slice(0, count),
    routes: routes.map((route) => route.map((lane) => ({ x: places[lane].x, y: places[lane].y + LANE / 2 }))),
    rows: rows.map((row) => row.filter((node) => node < count)),
    width: Math.max(0, rows.length * (CARD.width + GAP.x) - GAP.x),
    height,
  };
}
