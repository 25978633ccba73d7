// Shaders of scenes. Positions are in samples of the map: east is x, south is y, up is z.

// Light of the sky, haze and the picture's tone, as the node that renders scenes computes them.
const AIR = `
precision highp float;
uniform vec3 eye, sun, sunlight, skylight, zenith, horizon0, horizon1;
uniform float disc, loss, exposed;
uniform vec2 span;

// Powers by squaring, which are quicker than others where a processor draws.
float pow4(float x) { x *= x; return x * x; }
float pow8(float x) { x = pow4(x); return x * x; }

float smoothed(float low, float high, float x) { float t = clamp((x - low) / (high - low), 0., 1.); return t * t * (3. - 2. * t); }

vec3 glow(vec3 way) {
  float deep = pow4(1. - clamp(way.z, 0., 1.));
  float towards = dot(way, sun);
  vec3 sky = mix(zenith, mix(horizon0, horizon1, .5 + .5 * towards), deep);
  towards = max(towards, 0.);
  towards = pow8(towards);
  sky += (.10 * towards + .22 * pow8(towards)) * sunlight;
  return sky * (1. - .25 * smoothed(0., .5, -way.z));
}

vec3 sky(vec3 way) {
  float edge = 1. - disc;
  float bright = way.z > -.01 ? smoothed(1. - 1.15 * edge, disc, dot(way, sun)) : 0.;
  return glow(way) + 6. * bright * sunlight;
}

vec3 hazed(vec3 light, vec3 way, float distance) {
  float clear = exp(loss * max(distance - span.x, 0.) / max(span.y - span.x, 1e-9));
  return mix(glow(normalize(vec3(way.xy, max(way.z, 0.)))), light, clear);
}

vec4 developed(vec3 light) {
  vec3 l = light * exposed;
  l = mix(l, 1. - .2025 / (l - .1), step(.55, l));
  return vec4(mix(12.92 * l, 1.055 * pow(max(l, 1e-5), vec3(1. / 2.4)) - .055, step(.0031308, l)), 1.);
}
`;

// Heights of ground, or of water.
const HEIGHTS = `
precision highp sampler2D;
uniform vec2 size;
float at(sampler2D map, ivec2 p) { return texelFetch(map, clamp(p, ivec2(0), ivec2(size) - 1), 0).r; }
float between(sampler2D map, vec2 s) {
  vec2 low = floor(clamp(s, vec2(0.), size - 1.));
  vec2 f = clamp(s, vec2(0.), size - 1.) - low;
  ivec2 p = ivec2(low);
  return mix(mix(at(map, p), at(map, p + ivec2(1, 0)), f.x), mix(at(map, p + ivec2(0, 1)), at(map, p + ivec2(1, 1)), f.x), f.y);
}
`;

export const FULL_SCREEN = `
out vec2 screen;
void main() {
  screen = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4. - 1.;
  gl_Position = vec4(screen, .999999, 1.);
}`;

// The light that each sample of the ground reflects, whatever the camera.
export const LIGHT = `
precision highp float;
${HEIGHTS}
uniform sampler2D heights, colors, exposure, tint;
uniform vec3 sun, sunlight, skylight, tinted;
uniform vec2 tintRange;
uniform float tinting;
out vec4 light;
void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  ivec2 low = max(p - 1, ivec2(0)), high = min(p + 1, ivec2(size) - 1);
  vec2 slope = vec2(at(heights, ivec2(high.x, p.y)) - at(heights, ivec2(low.x, p.y)), at(heights, ivec2(p.x, high.y)) - at(heights, ivec2(p.x, low.y))) / vec2(high - low);
  vec3 normal = normalize(vec3(-slope, 1.));
  vec2 place = (vec2(p) + .5) / size;
  vec2 shares = texture(exposure, place).rg;
  float sky = shares.g * (.5 + .5 * normal.z);
  vec3 around = skylight * sky + .2 * (1. - sky) * (sunlight * .3 + skylight);
  vec3 own = texture(colors, place).rgb;
  if (tinting > 0.) own = mix(own, tinted, tinting * clamp((texture(tint, place).r - tintRange.x) / (tintRange.y - tintRange.x), 0., 1.));
  light = vec4(own * (sunlight * max(dot(normal, sun), 0.) * shares.r + around), 1.);
}`;

