// Keeps unwritten edits and changes across a restart of the server. They are sent once to a new run for the same graph, unless a page has already
// sent changes to that run.

import { fetchJson } from './link.js';

// The text of a long edit is loaded when no newer one has come for so many milliseconds.
const PAUSE = 1000;

export class Keeper {
  #link;
  #run = null;
  #graph = null;
  #kept = [];
  #owed = [];
  // Edits of texts that are too long for the state, by their numbers.
  #long = new Map();
  #timer = 0;

  constructor(link) {
    this.#link = link;
    // Messages without a connection count too: discarded changes are not sent again.
    link.addEventListener('said', ({ detail }) => this.#said(detail));
  }

  // The server's first message, with the ids of its run and of its graph.
  hello({ run, graph }) {
    if (this.#graph !== graph) { this.#kept = []; this.#owed = []; }
    else if (this.#run !== run) this.#owed = this.#kept;
    this.#run = run;
    this.#graph = graph;
  }

  // Handles the first state with a graph: sends the kept changes, and returns how many.
  state(state) {
    // If another page has sent changes since the restart, it may have discarded these.
    const owed = state.spoken ? [] : this.#owed;
    this.#owed = [];
    const sent = owed.filter((one) => one.number === undefined || one.given !== null || this.#long.has(one.number));
    for (const step of sent) this.#link.say(again(step, this.#long.get(step.number)));
    this.#kept = sent.length ? sent : [...state.steps, ...state.changes];
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#load(), PAUSE);
    return sent.length;
  }

  async #load() {
    const long = this.#kept.filter((one) => one.number !== undefined && one.given === null).map((one) => one.number);
    for (const number of [...this.#long.keys()].filter((number) => !long.includes(number))) this.#long.delete(number);
    for (const number of long.filter((number) => !this.#long.has(number))) {
      // An edit that was written or changed in the meantime has another number, or none.
      try { this.#long.set(number, await fetchJson(`edited/${number}`)); } catch { /* See above. */ }
    }
  }

  #said(word) {
    const left = { discard: () => false, reset: (change) => change.home !== word.home, drop: (step) => step.number !== word.number }[word.do];
    if (!left) return;
    this.#kept = this.#kept.filter(left);
    this.#owed = this.#owed.filter(left);
  }
}

// The message that repeats an edit or a change of a value.
function again({ number, node, parameter, given, header }, long) {
  if (long) return { do: 'text', ...long, tag: 'again' };
  if (number !== undefined) return { do: 'edit', what: given, tag: 'again' };
  return { do: 'set', node, parameter, value: given, ...(header ? { header } : {}) };
}
