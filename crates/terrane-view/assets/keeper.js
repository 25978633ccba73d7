// Keeps changes that are in no file over a restart of the server: another run that knows of none is told them, once.

export class Keeper {
  #link;
  #run = null;
  #kept = [];
  #owed = [];

  constructor(link) {
    this.#link = link;
  }

  // The server's first word, with the id of its run.
  hello(run) {
    if (this.#run !== null && this.#run !== run) this.#owed = this.#kept;
    this.#run = run;
  }

  // What the server knows, once it has a graph. Tells how many changes were sent to it.
  state(state) {
    const owed = state.changes.length ? [] : this.#owed;
    this.#owed = [];
    for (const { node, parameter, given } of owed) this.#link.say({ do: 'set', node, parameter, value: given });
    this.#kept = owed.length ? owed : state.changes;
    return owed.length;
  }
}