// A patch of a surface. Its odd vertices move onto the grid of patches twice as large before these begin, and from there onto the next grid: a patch may reach further than the one beside it begins.
export const PATCH = `
precision highp float;
${HEIGHTS}
uniform sampler2D surface;
uniform mat4 seen;
uniform vec3 eye;
in vec2 position;
in vec4 patch_;
out vec3 world;
void main() {
  vec2 index = position, s = patch_.xy + position * patch_.z;
  float cell = patch_.z, reach = patch_.w;
  for (int k = 0; k < 2; k += 1) {
    float share = clamp((distance(eye, vec3(s, between(surface, s))) - .6 * reach) / (.35 * reach), 0., 1.);
    if (share == 0.) break;
    s -= mod(index, 2.) * cell * share;
    index = floor(index / 2.);
    cell *= 2.;
    reach *= 2.;
  }
  s = clamp(s, vec2(0.), size - 1.);
  world = vec3(s, between(surface, s));
  gl_Position = seen * vec4(world, 1.);
}`;

export const GROUND = `
${AIR}
precision highp sampler2D;
uniform sampler2D light;
uniform vec2 size;
in vec3 world;
out vec4 color;
void main() {
  vec3 way = normalize(world - eye);
  color = developed(hazed(texture(light, (world.xy + .5) / size).rgb, way, distance(eye, world)));
}`;

// Lines on the ground, as wide as so many pixels. Each segment is a strip from `from` to `to`.
export const LINE_VERTEX = `
precision highp float;
uniform mat4 seen;
uniform vec3 eye;
uniform vec2 screenSize;
in vec2 position;
in vec3 from, to;
void main() {
  // Distant ground is drawn from fewer samples, and must not hide the line.
  vec3 up = vec3(0., 0., .003);
  vec4 a = seen * vec4(from + up * distance(eye, from), 1.), b = seen * vec4(to + up * distance(eye, to), 1.);
  vec4 at = mix(a, b, position.x);
  vec2 way = b.xy / max(b.w, 1e-6) - a.xy / max(a.w, 1e-6);
  way = normalize(way * screenSize + 1e-9);
  at.xy += vec2(-way.y, way.x) * position.y * 2.5 * at.w / screenSize;
  gl_Position = a.w > 0. && b.w > 0. ? at : vec4(2., 2., 2., 1.);
}`;

export const LINE = `
precision highp float;
out vec4 color;
void main() { color = vec4(.85, .16, .1, 1.); }`;

// Walls of earth at the map's border.
export const WALL_VERTEX = `
precision highp float;
uniform mat4 seen;
in vec3 position;
in vec3 normal;
out vec3 world, outward;
void main() { world = position; outward = normal; gl_Position = seen * vec4(position, 1.); }`;

export const WALL = `
${AIR}
in vec3 world, outward;
out vec4 color;
void main() {
  // From inside, ground further away would not hide them.
  if (dot(outward, eye - world) <= 0.) discard;
  vec3 light = vec3(.28, .235, .195) * (sunlight * max(dot(outward, sun), 0.) + skylight);
  color = developed(hazed(light, normalize(world - eye), distance(eye, world)));
}`;

export const SKY = `
${AIR}
uniform mat4 unseen;
in vec2 screen;
out vec4 color;
void main() {
  vec4 far = unseen * vec4(screen, 1., 1.);
  color = developed(sky(normalize(far.xyz / far.w - eye)));
}`;

