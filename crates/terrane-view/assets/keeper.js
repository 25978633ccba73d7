// Keeps changes that are in no file over a restart of the server: another run for the same graph, to which nobody spoke yet, is told
// them, once.

export class Keeper {
  #link;
  #run = null;
  #graph = null;
  #kept = [];
  #owed = [];

  constructor(link) {
    this.#link = link;
    // What is said while there is no link counts too: what was given up is not told again.
    link.addEventListener('said', ({ detail }) => this.#said(detail));
  }

  // The server's first word, with the id of its run and of its graph.
  hello({ run, graph }) {
    if (this.#graph !== graph) { this.#kept = []; this.#owed = []; }
    else if (this.#run !== run) this.#owed = this.#kept;
    this.#run = run;
    this.#graph = graph;
  }

  // What the server knows, once it has a graph. Tells how many changes were sent to it.
  state(state) {
    // Another page may have told them and discarded them since.
    const owed = state.spoken ? [] : this.#owed;
    this.#owed = [];
    for (const { node, parameter, given } of owed) this.#link.say({ do: 'set', node, parameter, value: given });
    this.#kept = owed.length ? owed : state.changes;
    return owed.length;
  }

  #said(word) {
    const left = { discard: () => false, reset: (change) => change.home !== word.home }[word.do];
    if (!left) return;
    this.#kept = this.#kept.filter(left);
    this.#owed = this.#owed.filter(left);
  }
}
