// Selects the node at the cursor in the preview.

import * as vscode from 'vscode';
import { LANGUAGE } from '../languages';
import { followsCursor } from '../settings';
import { throttle } from '../throttle';
import type { Panels } from './panels';

/** Milliseconds between two selections: five in a second. */
const PAUSE = 200;

/** A position that the server has shown, and that is not sent back to it. */
export interface Quiet {
  file: string;
  line: number;
}

export class Follow {
  #quiet: Quiet | undefined;
  #last: string | undefined;
  readonly #send: (place: { uri: vscode.Uri; position: vscode.Position }) => void;

  constructor(
    private readonly panels: Panels,
    show: (uri: vscode.Uri, position: vscode.Position) => void,
  ) {
    this.#send = throttle(PAUSE, ({ uri, position }) => show(uri, position));
  }

  /** Follows the cursor while the setting is on and the preview of the cursor's file is visible. */
  listen(): vscode.Disposable {
    return vscode.window.onDidChangeTextEditorSelection((event) => {
      const { document, selection } = event.textEditor;
      if (document.languageId !== LANGUAGE || !followsCursor() || !this.panels.isVisible(document.uri))
        return;
      const position = selection.active;
      if (this.#isQuiet(document.uri, position)) return;
      const place = `${document.uri}#${position.line}:${position.character}`;
      if (place === this.#last) return;
      this.#last = place;
      this.#send({ uri: document.uri, position });
    });
  }

  /** The next cursor at this position comes from the preview itself, and is not followed. */
  expect(quiet: Quiet): void {
    this.#quiet = quiet;
  }

  #isQuiet(uri: vscode.Uri, position: vscode.Position): boolean {
    const quiet = this.#quiet;
    if (quiet === undefined || quiet.file !== uri.toString()) return false;
    this.#quiet = undefined;
    return quiet.line === position.line;
  }
}
