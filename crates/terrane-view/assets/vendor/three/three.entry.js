// What the page uses of three.js. `cargo xtask vendor-three` bundles it.

export {
  Box3, BufferAttribute, BufferGeometry, DataTexture, DoubleSide, DynamicDrawUsage, FloatType, Frustum, GLSL3, HalfFloatType,
  InstancedBufferAttribute, InstancedBufferGeometry, LessDepth, LinearFilter, LinearMipmapLinearFilter, Matrix4, Mesh, MeshBasicMaterial,
  NearestFilter, PerspectiveCamera, RGFormat, RawShaderMaterial, RedFormat, SRGBColorSpace, Scene, Texture, UnsignedByteType, Vector2,
  Vector3, WebGLRenderTarget, WebGLRenderer,
} from 'three';
export { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
