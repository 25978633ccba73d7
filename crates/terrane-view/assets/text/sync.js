// Keeps a text of the page and the server's the same, while both change: sends what is typed, and takes what others change.

import { Annotation, ChangeSet, diff } from '../vendor/codemirror/codemirror.min.js';

// What is typed is sent after a pause, and at the latest after the second one, in milliseconds.
const PAUSE = 250;
const LATEST = 700;

// Marks changes that come from the server.
export const fromServer = Annotation.define();

// The changes from one text to another.
function changes(before, after) {
  const parts = diff(before, after, { scanLimit: 2000 }).map(({ fromA, toA, fromB, toB }) => ({ from: fromA, to: toA, insert: after.slice(fromB, toB) }));
  return ChangeSet.of(parts, before.length);
}

let number = 0;
const unique = crypto.getRandomValues(new Uint32Array(1))[0].toString(36);

export class TextSync extends EventTarget {
  #link;
  #file;
  #view;
  // The last text that the server is known to have.
  #base;
  // The texts that were sent and are not answered yet, with their tags.
  #sent = [];
  #timer = 0;
  #since = 0;
  #lost = false;
  // Why the last edit was not taken, which is then not sent again by itself.
  refused = null;

  constructor(link, file, view, text) {
    super();
    this.#link = link;
    this.#file = file;
    this.#view = view;
    this.#base = text;
  }

  get #text() { return this.#view.state.doc.toString(); }

  get #last() { return this.#sent.at(-1)?.text ?? this.#base; }

  // Whether all that was typed is at the server.
  get settled() { return !this.#sent.length && this.#text === this.#base; }

  // Whether something typed was not sent, or not taken.
  get isUnsent() { return this.#text !== this.#last || (this.#lost && this.#text !== this.#base) || this.refused !== null; }

  // Something was typed.
  typed() {
    const now = performance.now();
    if (!this.#timer) this.#since = now;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), Math.max(0, Math.min(PAUSE, this.#since + LATEST - now)));
    this.dispatchEvent(new Event('change'));
  }

  // Sends what was typed since the last time.
  flush() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const text = this.#text;
    if (text === this.#last || this.#lost) return;
    const tag = `${unique}-${++number}`;
    const before = this.#last;
    this.#sent.push({ tag, text });
    this.refused = null;
    this.#link.say({ do: 'text', file: this.#file, before, after: text, tag });
  }

  lost() {
    this.#lost = true;
    this.#sent = [];
  }

  // Takes the server's text, which contains the page's edits up to the one with the tag `seen`.
  receive(text, [seen, refused] = [null, null]) {
    if (this.#lost) { this.#lost = false; this.#rejoin(text); return; }
    // An older text than the page's own.
    if (this.#sent.length && this.#sent.at(-1).tag !== seen) return;
    const own = this.#last;
    this.#sent = [];
    if (refused) {
      // What was typed stays in the page.
      this.#base = text;
      this.refused = refused;
      this.dispatchEvent(new Event('change'));
      return;
    }
    const typed = this.#text;
    this.#base = text;
    if (text !== own && !this.refused) {
      const others = changes(own, text);
      const mine = typed === own ? null : changes(own, typed);
      this.#view.dispatch({ changes: mine ? others.map(mine) : others, annotations: fromServer.of(true) });
    }
    if (this.#text !== this.#base && !this.refused) this.typed();
    this.dispatchEvent(new Event('change'));
  }

  // After a lost connection, the server merges what was typed in the meantime.
  #rejoin(text) {
    const typed = this.#text;
    if (typed === this.#base) { this.#base = typed; this.take(text); return; }
    this.flush();
  }

  // Takes a text in place of the page's.
  take(text) {
    this.refused = null;
    this.#base = text;
    this.#view.dispatch({ changes: changes(this.#text, text), annotations: fromServer.of(true) });
    this.dispatchEvent(new Event('change'));
  }

  // Tries again what was not taken.
  again() {
    this.refused = null;
    if (this.#text !== this.#base) this.typed();
    this.dispatchEvent(new Event('change'));
  }

  // The server's text in place of the page's.
  yield() { this.take(this.#base); }

  end() { this.flush(); clearTimeout(this.#timer); }
}
