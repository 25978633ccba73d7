// Where nodes stand: in columns from left to right, ordered so that few wires cross.

export const CARD = { width: 152, height: 148 };
const GAP = { x: 68, y: 18 };
const SWEEPS = 8;

// `wires` are [giver, output, reader, input]. Gives per node { x, y, column }, and the whole size.
export function layout(count, wires) {
  const givers = Array.from({ length: count }, () => []);
  const readers = Array.from({ length: count }, () => []);
  for (const [giver, , reader] of wires) {
    givers[reader].push(giver);
    readers[giver].push(reader);
  }
  const column = columns(count, givers, readers);
  const rows = [];
  column.forEach((at, node) => (rows[at] ??= []).push(node));
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const forward = sweep % 2 === 0;
    const order = forward ? rows.keys() : [...rows.keys()].reverse();
    for (const at of order) sortColumn(rows, at, forward ? givers : readers);
  }
  return place(rows, givers, count);
}

// A node stands one column after its last giver; a source stands just before its first reader.
function columns(count, givers, readers) {
  const column = new Array(count).fill(-1);
  const depth = (start) => {
    const stack = [start];
    while (stack.length) {
      const node = stack[stack.length - 1];
      const open = givers[node].filter((giver) => column[giver] < 0);
      if (open.length) stack.push(...open);
      else {
        column[node] = givers[node].reduce((most, giver) => Math.max(most, column[giver] + 1), 0);
        stack.pop();
      }
    }
  };
  for (let node = 0; node < count; node += 1) if (column[node] < 0) depth(node);
  for (let node = 0; node < count; node += 1) {
    if (givers[node].length === 0 && readers[node].length > 0) {
      column[node] = Math.max(0, Math.min(...readers[node].map((reader) => column[reader])) - 1);
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

function place(rows, givers, count) {
  const tallest = rows.reduce((most, row) => Math.max(most, row.length), 1);
  const height = tallest * (CARD.height + GAP.y) - GAP.y;
  const places = new Array(count);
  rows.forEach((row, at) => {
    const own = row.length * (CARD.height + GAP.y) - GAP.y;
    row.forEach((node, index) => {
      places[node] = {
        x: at * (CARD.width + GAP.x),
        y: (height - own) / 2 + index * (CARD.height + GAP.y),
        column: at,
      };
    });
  });
  return { places, rows, width: rows.length * (CARD.width + GAP.x) - GAP.x, height };
}
