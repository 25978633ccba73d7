// The classes of the module `vscode` that the extension and its language client create or extend.

import { EventEmitter as NodeEmitter } from 'node:events';
import { pathToFileURL } from 'node:url';

export class Disposable {
  constructor(action) {
    this.action = action;
  }
  static from(...all) {
    return new Disposable(() => all.forEach((one) => one.dispose()));
  }
  dispose() {
    this.action?.();
    this.action = undefined;
  }
}

export class EventEmitter {
  #inner = new NodeEmitter();
  event = (listener, self) => {
    const called = self ? listener.bind(self) : listener;
    this.#inner.on('event', called);
    return new Disposable(() => this.#inner.off('event', called));
  };
  fire(value) {
    this.#inner.emit('event', value);
  }
  dispose() {
    this.#inner.removeAllListeners();
  }
}

export class Uri {
  constructor(url) {
    this.url = url;
  }
  static parse(text) {
    return new Uri(new URL(text));
  }
  static file(path) {
    return new Uri(pathToFileURL(path));
  }
  get scheme() {
    return this.url.protocol.slice(0, -1);
  }
  get authority() {
    return this.url.host;
  }
  get path() {
    return decodeURIComponent(this.url.pathname);
  }
  get fsPath() {
    return this.path;
  }
  get query() {
    return this.url.search.slice(1);
  }
  get fragment() {
    return this.url.hash.slice(1);
  }
  toString() {
    return this.url.href;
  }
}

export class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}

export class Range {
  constructor(a, b, c, d) {
    [this.start, this.end] = c === undefined ? [a, b] : [new Position(a, b), new Position(c, d)];
  }
}

export class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity });
  }
}

export class CancellationTokenSource {
  #emitter = new EventEmitter();
  token = { isCancellationRequested: false, onCancellationRequested: this.#emitter.event };
  cancel() {
    this.token.isCancellationRequested = true;
    this.#emitter.fire();
  }
  dispose() {
    this.#emitter.dispose();
  }
}
