// Keeps unwritten edits and changes across a restart of the server. They are sent once to a new run for the same graph, unless a page has already
// sent changes to that run.

export class Keeper {
  #link;
  #run = null;
  #graph = null;
  #kept = [];
  #owed = [];

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
    // An edit of a text that is too long is not kept.
    const sent = owed.filter((one) => one.given !== null || one.number === undefined);
    for (const step of sent) this.#link.say(again(step));
    this.#kept = sent.length ? sent : [...state.steps, ...state.changes];
    return sent.length;
  }

  #said(word) {
    const left = { discard: () => false, reset: (change) => change.home !== word.home, drop: (step) => step.number !== word.number }[word.do];
    if (!left) return;
    this.#kept = this.#kept.filter(left);
    this.#owed = this.#owed.filter(left);
  }
}

// The message that repeats an edit or a change of a value.
function again({ number, node, parameter, given, header }) {
  if (number !== undefined) return { do: 'edit', what: given, tag: 'again' };
  return { do: 'set', node, parameter, value: given, ...(header ? { header } : {}) };
}
