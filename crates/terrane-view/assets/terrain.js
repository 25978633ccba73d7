// The terrain in three dimensions: a mesh of heights with a limited size, textured with the map's picture.

import * as THREE from './vendor/three/three.min.js';
import { OrbitControls } from './vendor/three/three.min.js';
import { byId } from './dom.js';
import { content, fetchBytes, fetchPicture } from './link.js';
import { drawnInSoftware } from './software.js';

// Vertices along the longest side of the mesh, and pixels along the longest side of the picture.
export const MESH = 513;
export const TEXTURE = 2048;
// The longest side of the ground in the scene.
const GROUND = 2;
// If frames take longer than this, in milliseconds, a coarser mesh is drawn while the camera moves.
const SLOW = 45;
// The coarse mesh has every fourth vertex.
const STEP = 4;

export class TerrainView {
  #box = byId('terrain');
  #renderer = null;
  #scene = new THREE.Scene();
  #camera = new THREE.PerspectiveCamera(38, 1, 0.01, 50);
  #controls = null;
  #surface = null;
  #walls = null;
  #data = null;
  #frame = 0;
  #turn = 0;
  #soft = false;
  #pace = { before: 0, mean: 16, slow: false, still: 0 };
  exaggeration = 1;

  constructor(events) {
    this.events = events;
  }

