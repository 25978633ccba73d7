// What a scene is drawn from: its meshes, and the numbers and textures that their shaders share.

import * as THREE from '../vendor/three/three.min.js';
import * as shaders from './shaders.js';

// The meshes of a scene, of which the ground and the water have these geometries, in the order in which they are drawn. `lit` is the scene of the light that the ground reflects.
export function parts(ground, water) {
  const [scene, meshes] = [new THREE.Scene(), {}];
  const one = (value) => ({ value });
  const none = new THREE.DataTexture(new Uint8Array([255, 255, 255, 255]), 1, 1);
  none.needsUpdate = true;
  const uniforms = Object.fromEntries(['seen', 'unseen'].map((name) => [name, one(new THREE.Matrix4())]));
  for (const name of ['eye', 'sun', 'sunlight', 'skylight', 'zenith', 'horizon0', 'horizon1', 'tinted']) uniforms[name] = one(new THREE.Vector3());
  for (const name of ['disc', 'loss', 'exposed', 'sea', 'reach', 'clarity', 'waves', 'pixel', 'tinting']) uniforms[name] = one(0);
  uniforms.quick = one(false);
  for (const name of ['size', 'span', 'screenSize', 'tintRange']) uniforms[name] = one(new THREE.Vector2());
  for (const name of ['heights', 'colors', 'exposure', 'tint', 'light', 'levels']) uniforms[name] = one(none);
  uniforms.tinted.value.set(0.8, 0.08, 0.03);
  const triangle = new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(new Float32Array(9), 3));
  const square = new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), 2)).setIndex([0, 1, 2, 2, 1, 3]);
  const add = (name, geometry, vertexShader, fragmentShader, own = {}, more = {}) => {
    const material = new THREE.RawShaderMaterial({ glslVersion: THREE.GLSL3, uniforms: { ...uniforms, ...own }, vertexShader, fragmentShader, side: THREE.DoubleSide, ...more });
    const mesh = Object.assign(new THREE.Mesh(geometry, material), { frustumCulled: false });
    meshes[name] = mesh;
    if (name !== 'lit') scene.add(mesh);
    return mesh;
  };
  const { heights, levels } = uniforms;
  add('lit', triangle, shaders.FULL_SCREEN, shaders.LIGHT, {}, { depthTest: false });
  add('ground', ground, shaders.PATCH, shaders.GROUND, { surface: heights });
  add('walls', new THREE.BufferGeometry(), shaders.WALL_VERTEX, shaders.WALL);
  // On the shore, water is as high as the ground, which hides it.
  add('lakes', water, shaders.PATCH, shaders.WATER, { surface: levels, ground: heights }, { depthFunc: THREE.LessDepth, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 8 });
  add('sea', square, shaders.SEA_VERTEX, shaders.WATER, { ground: heights }, { depthFunc: THREE.LessDepth });
  const strip = new THREE.InstancedBufferGeometry();
  strip.setAttribute('position', new THREE.BufferAttribute(new Float32Array([0, -1, 1, -1, 1, 1, 0, 1]), 2)).setIndex([0, 1, 2, 0, 2, 3]);
  add('lines', strip, shaders.LINE_VERTEX, shaders.LINE).visible = false;
  // Last, where nothing else is seen.
  add('sky', triangle, shaders.FULL_SCREEN, shaders.SKY, {}, { depthWrite: false });
  return { uniforms, meshes, scene, lit: new THREE.Scene().add(meshes.lit) };
}