// The sea, a square around the eye.
export const SEA_VERTEX = `
precision highp float;
uniform mat4 seen;
uniform vec3 eye;
uniform float sea, reach;
in vec2 position;
out vec3 world;
void main() { world = vec3(eye.xy + position * reach, sea); gl_Position = seen * vec4(world, 1.); }`;

// Water over the ground, which hides it where it is lower.
export const WATER = `
${AIR}
${HEIGHTS}
uniform sampler2D ground, light;
uniform float clarity, waves, pixel;
uniform bool quick;
in vec3 world;
out vec4 color;

// As steep as the waves of rendered scenes, of the same wavelengths.
vec3 rippled(vec2 place, float width, vec2 depth) {
  const vec2 RIPPLES[8] = vec2[8](vec2(.05, 8.9), vec2(.12, 6.1), vec2(.97, 4.3), vec2(.15, 2.9), vec2(.91, 1.9), vec2(.07, 1.1), vec2(.19, .6), vec2(.94, .3));
  const vec2 BENDS[2] = vec2[2](vec2(.27, 53.), vec2(.83, 23.));
  vec2 bends = vec2(0.);
  for (int k = 0; k < 2; k += 1) {
    vec2 way = vec2(cos(BENDS[k].x * 6.2831853), sin(BENDS[k].x * 6.2831853));
    bends[k] = cos(6.2831853 * dot(place, way) / BENDS[k].y);
  }
  place += .06 * vec2(BENDS[0].y, BENDS[1].y) * bends;
  vec2 slope = vec2(0.);
  for (int k = 0; k < 8; k += 1) {
    if (RIPPLES[k].y <= width / .6) break;
    vec2 way = vec2(cos(RIPPLES[k].x * 6.2831853), sin(RIPPLES[k].x * 6.2831853));
    float footprint = max(width, abs(dot(depth, way)));
    float seen = 1. - smoothed(.15, .6, footprint / RIPPLES[k].y);
    slope += .026 * waves * seen * (.6 + .4 * bends[k % 2]) * cos(6.2831853 * dot(place, way) / RIPPLES[k].y) * way;
  }
  return normalize(vec3(-slope, 1.));
}

void main() {
  vec3 way = normalize(world - eye);
  float far = distance(eye, world);
  float over = world.z - between(ground, world.xy);
  vec2 outside = max(-world.xy, world.xy - (size - 1.));
  float beyond = max(max(outside.x, outside.y), 0.);
  // Where distant ground is drawn from fewer samples, it may lie below the water: it is ground nevertheless.
  if (beyond <= 0. && over < -.5) discard;
  float width = pixel * far;
  vec3 normal = quick ? vec3(0., 0., 1.) : rippled(world.xy, width, way.xy * width / max(-way.z, .02));
  float cosine = clamp(-dot(way, normal), 0., 1.);
  // Beside the walls, water is as deep as far from the shore.
  float depth = beyond > 0. && over < 0. ? 150. : max(over, 0.) / clarity + 150. / max(size.x, size.y) * beyond;
  float path = depth * (.5 + .5 / sqrt(max(1. - (1. - cosine * cosine) / 1.7689, .2)));
  vec3 deep = vec3(.004, .030, .052) * (sunlight + 2. * skylight);
  // No ground shows through deep water.
  vec3 below = deep;
  if (path < 8.) below = mix(deep, texture(light, (clamp(world.xy, vec2(0.), size - 1.) + .5) / size).rgb, exp(-vec3(3.912, 1.8326, 1.4271) * path));
  vec3 away = reflect(way, normal);
  away = normalize(vec3(away.xy, max(abs(away.z), .005)));
  float glitter = sun.z > 0. ? 2.5 * pow8(pow8(pow8(max(dot(normal, normalize(sun - way)), 0.)))) : 0.;
  float mirrored = .02 + .98 * pow4(1. - cosine) * (1. - cosine);
  vec3 seen_ = mix(below, glow(away) + glitter * sunlight, mirrored * min(depth / .02, 1.));
  color = developed(hazed(seen_, way, far));
}`;
