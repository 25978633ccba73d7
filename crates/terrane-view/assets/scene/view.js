// A scene, drawn with WebGL from the inputs of the node that renders it: ground, colours, water, sun and haze.

import * as THREE from '../vendor/three/three.min.js';
import { OrbitControls } from '../vendor/three/three.min.js';
import { byId, number } from '../dom.js';
import { drawnInSoftware } from '../software.js';
import { air } from './air.js';
import { halves, placed } from './camera.js';
import { Loaded } from './loaded.js';
import { extents, inSamples, laid, walls, waterSurface } from './ground.js';
import { parts } from './parts.js';
import { Patches } from './patches.js';
import { surfaceOf } from './surface.js';

// Pixels along a side of a cell where it is far away. A processor that draws gets larger cells, and still larger ones while the camera moves.
const [FINE, FINE_IN_SOFTWARE, FINE_WHILE_SLOW] = [2, 4, 8];
// While the camera moves and the processor draws, cells have at least 2 to this power of samples along a side.
const LEAST_WHILE_SLOW = 1;
// If frames take longer than this, in milliseconds, fewer pixels are drawn while the camera moves.
const SLOW = 45;
// How long the view stays, in milliseconds, until the server has the position that was dragged.
const STAYS = 5000;
const SWAP = new THREE.Matrix4().set(1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1);

export class SceneView {
  #box = byId('scene');
  #renderer = null;
  #soft = false;
  #camera = new THREE.PerspectiveCamera(40, 1, 0.1, 1000);
  #controls = null;
  #scene = null;
  #patches = new Patches();
  #wet = new Patches();
  #meshes = {};
  #uniforms = {};
  #lit = null;
  #light = null;
  // What is shown, what was loaded for it, and what is loaded last.
  #spec = null;
  #now = null;
  #loaded = new Loaded();
  #ground = null;
  #turn = 0;
  #frame = 0;
  #posed = '';
  // Whether the camera stays, while a position in the scene is dragged.
  #held = false;
  #stays = 0;
  #surface = null;
  #pace = { before: 0, mean: 16, slow: false, still: 0 };

  constructor(events) {
    this.events = events;
  }

