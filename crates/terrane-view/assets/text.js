// The pane with the text of the graph. The editor is loaded when the pane is first opened.

import { byId, h } from './dom.js';

const KEPT = 'terrane-text';

export class TextPaneLoader {
  #page;
  #pane = null;
  #loading = null;

  // `page` is what the pane needs of the page.
  constructor(page) {
    this.#page = Object.defineProperties({ close: () => this.close() }, Object.getOwnPropertyDescriptors(page));
    const kept = this.#kept;
    if (kept.height) document.documentElement.style.setProperty('--text', `${kept.height}px`);
    byId('text-open').addEventListener('click', () => this.toggle());
    const grip = byId('text-grip');
    const tall = (height) => {
      const within = Math.round(Math.min(innerHeight - 260, Math.max(120, height)));
      document.documentElement.style.setProperty('--text', `${within}px`);
      grip.setAttribute('aria-valuenow', String(within));
      this.#keep({ height: within });
    };
    grip.addEventListener('pointerdown', (event) => grip.setPointerCapture(event.pointerId));
    grip.addEventListener('pointermove', (event) => { if (grip.hasPointerCapture(event.pointerId)) tall(innerHeight - event.clientY); });
    grip.addEventListener('keydown', (event) => {
      const by = { ArrowUp: 24, ArrowDown: -24 }[event.key];
      if (by) { event.preventDefault(); tall(byId('text').clientHeight + by); }
    });
  }

  get #kept() {
    try { return JSON.parse(localStorage.getItem(KEPT)) ?? {}; } catch { return {}; }
  }

  #keep(change) {
    try { localStorage.setItem(KEPT, JSON.stringify({ ...this.#kept, ...change })); } catch { /* The browser keeps nothing. */ }
  }

  // Whether the pane has a text, and whether what was typed in it is not at the server.
  get hasText() { return this.isOpen && Boolean(this.#pane?.view); }

  get isUnsent() { return Boolean(this.#pane?.isUnsent); }

  get isOpen() { return document.body.classList.contains('texting'); }

  // Opens the pane if it was open when the page was last seen, unless it would cover the page.
  restore() {
    if (this.#kept.open && innerWidth > 800) this.show({}, false);
  }

  toggle() {
    // A graph that does not exist yet has no text.
    if (!this.isOpen && document.body.classList.contains('starting')) return;
    if (this.isOpen) this.close(); else this.show(this.#page.place ?? {});
  }

  close() {
    document.body.classList.remove('texting', 'text-full');
    byId('text-open').setAttribute('aria-expanded', 'false');
    this.#keep({ open: false });
    this.#pane?.hide();
    byId('text-open').focus();
  }

  // Shows a place in a text: a file, and a node, its field, or a line and a column.
  async show(target, focus = true) {
    document.body.classList.add('texting');
    byId('text-open').setAttribute('aria-expanded', 'true');
    this.#keep({ open: true });
    try {
      this.#loading ??= this.#load();
      const pane = await this.#loading;
      if (!this.isOpen) return;
      pane.show(target);
      if (focus) pane.focus();
    } catch {
      this.#loading = null;
      byId('text').append(h('p', { role: 'alert' }, 'The editor cannot be loaded: reload the page.'));
    }
  }

  async #load() {
    const style = h('link', { rel: 'stylesheet', href: 'text/text.css' });
    document.head.append(style);
    const { TextPane } = await import('./text/pane.js');
    this.#pane = new TextPane(byId('text'), this.#page);
    return this.#pane;
  }

  // For tests.
  get pane() { return this.#pane; }
}
