// Writes changes into the files as soon as the graph loads with them, if the user wants that.

import { byId } from '../dom.js';

const NAME = 'terrane-write-at-once';
// Changes that follow each other within so many milliseconds are written together.
const PAUSE = 700;
// A write that is to be repeated follows the change within so many milliseconds.
const TURN = 1500;

export class AtOnce {
  #link;
  #key = '';
  #since = 0;
  #done = true;
  #undone = -Infinity;
  #redone = -Infinity;
  #undo = null;
  #timer = 0;

  constructor(link) {
    this.#link = link;
    const box = byId('at-once');
    try { box.checked = localStorage.getItem(NAME) === 'yes'; } catch { /* The browser keeps nothing. */ }
    box.addEventListener('change', () => {
      try { localStorage.setItem(NAME, box.checked ? 'yes' : 'no'); } catch { /* As above. */ }
      if (box.checked) { this.#key = ''; this.#link.say({ do: 'write' }); }
    });
  }

  // An undo or a redo follows. A change and its write are undone, and redone, together.
  turn(which) {
    if (!byId('at-once').checked) return;
    if (which === 'redo') this.#redone = performance.now();
    else if (this.#undo === 'write') this.#link.say({ do: 'undo' });
    else this.#undone = performance.now();
  }

  state({ changes, steps, mistakes, missing, history }) {
    const now = performance.now();
    this.#undo = history?.undo;
    // A write that was not known here when the keys were pressed.
    if (history?.redo === 'write' && now - this.#undone < TURN) { this.#undone = -Infinity; this.#link.say({ do: 'undo' }); }
    if (history?.redo === 'write' && now - this.#redone < TURN) { this.#redone = -Infinity; this.#link.say({ do: 'redo' }); }
    const key = JSON.stringify([changes.map((change) => [change.home, change.value]), steps.map((step) => step.number)]);
    if (key !== this.#key) {
      this.#key = key;
      this.#since = now;
      // What could not be written, or was undone in any page, is not written again.
      this.#done = Boolean(history?.turned);
    }
    clearTimeout(this.#timer);
    const broken = mistakes || missing || [...changes, ...steps].some((one) => one.problem);
    if (!byId('at-once').checked || this.#done || broken || !(changes.length + steps.length)) return;
    this.#timer = setTimeout(() => { this.#done = true; this.#link.say({ do: 'write' }); }, Math.max(0, this.#since + PAUSE - now));
  }
}