  #begin() {
    if (this.#renderer) return;
    this.#soft = drawnInSoftware();
    this.#renderer = new THREE.WebGLRenderer({ antialias: !this.#soft });
    // In the order in which they were added.
    this.#renderer.sortObjects = false;
    this.#renderer.domElement.tabIndex = 0;
    this.#renderer.domElement.setAttribute('aria-label', 'The scene');
    this.#box.append(this.#renderer.domElement);
    this.#controls = new OrbitControls(this.#camera, this.#renderer.domElement);
    Object.assign(this.#controls, { enableDamping: false, zoomToCursor: true });
    this.#controls.addEventListener('change', () => this.#moves());
    const { uniforms, meshes, scene, lit } = parts(this.#patches.geometry, this.#wet.geometry);
    [this.#uniforms, this.#meshes, this.#scene, this.#lit] = [uniforms, meshes, scene, lit];
    new ResizeObserver(() => this.#resize()).observe(this.#box);
    this.#resize();
  }

  // Shows a scene: the ids of its ground, colours, water and tint, and its `look`. What was shown stays until all is loaded.
  async show(spec) {
    this.#begin();
    const turn = this.#turn += 1;
    const { look } = spec;
    const now = { spec, ...await this.#loaded.parts(spec) };
    if (turn !== this.#turn) return;
    const before = this.#now;
    this.#now = now;
    this.#spec = spec;
    this.#settle(now, before);
    this.#air(look);
    this.#shine();
    this.#pose(look, false);
    this.draw();
    this.events.dispatchEvent(new CustomEvent('shownscene', { detail: spec.ground }));
    // Shadows and the sky's light come later.
    const shares = await this.#loaded.exposure(spec);
    if (turn !== this.#turn) return;
    this.#texture('exposure', new Uint8Array(shares.data), THREE.RGFormat, THREE.UnsignedByteType, THREE.LinearFilter);
    this.#shine();
    this.draw();
    this.events.dispatchEvent(new CustomEvent('shadedscene', { detail: spec.ground }));
  }

  // Takes over ground, colours and water.
  #settle(now, before) {
    const { heights, colors, water, tint, spec: { look, waterIsDepth } } = now;
    const size = now.about.scene;
    // Of larger maps, fewer samples are loaded, which are further apart.
    const about = { ...now.about, spacing: now.about.spacing * (now.about.size[0] - 1) / (size[0] - 1 || 1) };
    const scale = look.exaggeration / about.spacing;
    const key = JSON.stringify([heights.id, scale, water?.id, waterIsDepth, look.sea]);
    if (this.#ground?.key !== key) {
      const ground = inSamples(heights.data, scale);
      let levels = water?.data.length === ground.length ? water.data : null;
      if (levels) levels = waterIsDepth ? levels.map((depth, at) => (depth > 0 ? ground[at] + depth * scale : NaN)) : levels.map((level) => level * scale);
      const { surface, deepest } = (levels && waterSurface(ground, levels, size)) ?? { surface: null, deepest: Infinity };
      const sea = look.sea === null ? null : look.sea * scale;
      // The camera stays where it is in the world.
      const zoom = this.#ground ? this.#ground.spacing / about.spacing : 1;
      this.#camera.position.multiplyScalar(zoom);
      this.#controls.target.multiplyScalar(zoom);
      this.#ground = { key, deepest, spacing: about.spacing, ...extents(ground, surface, size, sea, about, look.exaggeration), size, scale, sea };
      this.#patches.size = size;
      this.#patches.range = this.#ground.range;
      Object.assign(this.#controls, { minDistance: 0.5, maxDistance: 20 * Math.max(...size) });
      Object.assign(this.#wet, { size, range: this.#patches.range });
      if (surface) this.#wet.only((at) => surface[at] - ground[at]);
      this.#uniforms.size.value.set(...size);
      this.#texture('heights', ground, THREE.RedFormat, THREE.FloatType);
      if (surface) this.#texture('levels', surface, THREE.RedFormat, THREE.FloatType);
      this.#meshes.lakes.visible = Boolean(surface);
      this.#meshes.sea.visible = sea !== null;
      this.#uniforms.sea.value = sea ?? 0;
      const made = walls(ground, size, Math.min(sea ?? Infinity, this.#ground.range[0] - 0.015 * Math.max(...size)));
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', new THREE.BufferAttribute(made.position, 3));
      geometry.setAttribute('normal', new THREE.BufferAttribute(made.normal, 3));
      geometry.setIndex(made.index);
      this.#meshes.walls.geometry.dispose();
      this.#meshes.walls.geometry = geometry;
    }
    if (before?.colors !== colors) {
      const texture = Object.assign(new THREE.Texture(colors.data), { flipY: false, colorSpace: THREE.SRGBColorSpace, generateMipmaps: false, minFilter: THREE.LinearFilter, needsUpdate: true });
      this.#uniforms.colors.value.dispose();
      this.#uniforms.colors.value = texture;
    }
    if (tint && before?.tint !== tint) {
      const { about: { min, max, scene }, samples } = tint.data;
      this.#texture('tint', samples, THREE.RedFormat, THREE.FloatType, THREE.NearestFilter, scene);
      // A mask is tinted by its value; another map from its minimum to its maximum.
      this.#uniforms.tintRange.value.set(...(min >= 0 && max <= 1.001 ? [0, 1] : [min, max > min ? max : min + 1]));
    }
    this.#uniforms.tinting.value = tint ? 0.65 : 0;
    this.#meshes.lines.visible = Boolean(now.lines);
    if (now.lines) this.#draw(now.lines.data, about.spacing);
    const clear = look.clarity === null ? Math.min((about.max - about.min) / 16 * this.#ground.scale, this.#ground.deepest / 3) : look.clarity * this.#ground.scale;
    this.#uniforms.clarity.value = Math.max(1e-9, clear);
    this.#uniforms.waves.value = look.waves;
  }

  // Lays lines on the ground.
  #draw(lines, spacing) {
    const { geometry } = this.#meshes.lines;
    const segments = laid(lines, this.#ground, spacing);
    geometry.dispose();
    for (const end of ['from', 'to']) geometry.setAttribute(end, new THREE.InstancedBufferAttribute(segments[end], 3));
    geometry.instanceCount = segments.from.length / 3;
  }

  #texture(name, data, format, type, filter = THREE.NearestFilter, size = this.#ground.size) {
    if (data.length !== size[0] * size[1] * (format === THREE.RGFormat ? 2 : 1)) return;
    const texture = Object.assign(new THREE.DataTexture(data, ...size, format, type), { minFilter: filter, magFilter: filter, unpackAlignment: 1, needsUpdate: true });
    this.#uniforms[name].value.dispose();
    this.#uniforms[name].value = texture;
  }

  #air(look) {
    const { horizon, disc, loss, ...vectors } = air(look);
    for (const [name, value] of Object.entries({ ...vectors, horizon0: horizon[0], horizon1: horizon[1] })) this.#uniforms[name].value.set(...value);
    Object.assign(this.#uniforms.disc, { value: disc });
    this.#uniforms.loss.value = loss;
    this.#uniforms.exposed.value = look.exposure;
  }

  // Computes the light that each sample reflects.
  #shine() {
    const [width, height] = this.#ground.size;
    if (!this.#light || this.#light.width !== width || this.#light.height !== height) {
      this.#light?.dispose();
      this.#light = new THREE.WebGLRenderTarget(width, height, { type: THREE.HalfFloatType, depthBuffer: false, generateMipmaps: true, minFilter: THREE.LinearMipmapLinearFilter });
    }
    this.#uniforms.light.value = null;
    this.#renderer.setRenderTarget(this.#light);
    this.#renderer.render(this.#lit, this.#camera);
    this.#renderer.setRenderTarget(null);
    this.#uniforms.light.value = this.#light.texture;
  }

  // Moves the camera to where the node has it, if that is elsewhere than before.
  #pose(look, again) {
    const { eye, target, camera_azimuth: azimuth, camera_altitude: altitude, zoom, field_of_view: field, pixels } = look;
    const key = JSON.stringify([eye, target, azimuth, altitude, zoom, field, pixels]);
    if (!again && key === this.#posed) return;
    // After a drag of the node's own camera in the scene, the view stays; *Fit* goes to the camera.
    const stays = !again && (this.#held || performance.now() < this.#stays);
    this.#posed = key;
    if (stays) return;
    const pose = placed({ ...look, sea: this.#ground.sea }, this.#ground);
    this.#camera.position.set(pose.eye[0], pose.eye[2], pose.eye[1]);
    this.#controls.target.set(pose.target[0], pose.target[2], pose.target[1]);
    this.#project();
    this.#controls.update();
  }

  // Moves the camera back to where the node has it.
  fit() {
    if (!this.#spec) return;
    this.#pose(this.#spec.look, true);
    this.draw();
  }

  // Where positions of the world are in the picture; `null` until a ground is shown.
  get surface() {
    if (!this.#ground) return null;
    const ground = () => this.#ground;
    const hold = (held) => { this.#held = held; this.#stays = performance.now() + STAYS; };
    this.#surface ??= surfaceOf({ camera: this.#camera, box: this.#box, hold, get ground() { return ground(); } });
    return this.#surface;
  }

  // The camera as parameters of the node.
  get pose() {
    const { position: p, target: t } = { position: this.#camera.position, target: this.#controls.target };
    const rounded = (at) => this.#ground.world(at).map((value) => Number(value.toPrecision(6)));
    return { eye: rounded([p.x, p.z, p.y]), target: rounded([t.x, t.z, t.y]) };
  }

  // All of the node's picture is seen, whatever the shape of the view.
  #project() {
    const [wide, high] = halves(this.#spec?.look ?? { field_of_view: 40, pixels: [16, 9] });
    const half = Math.max(high, wide / this.#camera.aspect);
    this.#camera.fov = 2 * Math.atan(half) * 180 / Math.PI;
    const longest = Math.max(...(this.#ground?.size ?? [1, 1]));
    const above = this.#ground ? this.#camera.position.y - this.#ground.range[1] : 1;
    Object.assign(this.#camera, { near: Math.max(0.05, 0.2 * above, 2e-5 * longest), far: 60 * longest });
    this.#camera.updateProjectionMatrix();
  }

  draw() {
    this.#frame ||= requestAnimationFrame(() => { this.#frame = 0; this.drawNow(); });
  }

  drawNow(fine = this.#soft ? FINE_IN_SOFTWARE : FINE) {
    if (!this.#ground || !this.#light) return;
    this.#project();
    this.#camera.updateMatrixWorld();
    const { seen, unseen, eye, span, pixel, reach } = this.#uniforms;
    const world = new THREE.Matrix4().multiplyMatrices(this.#camera.projectionMatrix, this.#camera.matrixWorldInverse);
    const frustum = new THREE.Frustum().setFromProjectionMatrix(world);
    seen.value.multiplyMatrices(world, SWAP);
    unseen.value.copy(seen.value).invert();
    const { x, y, z } = this.#camera.position;
    eye.value.set(x, z, y);
    const { width, height } = this.#renderer.domElement;
    this.#uniforms.screenSize.value.set(width, height);
    pixel.value = 2 * Math.tan(this.#camera.fov * Math.PI / 360) / (height || 1);
    const [low, high] = this.#ground.extent;
    const near = [x, z, y].map((at, axis) => Math.min(high[axis], Math.max(low[axis], at)) - at);
    const far = [x, z, y].map((at, axis) => Math.max(Math.abs(at - low[axis]), Math.abs(at - high[axis])));
    span.value.set(Math.hypot(...near), Math.hypot(...far));
    reach.value = 0.7 * this.#camera.far;
    const slow = this.#pace.slow;
    const cells = [slow ? FINE_WHILE_SLOW : fine, slow && this.#soft ? LEAST_WHILE_SLOW : 0];
    this.patches = this.#patches.choose(this.#camera.position, pixel.value, ...cells, frustum);
    if (this.#meshes.lakes.visible) this.#wet.choose(this.#camera.position, pixel.value, ...cells, frustum);
    this.#renderer.render(this.#scene, this.#camera);
    this.events.dispatchEvent(new Event('painted'));
  }

  // Keeps the camera above ground and water.
  #rise() {
    if (!this.#ground) return;
    const { position } = this.#camera;
    const [[left, top], [right, bottom]] = this.#ground.extent;
    const over = position.x >= left && position.x <= right && position.z >= top && position.z <= bottom;
    const lowest = over ? this.#ground.top(position.x, position.z) : this.#ground.sea ?? -Infinity;
    if (position.y >= lowest + 0.2) return;
    position.y = lowest + 0.2;
    this.#camera.lookAt(this.#controls.target);
  }

  // Moves the camera towards its target.
  zoom(factor) {
    this.#camera.position.sub(this.#controls.target).divideScalar(factor).add(this.#controls.target);
    this.#controls.update();
    this.#moves();
  }

  #moves() {
    this.#rise();
    const now = performance.now();
    const took = now - this.#pace.before;
    this.#pace.before = now;
    if (took < 2000) this.#pace.mean += (took - this.#pace.mean) * 0.3;
    if (!this.#pace.slow && (this.#soft || this.#pace.mean > SLOW)) this.#detail(true);
    clearTimeout(this.#pace.still);
    this.#pace.still = setTimeout(() => { this.#pace.mean = Math.min(this.#pace.mean, SLOW); this.#detail(false); this.draw(); }, 250);
    this.draw();
  }

  #detail(slow) {
    if (this.#pace.slow === slow) return;
    this.#pace.slow = slow;
    this.#renderer.setPixelRatio(slow ? this.#soft ? 0.4 : 0.5 : Math.min(2, devicePixelRatio));
    this.#uniforms.quick.value = slow;
  }

  // Turns the camera around its target, to measure frames per second.
  turn(angle) {
    const { position } = this.#camera;
    const { target } = this.#controls;
    const offset = position.clone().sub(target).applyAxisAngle(new THREE.Vector3(0, 1, 0), angle);
    position.copy(target).add(offset);
    this.#controls.update();
    this.#moves();
  }

  // The picture, of the size that the node renders.
  async picture() {
    clearTimeout(this.#pace.still);
    this.#detail(false);
    const [width, height] = this.#spec.look.pixels;
    this.#renderer.setPixelRatio(1);
    this.#renderer.setSize(width, height, false);
    this.#camera.aspect = width / height;
    this.drawNow(FINE);
    const made = new Promise((resolve) => { this.#renderer.domElement.toBlob(resolve, 'image/png'); });
    this.#resize();
    return made;
  }

  // The values of the map whose tint is shown, if they are not those of a mask.
  get tinted() {
    const about = this.#now?.tint?.data.about;
    return !about || (about.min >= 0 && about.max <= 1.001) ? '' : `, ${number(about.min)} to ${number(about.max)}`;
  }

  // How far, in pixels of the page, the samples in sight are from the surface that is drawn now: 99 in 100 of them, and all, at most.
  get error() {
    const pixel = 2 * Math.tan(this.#camera.fov * Math.PI / 360) / this.#box.clientHeight;
    const all = Float64Array.from(this.#patches.errors(this.#uniforms.heights.value.image.data, this.#camera.position, pixel)).sort();
    return { most: all.at(-1) ?? 0, usual: all[Math.floor(0.99 * all.length)] ?? 0 };
  }

  // Samples of the ground without a height.
  get holes() {
    return this.#now?.about.holes ?? 0;
  }

  // The node whose scene is shown.
  get node() {
    return this.#spec?.node;
  }

  get id() {
    return this.#spec?.ground;
  }

  // The ids of all that is shown.
  get spec() {
    return this.#spec;
  }

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.#box;
    if (!width || !height) return;
    this.#renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.#renderer.setSize(width, height);
    this.#camera.aspect = width / height;
    this.drawNow();
  }
}
