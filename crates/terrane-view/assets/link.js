// The WebSocket connection to the server: receives the latest state and sends requests. It reconnects automatically.

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 2000;

export class Link extends EventTarget {
  #socket = null;
  #pause = FIRST_PAUSE;
  #shown = null;
  // Whether the server only shows the graph.
  readOnly = false;
  // Whether there is a language service for texts, and an editor that can show nodes.
  language = false;
  editor = false;

  constructor() {
    super();
    this.#connect();
  }

  // Sends a message. Without a connection it is dropped, except for the list of outputs that the page shows.
  say(word) {
    if (word.do === 'look') this.#shown = word;
    this.dispatchEvent(new CustomEvent('said', { detail: word }));
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(word));
  }

  #connect() {
    const address = new URL('live', location.href);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    address.hash = '';
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.addEventListener('open', () => {
      this.#pause = FIRST_PAUSE;
      if (this.#shown) this.say(this.#shown);
      this.dispatchEvent(new Event('up'));
    });
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(data);
      if (message.type === 'hello') [this.readOnly, this.language, this.editor] = [message.read_only, message.language, message.editor];
      this.dispatchEvent(new CustomEvent(message.type, { detail: message }));
    });
    socket.addEventListener('close', () => {
      this.dispatchEvent(new Event('down'));
      setTimeout(() => this.#connect(), this.#pause);
      this.#pause = Math.min(this.#pause * 1.5, LONGEST_PAUSE);
    });
  }
}

// The address of content by its id. The same address always has the same bytes.
export function content(id, what, questions = {}) {
  const asked = new URLSearchParams(questions).toString();
  return `value/${id}/${what}${asked ? `?${asked}` : ''}`;
}

export async function fetchJson(address, signal) {
  const answer = await fetch(address, { signal });
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer.json();
}

export async function fetchBytes(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.arrayBuffer();
}

export async function fetchPicture(address) {
  return createImageBitmap(new Blob([await fetchBytes(address)], { type: 'image/png' }), { colorSpaceConversion: 'none', premultiplyAlpha: 'none' });
}