  // Creates the renderer on first use, since some machines have no WebGL.
  #begin() {
    if (this.#renderer) return;
    // Antialiasing and anisotropic filtering are too slow when the processor draws.
    this.#soft = drawnInSoftware();
    this.#renderer = new THREE.WebGLRenderer({ antialias: !this.#soft, alpha: true });
    this.#renderer.domElement.tabIndex = 0;
    this.#renderer.domElement.setAttribute('aria-label', 'Terrain of the selected output');
    this.#box.append(this.#renderer.domElement);
    this.#controls = new OrbitControls(this.#camera, this.#renderer.domElement);
    Object.assign(this.#controls, { enableDamping: false, maxPolarAngle: Math.PI * 0.495, minDistance: 0.15, maxDistance: 12, zoomToCursor: true });
    this.#controls.addEventListener('change', () => this.#moves());
    const material = new THREE.MeshBasicMaterial({ side: THREE.DoubleSide });
    this.#surface = new THREE.Mesh(new THREE.BufferGeometry(), material);
    this.#walls = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.MeshBasicMaterial({ color: 0x6b6258, side: THREE.DoubleSide }));
    this.#scene.add(this.#surface, this.#walls);
    new ResizeObserver(() => this.#resize()).observe(this.#box);
    this.#resize();
    this.fit();
  }

  // Shows content. The camera does not move. The old content stays until heights and picture are loaded.
  async show(id, about, style) {
    this.#begin();
    const turn = this.#turn += 1;
    const key = JSON.stringify([id, style]);
    if (this.#data?.key === key) return;
    const [heights, picture] = await Promise.all([
      this.#data?.id === id ? this.#data.heights : fetchBytes(content(id, 'heights', { side: MESH })).then((bytes) => new Float32Array(bytes)),
      fetchPicture(content(id, 'picture', { side: TEXTURE, ...style })),
    ]);
    if (turn !== this.#turn) { picture.close(); return; }
    const sameMesh = this.#data?.id === id;
    this.#data = { key, id, about, heights };
    this.#paint(picture);
    if (!sameMesh) this.#mesh();
    this.draw();
    this.events.dispatchEvent(new CustomEvent('shown3d', { detail: id }));
  }

  get id() {
    return this.#data?.id;
  }

  exaggerate(factor) {
    this.exaggeration = factor;
    if (!this.#data) return;
    this.#mesh();
    this.draw();
  }

  fit() {
    this.#begin();
    const distance = 3.55 * Math.max(1, 1.6 / this.#camera.aspect);
    this.#controls.target.set(0, -0.12, 0);
    this.#camera.position.set(0.3, 0.62, 1).setLength(distance);
    this.#controls.update();
    this.draw();
  }

  draw() {
    this.#frame ||= requestAnimationFrame(() => { this.#frame = 0; this.drawNow(); });
  }

  drawNow() {
    this.#renderer?.render(this.#scene, this.#camera);
  }

  // Called when the camera moves: slow frames switch to the coarse mesh until the camera stops.
  #moves() {
    const now = performance.now();
    const took = now - this.#pace.before;
    this.#pace.before = now;
    if (took < 2000) this.#pace.mean += (took - this.#pace.mean) * 0.3;
    if (!this.#pace.slow && this.#pace.mean > SLOW) this.#detail(true);
    clearTimeout(this.#pace.still);
    this.#pace.still = setTimeout(() => { this.#pace.mean = Math.min(this.#pace.mean, SLOW); this.#detail(false); this.draw(); }, 250);
    this.draw();
  }

  // Switches between the full mesh, and the coarse mesh at half the resolution.
  #detail(coarse) {
    if (this.#pace.slow === coarse || !this.#data) return;
    this.#pace.slow = coarse;
    this.#surface.geometry.setIndex(coarse ? this.#data.coarse : this.#data.fine);
    this.#renderer.setPixelRatio(coarse ? 0.5 : Math.min(2, devicePixelRatio));
    this.events.dispatchEvent(new Event('detail'));
  }

  // Columns and rows of vertices that are currently drawn.
  get detail() {
    const [w, h] = this.#data?.about.mesh ?? [0, 0];
    return this.#pace.slow ? [lines(w, STEP).length, lines(h, STEP).length] : [w, h];
  }

  // Rotates the camera around the terrain, to measure frames per second.
  orbit(angle) {
    this.#controls.target.set(0, 0.05, 0);
    this.#camera.position.set(2.2 * Math.sin(angle), 1.35, 2.2 * Math.cos(angle));
    this.#camera.lookAt(0, 0.05, 0);
    this.#moves();
  }

  picture() {
    this.drawNow();
    return new Promise((resolve) => { this.#renderer.domElement.toBlob(resolve, 'image/png'); });
  }

  #paint(picture) {
    const material = this.#surface.material;
    material.map?.image.close?.();
    material.map?.dispose();
    const texture = new THREE.Texture(picture);
    Object.assign(texture, { flipY: false, colorSpace: THREE.SRGBColorSpace, needsUpdate: true, anisotropy: this.#soft ? 1 : Math.min(8, this.#renderer.capabilities.getMaxAnisotropy()) });
    material.map = texture;
    material.needsUpdate = true;
  }

  #mesh() {
    const { about, heights } = this.#data;
    const [w, h] = about.mesh;
    const longest = Math.max(w, h) - 1 || 1;
    const world = (Math.max(...about.size) - 1) * about.spacing || 1;
    const scale = GROUND / world * this.exaggeration;
    const middle = (about.min + about.max) / 2;
    const up = (at) => ((Number.isFinite(heights[at]) ? heights[at] : about.min) - middle) * scale;
    const positions = new Float32Array(w * h * 3);
    const uvs = new Float32Array(w * h * 2);
    for (let y = 0, at = 0; y < h; y += 1) {
      for (let x = 0; x < w; x += 1, at += 1) {
        positions.set([(x - (w - 1) / 2) / longest * GROUND, up(at), (y - (h - 1) / 2) / longest * GROUND], at * 3);
        uvs.set([x / Math.max(1, w - 1), y / Math.max(1, h - 1)], at * 2);
      }
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
    geometry.setAttribute('uv', new THREE.BufferAttribute(uvs, 2));
    this.#data.fine = new THREE.BufferAttribute(squares(w, h, 1), 1);
    this.#data.coarse = new THREE.BufferAttribute(squares(w, h, STEP), 1);
    geometry.setIndex(this.#pace.slow ? this.#data.coarse : this.#data.fine);
    this.#surface.geometry.dispose();
    this.#surface.geometry = geometry;
    const floor = (about.min - middle) * scale - 0.05;
    this.#walls.geometry.dispose();
    this.#walls.geometry = walls(positions, w, h, floor);
  }

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.#box;
    if (!width || !height) return;
    this.#renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.#renderer.setSize(width, height);
    this.#camera.aspect = width / height;
    this.#camera.updateProjectionMatrix();
    this.drawNow();
  }
}

// The indices of every `step`-th column or row, and of the last one.
function lines(count, step) {
  const out = [];
  for (let line = 0; line < count - 1; line += step) out.push(line);
  if (count > 0) out.push(count - 1);
  return out;
}

// The triangles of the surface, two per square.
function squares(w, h, step) {
  const [columns, rows] = [lines(w, step), lines(h, step)];
  const index = new Uint32Array(Math.max(0, columns.length - 1) * Math.max(0, rows.length - 1) * 6);
  for (let y = 0, at = 0; y + 1 < rows.length; y += 1) {
    for (let x = 0; x + 1 < columns.length; x += 1, at += 6) {
      const [a, b] = [rows[y] * w + columns[x], rows[y] * w + columns[x + 1]];
      const [c, d] = [rows[y + 1] * w + columns[x], rows[y + 1] * w + columns[x + 1]];
      index.set([a, c, b, b, c, d], at);
    }
  }
  return index;
}

// The sides of the block that the terrain is cut from.
function walls(positions, w, h, floor) {
  const ring = [];
  for (let x = 0; x < w; x += 1) ring.push(x);
  for (let y = 1; y < h; y += 1) ring.push(y * w + w - 1);
  for (let x = w - 2; x >= 0; x -= 1) ring.push((h - 1) * w + x);
  for (let y = h - 2; y >= 0; y -= 1) ring.push(y * w);
  const points = new Float32Array(ring.length * 6);
  const index = new Uint32Array((ring.length - 1) * 6);
  ring.forEach((vertex, at) => {
    const [x, y, z] = positions.subarray(vertex * 3, vertex * 3 + 3);
    points.set([x, y, z, x, floor, z], at * 6);
    if (at + 1 < ring.length) index.set([2 * at, 2 * at + 1, 2 * at + 2, 2 * at + 2, 2 * at + 1, 2 * at + 3], at * 6);
  });
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(points, 3));
  geometry.setIndex(new THREE.BufferAttribute(index, 1));
  return geometry;
}
