// Where the camera of a scene stands, as the node that renders it computes it. Lengths are in samples of the map; east is x, south is y, up is z.

import { direction } from './air.js';

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => a.map((c) => c / (Math.sqrt(dot(a, a)) || 1));
const along = (from, way, by) => from.map((c, at) => c + by * way[at]);

// The zoom that shows all ground and its base, with margins.
const WITH_MARGINS = 0.97;

// The eye and the target of a camera. `ground` knows the terrain: `top(x, y)`, `extent` and `shown`, opposite corners of boxes; `place` turns world x, y and a height above the ground into a position.
export function placed(look, ground) {
  if (look.eye && look.target) {
    const [x, y, z] = ground.place(look.eye);
    return upright([x, y, Math.max(z, ground.top(x, y) + 1e-3)], ground.place(look.target));
  }
  const way = direction(look.camera_azimuth, look.camera_altitude);
  const [low, high] = ground.shown.map((corner) => [...corner]);
  if (look.zoom === null) low[2] = ground.extent[0][2];
  const half = halves(look);
  const target = look.target ? ground.place(look.target)
    : look.zoom === null ? middle(way, half, low, high) : low.map((c, at) => 0.5 * (c + high[at]));
  const axes = frame(along(target, way, 1), target);
  let distance = 0;
  for (let corner = 0; corner < 8; corner += 1) {
    const from = low.map((c, axis) => ((corner >> axis) & 1 ? high[axis] : c) - target[axis]);
    const needed = Math.max(Math.abs(dot(from, axes.right)) / half[0], Math.abs(dot(from, axes.down)) / half[1]) - dot(from, axes.forward);
    distance = Math.max(distance, needed);
  }
  const eye = along(target, way, distance * 1.02 / (look.zoom ?? WITH_MARGINS));
  const [[left, top], [right, bottom]] = ground.extent;
  const over = eye[0] >= left && eye[0] <= right && eye[1] >= top && eye[1] <= bottom;
  const lowest = over ? ground.top(eye[0], eye[1]) : look.sea ?? -Infinity;
  if (!(eye[2] > lowest + 0.5)) eye[2] = lowest + 0.5;
  return upright(eye, target);
}

// A camera that looks straight down has north at the top of its picture.
function upright(eye, target) {
  const way = unit(target.map((c, at) => c - eye[at]));
  return { eye: way[0] ** 2 + way[1] ** 2 > 1e-12 ? eye : [target[0], target[1], eye[2]], target };
}

// Half the picture's width and height at a distance of 1.
export function halves({ field_of_view: field, pixels }) {
  const wide = Math.tan(0.5 * Math.min(170, Math.max(1, field)) * Math.PI / 180);
  return [wide, wide * pixels[1] / pixels[0]];
}

function frame(eye, target) {
  const forward = unit(target.map((c, at) => c - eye[at]));
  const level = forward[0] ** 2 + forward[1] ** 2;
  const right = level > 1e-12 ? unit([-forward[1], forward[0], 0]) : [1, 0, 0];
  return { forward, right, down: cross(right, forward) };
}

// The target for which a box is in the middle of the picture.
function middle(way, half, low, high) {
  const axes = frame(way, [0, 0, 0]);
  const edges = [-Infinity, -Infinity, -Infinity, -Infinity];
  for (let corner = 0; corner < 8; corner += 1) {
    const at = low.map((c, axis) => ((corner >> axis) & 1 ? high[axis] : c));
    const [x, y, z] = [axes.right, axes.down, axes.forward].map((axis) => dot(at, axis));
    [x - half[0] * z, -x - half[0] * z, y - half[1] * z, -y - half[1] * z].forEach((needed, edge) => { edges[edge] = Math.max(edges[edge], needed); });
  }
  const [x, y] = [0.5 * (edges[0] - edges[1]), 0.5 * (edges[2] - edges[3])];
  const z = dot(low.map((c, at) => 0.5 * (c + high[at])), axes.forward);
  return [0, 1, 2].map((axis) => x * axes.right[axis] + y * axes.down[axis] + z * axes.forward[axis]);
}
