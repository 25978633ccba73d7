// Positions of the world in the picture of a scene, and the ground under the pointer. Lengths are in samples; east is x, south is y, up is z.

import * as THREE from '../vendor/three/three.min.js';

// Steps along a ray at most.
const STEPS = 2000;

// `view` has the `camera`, the `box` that it is drawn in, the `ground`, and `hold`, which keeps the camera where it is.
export function surfaceOf(view) {
  const { camera, box } = view;
  // The height of a position in samples. A third number is a height, or a height above the ground.
  const raised = ([x, y, z], place) => {
    const { ground } = view;
    const at = ground.place([x, y, place === 'above' && typeof z === 'number' ? z : 0]);
    return place === 'space' && typeof z === 'number' ? [at[0], at[1], z * ground.scale] : at;
  };
  const seen = (at) => {
    const point = new THREE.Vector3(at[0], at[2], at[1]).project(camera);
    if (!(point.z > -1 && point.z < 1)) return null;
    return { x: (point.x + 1) / 2 * box.clientWidth, y: (1 - point.y) / 2 * box.clientHeight };
  };
  const ray = (px, py) => {
    const far = new THREE.Vector3(2 * px / box.clientWidth - 1, 1 - 2 * py / box.clientHeight, 0.5).unproject(camera);
    const { x, y, z } = camera.position;
    const way = far.sub(camera.position).normalize();
    return { eye: [x, z, y], way: [way.x, way.z, way.y] };
  };
  const along = ({ eye, way }, by) => eye.map((c, axis) => c + by * way[axis]);
  const world = ([x, y]) => { const [u, v] = view.ground.world([x, y, 0]); return [u, v]; };

  return {
    get spacing() { return view.ground.spacing; },
    hold: view.hold,
    // Where a position is seen, and whether the ground hides it.
    at(position, place) {
      const at = raised(position, place);
      const screen = seen(at);
      if (!screen) return null;
      const eye = [camera.position.x, camera.position.z, camera.position.y];
      const way = at.map((c, axis) => c - eye[axis]);
      const length = Math.hypot(...way);
      const hit = ground(view.ground, { eye, way: way.map((c) => c / length) }, 0, length);
      return { ...screen, behind: hit !== null && hit < length - Math.max(1, 0.01 * length) };
    },
    // Where the ground below a raised position is seen.
    foot(position, place) {
      if (place === 'plane' || typeof position[2] !== 'number') return null;
      return seen(view.ground.place([position[0], position[1], 0]));
    },
    // The position of the world under the pointer, of something as high as `position`.
    world(px, py, position, place) {
      const pointer = ray(px, py);
      const third = typeof position[2] === 'number' ? position[2] * view.ground.scale : 0;
      const level = place === 'space' && typeof position[2] === 'number';
      const hit = level ? null : ground(view.ground, pointer, place === 'above' ? third : 0, Infinity);
      // At a height of its own, or beside the map, it moves on a level.
      const far = hit ?? (raised(position, place)[2] - pointer.eye[2]) / pointer.way[2];
      const most = 20 * Math.max(...view.ground.size);
      return far > 0 && far < most ? world(along(pointer, far)) : null;
    },
    // The third number of a position that is raised to the pointer; `null` if it has none.
    raised(px, py, position, place) {
      if (place === 'plane' || typeof position[2] !== 'number') return null;
      const { eye, way } = ray(px, py);
      const [x, y, top] = view.ground.place([position[0], position[1], 0]);
      // The point of the vertical that is nearest to the ray.
      const level = way[0] ** 2 + way[1] ** 2;
      if (level < 1e-9) return null;
      const z = eye[2] + way[2] * ((x - eye[0]) * way[0] + (y - eye[1]) * way[1]) / level;
      return (place === 'space' ? z : Math.max(0, z - top)) / view.ground.scale;
    },
  };
}

// How far along a ray the ground is that is raised by `lift`; `null` if the ray does not meet it before `most`.
function ground({ extent: [low, high], top }, { eye, way }, lift, most) {
  let [from, to] = [0, most];
  const bounds = [[low[0], high[0]], [low[1], high[1]], [-Infinity, high[2] + lift]];
  for (let axis = 0; axis < 3; axis += 1) {
    const [a, b] = bounds[axis].map((bound) => (bound - eye[axis]) / way[axis]);
    if (Number.isNaN(a) || Number.isNaN(b)) continue;
    from = Math.max(from, Math.min(a, b));
    to = Math.min(to, Math.max(a, b));
  }
  if (!(from < to) || !Number.isFinite(to)) return null;
  const above = (by) => eye[2] + by * way[2] - top(eye[0] + by * way[0], eye[1] + by * way[1]) - lift;
  const step = Math.max(0.5, (to - from) / STEPS);
  let before = from;
  // A ray that begins below the ground, or at a wall of the map, meets nothing.
  if (above(from) < 0) return null;
  for (let by = from + step; ; by += step) {
    const at = Math.min(by, to);
    if (above(at) < 0) {
      let after = at;
      for (let turn = 0; turn < 20; turn += 1) { const middle = (before + after) / 2; if (above(middle) < 0) after = middle; else before = middle; }
      return after;
    }
    if (at === to) return null;
    before = at;
  }
}
