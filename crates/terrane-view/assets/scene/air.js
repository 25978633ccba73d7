// The sun and the sky of a scene, as the node that renders it computes them. East is x, south is y, up is z.

const RADIANS = Math.PI / 180;

export function smooth(low, high, x) {
  const t = Math.min(1, Math.max(0, (x - low) / (high - low)));
  return t * t * (3 - 2 * t);
}

// The direction at an azimuth and an altitude in degrees.
export function direction(azimuth, altitude) {
  const [a, b] = [azimuth * RADIANS, altitude * RADIANS];
  return [Math.sin(a) * Math.cos(b), -Math.cos(a) * Math.cos(b), Math.sin(b)];
}

const mix = (a, b, share) => a.map((c, at) => c + (b[at] - c) * share);

// Sunlight after it has passed through the air.
function sunlight(altitude) {
  const up = Math.max(0, altitude);
  const mass = 1 / (Math.sin(up * RADIANS) + 0.50572 * (up + 6.07995) ** -1.6364);
  return [0.04, 0.095, 0.2].map((depth) => 1.45 * smooth(-2, 1, altitude) * Math.exp(-depth * mass));
}

// What shaders need to know of the air: see `SKY` in `shaders.js`.
export function air({ azimuth, altitude, sun_size: size, haze }) {
  const light = sunlight(altitude);
  const day = 0.1 + 0.9 * smooth(-6, 14, altitude);
  const low = 1 - smooth(2, 30, altitude);
  const horizon = [0.1, 0.9].map((share) => mix([0.56, 0.69, 0.82], light.map((c) => 0.85 * c), share * low).map((c) => c * day));
  const zenith = [0.105, 0.245, 0.53].map((c) => c * day);
  return {
    sun: direction(azimuth, altitude),
    sunlight: light,
    disc: Math.cos(0.5 * size * RADIANS),
    zenith,
    horizon,
    loss: Math.log(1 - Math.min(0.999, Math.max(0, haze))),
    skylight: mix(zenith, mix(horizon[0], horizon[1], 0.5), 0.35).map((c) => 0.5 * c),
  };
}
