// A map or picture in tiles. Only visible tiles are fetched, at the level that matches the screen's resolution.

import { content } from './link.js';

const KEPT = 160;

const whole = (position) => position.map((at) => Math.round(at * devicePixelRatio) / devicePixelRatio);

export class Tiles {
  #bitmaps = new Map();
  #waiting = new Map();
  // Tiles that the server does not have, and tiles that failed for another reason.
  #missing = new Set();
  #failed = new Set();

  // `style` are the query parameters of a tile; `changed` is called when a tile is loaded.
  constructor(id, about, style, changed) {
    Object.assign(this, { id, about, style, changed });
    [this.width, this.height] = about.size;
    // Coordinates are in units of the picture's or map's width.
    this.ratio = this.height / this.width;
    this.closed = false;
  }

  // The level at which a tile's pixel is no larger than a screen pixel. `zoom` is the width in screen pixels.
  #level(zoom) {
    const samples = this.width / zoom;
    const coarsest = Math.max(0, Math.ceil(Math.log2(Math.max(this.width, this.height) / this.about.tile)));
    return Math.min(coarsest, Math.max(0, Math.floor(Math.log2(samples) + 0.25)));
  }

  // The visible tiles: { level, x, y, left, top, right, bottom }, with the borders in units of the width.
  #seen({ cx, cy, zoom, width, height }) {
    const level = this.#level(zoom);
    const side = this.about.tile * 2 ** level / this.width;
    const last = (extent) => Math.ceil(extent / side - 1e-9) - 1;
    const range = (centre, length, extent) => [
      Math.max(0, Math.floor((centre - length / zoom / 2) / side)),
      Math.min(last(extent), Math.floor((centre + length / zoom / 2) / side)),
    ];
    const [x0, x1] = range(cx, width, 1);
    const [y0, y1] = range(cy, height, this.ratio);
    const out = [];
    for (let y = y0; y <= y1; y += 1) {
      for (let x = x0; x <= x1; x += 1) {
        out.push({ key: `${level}/${x}/${y}`, level, x, y, left: x * side, top: y * side, right: Math.min(1, (x + 1) * side), bottom: Math.min(this.ratio, (y + 1) * side) });
      }
    }
    return out;
  }

  // Requests the tiles of a view; returns whether all are loaded.
  ask(view) {
    const seen = this.#seen(view);
    const wanted = new Set(seen.map((tile) => tile.key));
    for (const [key, controller] of this.#waiting) if (!wanted.has(key)) controller.abort();
    for (const tile of seen) if (!this.#bitmaps.has(tile.key) && !this.#waiting.has(tile.key) && !this.#missing.has(tile.key) && !this.#failed.has(tile.key)) this.#fetch(tile);
    return seen.every((tile) => this.#bitmaps.has(tile.key) || this.#missing.has(tile.key));
  }

  // Requests failed tiles again with the next view.
  retry() {
    this.#failed.clear();
  }

  async #fetch({ key, level, x, y }) {
    const controller = new AbortController();
    this.#waiting.set(key, controller);
    try {
      const answer = await fetch(content(this.id, 'tile', { level, x, y, ...this.style }), { signal: controller.signal });
      if (!answer.ok) {
        (answer.status === 404 ? this.#missing : this.#failed).add(key);
        throw new Error(String(answer.status));
      }
      const bitmap = await createImageBitmap(await answer.blob());
      if (this.closed) return bitmap.close();
      this.#bitmaps.set(key, bitmap);
      this.#forget();
    } catch (error) {
      if (error.name !== 'AbortError' && !this.#missing.has(key)) this.#failed.add(key);
    } finally {
      this.#waiting.delete(key);
    }
    if (!this.closed) this.changed();
    return undefined;
  }

  #forget() {
    while (this.#bitmaps.size > KEPT) {
      const [oldest, bitmap] = this.#bitmaps.entries().next().value;
      bitmap.close();
      this.#bitmaps.delete(oldest);
    }
  }

  // Draws the loaded tiles: other levels first, then the tiles of the view's level over them.
  draw(context, view, toScreen) {
    const own = new Set(this.#seen(view).map((tile) => tile.key));
    const others = [...this.#bitmaps.keys()].filter((key) => !own.has(key));
    context.imageSmoothingEnabled = view.zoom / this.width < 4;
    const level = (key) => Number(key.split('/')[0]);
    others.sort((a, b) => level(b) - level(a));
    for (const key of [...others, ...own]) {
      const bitmap = this.#bitmaps.get(key);
      if (!bitmap) continue;
      const [at, x, y] = key.split('/').map(Number);
      const side = this.about.tile * 2 ** at / this.width;
      // Whole pixels of the screen, so that no seam is seen between tiles.
      const [left, top] = whole(toScreen(x * side, y * side));
      const [right, bottom] = whole(toScreen(x * side + bitmap.width * 2 ** at / this.width, y * side + bitmap.height * 2 ** at / this.width));
      context.drawImage(bitmap, left, top, right - left, bottom - top);
    }
  }

  close() {
    this.closed = true;
    for (const controller of this.#waiting.values()) controller.abort();
    for (const bitmap of this.#bitmaps.values()) bitmap.close();
    this.#bitmaps.clear();
  }
}
