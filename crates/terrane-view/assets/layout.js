// Positions of cards and wires in the columns and orders that the server chose.

// The sizes of cards with and without pictures, and the gaps between them.
export const SIZES = {
  pictures: { width: 152, height: 148, across: 68, down: 18 },
  names: { width: 186, height: 36, across: 42, down: 8 },
};
// The height of a wire's lane, with the gap below it.
const LANE = 11;
// The height between two bands of columns.
const BAND = 46;
const MOST_BANDS = 8;

// Places the columns in as many bands, one below the other, as let the graph be largest in an area. Returns the position { x, y, column,
// band } of each node, the lanes { x, y, band } of each wire, the nodes of each column, the heights between bands, and the total size.
export function place(layout, count, size, area) {
  const bands = Math.max(1, Math.min(MOST_BANDS, layout.columns.length));
  const all = Array.from({ length: bands }, (_, index) => banded(layout, count, size, Math.ceil(layout.columns.length / (index + 1))));
  const scale = ({ width, height }) => Math.min(1, area.width / width, area.height / height);
  // More bands only if that helps much: wires between bands are long.
  return all.reduce((best, next) => (scale(next) > 1.15 * scale(best) ? next : best));
}

function banded({ columns, routes }, count, size, per) {
  const room = (item) => (item < count ? size.height + size.down : LANE);
  const length = (column) => column.reduce((sum, item) => sum + room(item), -size.down);
  const places = [];
  const gaps = [];
  let top = 0;
  for (let first = 0; first < columns.length; first += per) {
    const band = gaps.length;
    const own = columns.slice(first, first + per);
    const height = own.reduce((most, column) => Math.max(most, length(column)), size.height);
    own.forEach((column, at) => {
      let y = top + (height - length(column)) / 2;
      for (const item of column) {
        places[item] = { x: at * (size.width + size.across), y, column: first + at, band };
        y += room(item);
      }
    });
    gaps.push(top + height + BAND / 2);
    top += height + BAND;
  }
  return {
    places: places.slice(0, count),
    routes: routes.map((route) => route.map((lane) => ({ x: places[lane].x, y: places[lane].y + LANE / 2, band: places[lane].band }))),
    columns: columns.map((column) => column.filter((item) => item < count)),
    gaps,
    width: Math.max(1, Math.min(per, columns.length) * (size.width + size.across) - size.across),
    height: Math.max(1, top - BAND),
  };
}

// The SVG path of a wire: straight along its lanes through columns, curved between them, and back between two bands.
export function course(from, route, to, width, gaps) {
  let { x, y, band } = from;
  let path = `M${x} ${y}`;
  const curve = (endX, endY) => {
    const bend = Math.max(34, (endX - x) / 2);
    path += ` C${x + bend} ${y} ${endX - bend} ${endY} ${endX} ${endY}`;
  };
  for (const next of [...route, to]) {
    if (next.band !== band) {
      const gap = gaps[next.band - 1];
      path += ` C${x + 40} ${y} ${x + 40} ${gap} ${x} ${gap} H${next.x} C${next.x - 40} ${gap} ${next.x - 40} ${next.y} ${next.x} ${next.y}`;
    } else curve(next.x, next.y);
    [x, y, band] = [next.x, next.y, next.band];
    if (next !== to) { x += width; path += ` H${x}`; }
  }
  return path;
}
