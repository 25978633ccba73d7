// The ground of a scene, as arrays that its camera and its shaders read.

// Heights in samples. Those that are not finite get the lowest finite height.
export function inSamples(heights, scale) {
  let lowest = Infinity;
  for (const height of heights) if (Number.isFinite(height) && height < lowest) lowest = height;
  if (lowest === Infinity) lowest = 0;
  return heights.map((height) => (Number.isFinite(height) ? height : lowest) * scale);
}

// How far around water, in samples, its level is known. Cells of distant shores are not larger.
const SHORE = 24;

// The surface of water: its level where that is above the ground. Around water, dry ground gets the level of the nearest water or its own height, whichever is lower, so that shores are where the ground rises through the level, however few samples are drawn; elsewhere it is the ground. Also the depth of the deepest water; null if all is dry.
export function waterSurface(ground, levels, [columns, rows]) {
  const surface = new Float32Array(ground.length);
  const away = new Uint8Array(ground.length).fill(SHORE);
  let deepest = 0;
  for (let at = 0; at < ground.length; at += 1) {
    const wet = levels[at] > ground[at];
    surface[at] = wet ? levels[at] : -Infinity;
    if (wet) { away[at] = 0; deepest = Math.max(deepest, levels[at] - ground[at]); }
  }
  if (deepest === 0) return null;
  // The level of the nearest water, by a pass from the first corner to the last, and one back.
  const pass = (forward) => {
    const way = forward ? -1 : 1;
    for (let step = 0; step < ground.length; step += 1) {
      const at = forward ? step : ground.length - 1 - step;
      const [x, y] = [at % columns, Math.floor(at / columns)];
      const from = (dx, dy) => {
        if (x + dx < 0 || x + dx >= columns || y + dy < 0 || y + dy >= rows) return;
        const other = at + dy * columns + dx;
        if (away[other] + 1 < away[at]) { away[at] = away[other] + 1; surface[at] = surface[other]; }
      };
      if (away[at] === 0) continue;
      from(way, 0);
      from(-1, way);
      from(0, way);
      from(1, way);
    }
  };
  pass(true);
  pass(false);
  for (let at = 0; at < ground.length; at += 1) if (away[at] > 0) surface[at] = surface[at] === -Infinity ? ground[at] : Math.min(surface[at], ground[at]);
  return { surface, deepest };
}

// What a camera needs to know of the ground, the water and the sea. `about` has the map's origin and spacing; `times` is the factor on heights.
export function extents(ground, surface, [columns, rows], sea, about, times) {
  const place = ([x, y]) => [(x - about.origin[0]) / about.spacing, (y - about.origin[1]) / about.spacing];
  let [lowest, highest] = [Infinity, -Infinity];
  for (const height of ground) { if (height < lowest) lowest = height; if (height > highest) highest = height; }
  if (surface) for (const level of surface) if (level > highest) highest = level;
  const base = lowest - 0.015 * Math.max(columns, rows);
  const any = sea === null || ground.some((height) => height >= sea);
  const shown = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
  for (let y = 0, at = 0; y < rows; y += 1) {
    for (let x = 0; x < columns; x += 1, at += 1) {
      if (any && sea !== null && ground[at] < sea) continue;
      const point = [x, y, ground[at]];
      for (let axis = 0; axis < 3; axis += 1) {
        if (point[axis] < shown[0][axis]) shown[0][axis] = point[axis];
        if (point[axis] > shown[1][axis]) shown[1][axis] = point[axis];
      }
    }
  }
  const height = (map, x, y) => {
    const [u, v] = [Math.min(columns - 1, Math.max(0, x)), Math.min(rows - 1, Math.max(0, y))];
    const [i, j] = [Math.min(columns - 2, Math.floor(u)), Math.min(rows - 2, Math.floor(v))];
    const [f, g, first] = [u - i, v - j, j * columns + i];
    const north = map[first] * (1 - f) + map[first + 1] * f;
    return north * (1 - g) + (map[first + columns] * (1 - f) + map[first + columns + 1] * f) * g;
  };
  const top = (x, y) => Math.max(height(ground, x, y), surface ? height(surface, x, y) : -Infinity, sea ?? -Infinity);
  return {
    top,
    shown,
    extent: [[0, 0, sea === null ? base : Math.min(sea, highest)], [columns - 1, rows - 1, highest]],
    range: [lowest, highest],
    place: (at) => { const [x, y] = place(at); return [x, y, top(x, y) + at[2] * times / about.spacing]; },
    // World x and y, and the height above ground or water, of a position.
    world: ([x, y, z]) => [x * about.spacing + about.origin[0], y * about.spacing + about.origin[1], (z - top(x, y)) * about.spacing / times],
  };
}

// The segments of lines in world units, laid on the ground or the water: where each begins, and where each ends. They are no longer than a few samples.
export function laid(lines, { place }, spacing) {
  const [from, to] = [[], []];
  for (const line of lines) {
    for (let at = 0; at + 1 < line.length; at += 1) {
      const [[x, y], [u, v]] = [line[at], line[at + 1]];
      const parts = Math.max(1, Math.min(10000, Math.ceil(Math.hypot(u - x, v - y) / (2 * spacing))));
      const position = (part) => place([x + (u - x) * part / parts, y + (v - y) * part / parts, 0]);
      let before = position(0);
      for (let part = 1; part <= parts; part += 1) {
        const next = position(part);
        from.push(...before);
        to.push(...next);
        before = next;
      }
    }
  }
  return { from: new Float32Array(from), to: new Float32Array(to) };
}

// The walls below the map's border, down to `base`: positions, outward normals and triangles.
export function walls(ground, [columns, rows], base) {
  const sides = [
    { count: columns, at: (i) => [i, 0], out: [0, -1, 0] }, { count: columns, at: (i) => [i, rows - 1], out: [0, 1, 0] },
    { count: rows, at: (i) => [0, i], out: [-1, 0, 0] }, { count: rows, at: (i) => [columns - 1, i], out: [1, 0, 0] },
  ];
  const [position, normal, index] = [[], [], []];
  for (const { count, at, out } of sides) {
    for (let i = 0; i < count; i += 1) {
      const [x, y] = at(i);
      const first = position.length / 3;
      position.push(x, y, ground[y * columns + x], x, y, base);
      normal.push(...out, ...out);
      if (i + 1 < count) index.push(first, first + 1, first + 2, first + 2, first + 1, first + 3);
    }
  }
  return { position: new Float32Array(position), normal: new Float32Array(normal), index };
}
