// A small picture of the whole graph with the part that is seen. A click or a drag moves there.

import { byId } from './dom.js';

export class Minimap {
  #canvas = byId('minimap');
  #go;
  #laid = null;
  #size = null;
  #scale = 1;

  // `go` centres a position of the plane.
  constructor(go) {
    this.#go = go;
    const move = (event) => {
      const { left, top } = this.#canvas.getBoundingClientRect();
      this.#go((event.clientX - left - this.#inset[0]) / this.#scale, (event.clientY - top - this.#inset[1]) / this.#scale);
    };
    this.#canvas.addEventListener('pointerdown', (event) => { event.stopPropagation(); this.#canvas.setPointerCapture(event.pointerId); move(event); });
    this.#canvas.addEventListener('pointermove', (event) => { if (this.#canvas.hasPointerCapture(event.pointerId)) { event.stopPropagation(); move(event); } });
  }

  get #inset() {
    return [(160 - this.#laid.width * this.#scale) / 2, (100 - this.#laid.height * this.#scale) / 2];
  }

  // Shows a layout, and the `seen` rectangle of it. It is hidden if everything is seen.
  show(laid, size, seen) {
    this.#laid = laid;
    this.#size = size;
    this.#canvas.hidden = seen.x <= 0 && seen.y <= 0 && seen.x + seen.width >= laid.width && seen.y + seen.height >= laid.height;
    if (this.#canvas.hidden) return;
    const ratio = devicePixelRatio || 1;
    Object.assign(this.#canvas, { width: 160 * ratio, height: 100 * ratio });
    const context = this.#canvas.getContext('2d');
    this.#scale = Math.min(152 / Math.max(laid.width, 1), 92 / Math.max(laid.height, 1));
    const style = getComputedStyle(this.#canvas);
    context.scale(ratio, ratio);
    context.translate(...this.#inset);
    context.scale(this.#scale, this.#scale);
    context.fillStyle = style.getPropertyValue('--soft');
    for (const { x, y } of laid.places) context.fillRect(x, y, this.#size.width, this.#size.height);
    context.strokeStyle = style.getPropertyValue('--accent');
    context.lineWidth = 2 / this.#scale;
    const [x, y] = [Math.max(0, seen.x), Math.max(0, seen.y)];
    context.strokeRect(x, y, Math.min(laid.width, seen.x + seen.width) - x, Math.min(laid.height, seen.y + seen.height) - y);
  }
}
