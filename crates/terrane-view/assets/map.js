// The map in two dimensions: pan, zoom, comparison, and the height under the pointer.

import { byId, number } from './dom.js';
import { content, fetchJson } from './link.js';
import { Tiles } from './tiles.js';

export class MapView {
  #canvas = byId('map');
  #context = this.#canvas.getContext('2d');
  #view = { cx: 0.5, cy: 0.5, zoom: 0, width: 0, height: 0 };
  // The content shown, the content that is loading, and the content compared with.
  #shown = null;
  #coming = null;
  #other = null;
  #divide = 0.5;
  #frame = 0;
  #touched = false;
  #asking = null;
  #pointer = null;

  constructor(events) {
    this.events = events;
    new ResizeObserver(() => this.#resize()).observe(byId('canvas'));
    this.#listen();
  }

  // Shows content. The old content stays until the visible part of the new one is loaded.
  show(id, about, style) {
    const same = (tiles) => tiles?.id === id && JSON.stringify(tiles.style) === JSON.stringify(style);
    if (same(this.#coming) || (same(this.#shown) && !this.#coming)) return;
    this.#coming?.close();
    this.#coming = null;
    if (!same(this.#shown)) this.#coming = new Tiles(id, about, style, () => this.draw());
    if (!this.#shown && !this.#touched) this.fit();
    // Tiles are requested now rather than with the next frame, which can be late on a busy machine.
    if (this.#view.width) this.#coming?.ask(this.#view);
    this.draw();
  }

  // Shows other content to the left of a divider. Without content, removes the divider.
  compare(id, about, style) {
    if (this.#other?.id === id && JSON.stringify(this.#other?.style) === JSON.stringify(style)) return;
    this.#other?.close();
    this.#other = id ? new Tiles(id, about, style, () => this.draw()) : null;
    this.draw();
  }

  // Requests again the tiles that could not be loaded while the server was unavailable.
  retry(ids) {
    for (const tiles of [this.#shown, this.#coming, this.#other]) if (ids.includes(tiles?.id)) tiles.retry();
    this.draw();
  }

  divide(share) {
    this.#divide = share;
    this.draw();
  }

  get id() {
    return this.#shown?.id;
  }

  fit() {
    const tiles = this.#coming ?? this.#shown;
    const ratio = tiles?.ratio ?? 1;
    const margin = 20;
    Object.assign(this.#view, {
      cx: 0.5, cy: ratio / 2,
      zoom: Math.max(40, Math.min(this.#view.width - 2 * margin, (this.#view.height - 2 * margin) / ratio)),
    });
    this.#touched = false;
    this.draw();
  }

  draw() {
    this.#frame ||= requestAnimationFrame(() => { this.#frame = 0; this.#paint(); });
  }

  // The map as shown on the screen, as a PNG file.
  picture() {
    this.#paint();
    return new Promise((resolve) => { this.#canvas.toBlob(resolve, 'image/png'); });
  }

  // The position on the screen of a position of the world, and the other way round.
  toScreen({ origin, spacing, size }, x, y) {
    return this.#toScreen(((x - origin[0]) / spacing + 0.5) / size[0], ((y - origin[1]) / spacing + 0.5) / size[0]);
  }

  toWorld({ origin, spacing, size }, px, py) {
    const { cx, cy, zoom, width, height } = this.#view;
    const sample = (at, length, centre) => ((at - length / 2) / zoom + centre) * size[0] - 0.5;
    return [origin[0] + spacing * sample(px, width, cx), origin[1] + spacing * sample(py, height, cy)];
  }

  #toScreen = (u, v) => {
    const { cx, cy, zoom, width, height } = this.#view;
    return [(u - cx) * zoom + width / 2, (v - cy) * zoom + height / 2];
  };

  #paint() {
    const ratio = devicePixelRatio;
    const context = this.#context;
    if (!this.#view.width) return;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.#view.width, this.#view.height);
    if (this.#coming?.ask(this.#view)) {
      const ratio = this.#shown?.ratio;
      this.#shown?.close();
      this.#shown = this.#coming;
      this.#coming = null;
      // Content of another shape is fitted again.
      if (ratio !== undefined && ratio !== this.#shown.ratio && !this.#touched) this.fit();
      this.events.dispatchEvent(new CustomEvent('shown', { detail: this.#shown.id }));
    }
    this.#shown?.ask(this.#view);
    this.#layer(this.#shown ?? this.#coming, 0, this.#view.width);
    if (this.#other) {
      this.#other.ask(this.#view);
      const at = this.#divide * this.#view.width;
      context.clearRect(0, 0, at, this.#view.height);
      this.#layer(this.#other, 0, at);
      context.fillStyle = 'rgba(255, 255, 255, 0.9)';
      context.fillRect(at - 1, 0, 2, this.#view.height);
    }
    this.#scalebar();
    this.events.dispatchEvent(new Event('painted'));
  }

  #layer(tiles, from, to) {
    const context = this.#context;
    context.save();
    context.beginPath();
    context.rect(from, 0, to - from, this.#view.height);
    context.clip();
    tiles?.draw(context, this.#view, this.#toScreen);
    context.restore();
  }

  // Draws the scale bar, with a round length in world units.
  #scalebar() {
    const bar = byId('scalebar');
    const about = this.#shown?.about;
    bar.hidden = !about?.spacing;
    if (bar.hidden) return;
    const across = (about.size[0] - 1) * about.spacing;
    const rough = 110 / this.#view.zoom * across;
    const decade = 10 ** Math.floor(Math.log10(rough));
    const length = [5, 2, 1].find((step) => step * decade <= rough) * decade;
    bar.firstElementChild.style.width = `${length / across * this.#view.zoom}px`;
    bar.lastElementChild.textContent = number(length);
  }

  #resize() {
    const { clientWidth: width, clientHeight: height } = byId('canvas');
    Object.assign(this.#view, { width, height });
    this.#canvas.width = Math.round(width * devicePixelRatio);
    this.#canvas.height = Math.round(height * devicePixelRatio);
    if (!this.#touched) this.fit();
    this.#paint();
  }

  // Zooms around a position on the screen, which stays fixed.
  zoom(factor, px = this.#view.width / 2, py = this.#view.height / 2) {
    const { cx, cy, zoom, width, height } = this.#view;
    const most = Math.max(4 * (this.#shown?.width ?? 1000), 1000) * 8;
    const next = Math.min(most, Math.max(40, zoom * factor));
    const [dx, dy] = [px - width / 2, py - height / 2];
    Object.assign(this.#view, { zoom: next, cx: cx + dx / zoom - dx / next, cy: cy + dy / zoom - dy / next });
    this.#touched = true;
    this.draw();
  }

  #listen() {
    const held = new Map();
    const place = (event) => [event.offsetX, event.offsetY];
    this.#canvas.addEventListener('pointerdown', (event) => {
      held.set(event.pointerId, place(event));
      this.#canvas.setPointerCapture(event.pointerId);
    });
    const release = (event) => held.delete(event.pointerId);
    this.#canvas.addEventListener('pointerup', release);
    this.#canvas.addEventListener('pointercancel', release);
    this.#canvas.addEventListener('pointermove', (event) => {
      const now = place(event);
      const before = held.get(event.pointerId);
      if (before) {
        if (held.size === 2) {
          const [other] = [...held].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
          const far = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
          this.zoom(far(now, other) / Math.max(1, far(before, other)), other[0], other[1]);
        } else {
          this.#view.cx -= (now[0] - before[0]) / this.#view.zoom;
          this.#view.cy -= (now[1] - before[1]) / this.#view.zoom;
          this.#touched = true;
          this.draw();
        }
        held.set(event.pointerId, now);
      }
      this.#pointer = now;
      this.#hover();
    });
    this.#canvas.addEventListener('pointerleave', () => { this.#pointer = null; byId('readout').textContent = ''; });
    this.#canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * 0.0016), ...place(event));
    }, { passive: false });
    this.#canvas.addEventListener('dblclick', () => this.fit());
  }

  // Requests the height under the pointer, one request at a time. The next request is for the latest position.
  async #hover() {
    const tiles = this.#shown;
    if (this.#asking || !this.#pointer || !tiles?.about.spacing) return;
    const [px, py] = this.#pointer;
    const { cx, cy, zoom, width, height } = this.#view;
    const x = Math.floor(((px - width / 2) / zoom + cx) * tiles.width);
    const y = Math.floor(((py - height / 2) / zoom + cy) * tiles.width);
    if (x < 0 || y < 0 || x >= tiles.width || y >= tiles.height) { byId('readout').textContent = ''; return; }
    this.#asking = `${px},${py}`;
    try {
      const at = await fetchJson(content(tiles.id, 'sample', { x, y }));
      const degrees = Math.round(Math.atan(at.slope ?? 0) * 180 / Math.PI);
      const what = tiles.about.relief ? `height ${number(at.height, 6)}   slope ${number(at.slope, 3)} (${degrees}°)` : `value ${number(at.height, 6)}`;
      byId('readout').textContent = `x ${number(at.x, 6)}   y ${number(at.y, 6)}   ${what}`;
    } catch {
      byId('readout').textContent = '';
    }
    const asked = this.#asking;
    this.#asking = null;
    if (this.#pointer && asked !== `${this.#pointer[0]},${this.#pointer[1]}`) setTimeout(() => this.#hover(), 30);
  }
}
