// The data of a scene, fetched from the server unless it is what was fetched last.

import { content, fetchBytes, fetchJson, fetchPicture } from '../link.js';

// Samples along the longest side that are loaded at most.
const MOST = 4097;
const side = { side: MOST };

const floats = (id) => fetchBytes(content(id, 'heights', side)).then((bytes) => new Float32Array(bytes));

export class Loaded {
  // By role, the id and the data of what was fetched last.
  #last = {};

  async #load(role, id, fetch) {
    if (this.#last[role]?.id === id) return this.#last[role];
    const made = { id, data: await fetch() };
    this.#last[role] = made;
    return made;
  }

  // The parts of a scene, each with its id and its data; those that it lacks are null. `about` are facts about the ground.
  async parts({ ground, picture, water, tint, lines, look }) {
    const low = look.sea === null ? {} : { low: look.sea };
    const [about, heights, colors, ...more] = await Promise.all([
      this.#load('about', ground, () => fetchJson(content(ground, 'about'))),
      this.#load('heights', ground, () => floats(ground)),
      picture
        ? this.#load('colors', picture, () => fetchPicture(content(picture, 'picture', side)))
        : this.#load('colors', `${ground} ${look.sea}`, () => fetchPicture(content(ground, 'ground', { ...side, ...low }))),
      water ? this.#load('water', water, () => floats(water)) : null,
      tint ? this.#load('tint', tint, async () => ({ about: await fetchJson(content(tint, 'about')), samples: await floats(tint) })) : null,
      lines ? this.#load('lines', lines, () => fetchJson(content(lines, 'lines'))) : null,
    ]);
    return { about: about.data, heights, colors, water: more[0], tint: more[1], lines: more[2] };
  }

  // Which parts of the sun and of the sky each sample sees: two bytes.
  exposure({ ground, look }) {
    const sun = { azimuth: look.azimuth, altitude: look.altitude, size: look.sun_size, times: look.exaggeration };
    return this.#load('exposure', `${ground} ${JSON.stringify(sun)}`, () => fetchBytes(content(ground, 'exposure', { ...side, ...sun })));
  }
}
