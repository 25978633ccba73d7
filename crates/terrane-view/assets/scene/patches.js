// The patches that a surface is drawn from: near the eye with a vertex for each sample, further away with fewer.

import * as THREE from '../vendor/three/three.min.js';

// Cells along a side of a patch.
const CELLS = 32;
// The least distance, in samples, at which patches may be twice as large. With a smaller one, patches of three sizes would meet.
const NEAREST = 100;
const MOST = 4096;

export class Patches {
  geometry = new THREE.InstancedBufferGeometry();
  #places = new THREE.InstancedBufferAttribute(new Float32Array(4 * MOST), 4).setUsage(THREE.DynamicDrawUsage);
  #box = new THREE.Box3();
  // Columns and rows of samples, and the lowest and the highest of them.
  size = [2, 2];
  range = [0, 1];
  // By level, whether a patch has anything to draw; null if all have.
  #wanted = null;

  constructor() {
    const side = CELLS + 1;
    const positions = Float32Array.from({ length: 2 * side * side }, (_, at) => (at % 2 ? Math.floor(at / 2 / side) : (at >> 1) % side));
    const index = [];
    for (let y = 0; y < CELLS; y += 1) {
      for (let x = 0; x < CELLS; x += 1) {
        const a = y * side + x;
        index.push(a, a + side, a + 1, a + 1, a + side, a + side + 1);
      }
    }
    this.geometry.setAttribute('position', new THREE.BufferAttribute(positions, 2));
    this.geometry.setAttribute('patch_', this.#places);
    this.geometry.setIndex(index);
  }

  // Leaves out patches in which no sample is above 0.
  only(depths) {
    const [columns, rows] = this.size;
    let [w, h] = [columns, rows].map((side) => Math.max(1, Math.ceil((side - 1) / CELLS)));
    let flags = new Uint8Array(w * h);
    for (let y = 0, at = 0; y < rows; y += 1) {
      for (let x = 0; x < columns; x += 1, at += 1) {
        if (!(depths(at) > 0)) continue;
        // A sample on the border of patches belongs to all of them.
        for (const j of [y - 1, y]) for (const i of [x - 1, x]) flags[Math.min(h - 1, Math.max(0, Math.floor(j / CELLS))) * w + Math.min(w - 1, Math.max(0, Math.floor(i / CELLS)))] = 1;
      }
    }
    this.#wanted = [{ flags, w }];
    while (w > 1 || h > 1) {
      const [wide, high] = [Math.ceil(w / 2), Math.ceil(h / 2)];
      const next = new Uint8Array(wide * high);
      flags.forEach((flag, at) => { if (flag) next[(Math.floor(at / w) >> 1) * wide + ((at % w) >> 1)] = 1; });
      [flags, w, h] = [next, wide, high];
      this.#wanted.push({ flags, w });
    }
  }

  // Chooses patches for an eye, whose pixels are so many samples wide at a distance of one sample. A cell is about `fine` pixels wide or more, and has at least 2 to the power of `least` samples along a side.
  choose(eye, pixel, fine, least, frustum) {
    const nearest = Math.max(NEAREST, 1 / (pixel * fine));
    const cells = Math.max(...this.size) - 1;
    let levels = 0;
    while (CELLS << levels < cells) levels += 1;
    let count = 0;
    const visit = (level, x, y) => {
      const side = CELLS << level;
      if (x >= this.size[0] - 1 || y >= this.size[1] - 1) return;
      const wanted = this.#wanted?.[Math.min(level, this.#wanted.length - 1)];
      if (wanted && !wanted.flags[Math.floor(y / side) * wanted.w + Math.floor(x / side)]) return;
      // Seen from the outside: x, up, y.
      this.#box.min.set(x, this.range[0], y);
      this.#box.max.set(Math.min(x + side, this.size[0] - 1), this.range[1], Math.min(y + side, this.size[1] - 1));
      if (!frustum.intersectsBox(this.#box)) return;
      const reach = nearest * 2 ** level;
      if (level > least && this.#box.distanceToPoint(eye) <= reach / 2) {
        const half = side / 2;
        for (const [dx, dy] of [[0, 0], [half, 0], [0, half], [half, half]]) visit(level - 1, x + dx, y + dy);
      } else if (count < MOST) {
        this.#places.array.set([x, y, 2 ** level, reach], 4 * count);
        count += 1;
      }
    };
    visit(levels, 0, 0);
    this.geometry.instanceCount = count;
    this.#places.needsUpdate = true;
    return count;
  }

  // How far above or below the patches the samples are, in pixels of which one is `pixel` samples wide at a distance of one sample: of each
  // sample in sight that is no vertex.
  errors(heights, eye, pixel) {
    const [columns, rows] = this.size;
    const all = [];
    for (let at = 0; at < this.geometry.instanceCount; at += 1) {
      const [left, top, step] = this.#places.array.subarray(4 * at, 4 * at + 3);
      const [right, bottom] = [Math.min(columns - 1, left + CELLS * step), Math.min(rows - 1, top + CELLS * step)];
      for (let y = top; y <= bottom; y += 1) {
        for (let x = left; x <= right; x += 1) {
          const [u, v] = [x - (x - left) % step, y - (y - top) % step];
          if (u === x && v === y) continue;
          const [u1, v1] = [Math.min(columns - 1, u + step), Math.min(rows - 1, v + step)];
          const [f, g] = [(x - u) / (u1 - u || 1), (y - v) / (v1 - v || 1)];
          const row = (line) => heights[line * columns + u] * (1 - f) + heights[line * columns + u1] * f;
          const height = heights[y * columns + x];
          all.push(Math.abs(row(v) * (1 - g) + row(v1) * g - height) / (pixel * Math.hypot(x - eye.x, y - eye.z, height - eye.y)));
        }
      }
    }
    return all;
  }
}
