// The packaged extension, activated with a stub of `vscode`.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import Module, { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { unpacked } from './archive.mjs';
import { document, stub } from './vscode.mjs';

/** Waits until something is true. */
export async function until(what, test, patience = 20_000) {
  for (const end = Date.now() + patience; Date.now() < end; await sleep(20)) {
    const found = test();
    if (found) return found;
  }
  throw new Error(`not in time: ${what}`);
}

/** Unpacks and activates the extension, in a folder with files. `end` deactivates it. */
export async function session({ files = {}, ...given }) {
  const folder = await mkdtemp(join(tmpdir(), 'terrane-editor-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const editor = stub({ folder, ...given });
  const place = await unpacked();
  const load = Module._load;
  // One copy of the extension for each session, so that each has its own stub.
  Module._load = (name, ...rest) => (name === 'vscode' ? editor.vscode : load(name, ...rest));
  let extension;
  try {
    extension = createRequire(join(place, 'package.json'))('./dist/extension.js');
  } finally {
    Module._load = load;
  }
  const subscriptions = [];
  extension.activate({ subscriptions });
  return {
    ...editor,
    folder,
    subscriptions,
    /** Opens a file of the folder. */
    show(name, languageId = 'terrane') {
      const one = document(join(folder, name), languageId, files[name]);
      editor.open(one);
      return one;
    },
    /** Replaces the text of a document. */
    type: (one, text) => editor.type(one, text),
    /** Makes a document's editor the active one, with the cursor at a place. */
    focus(one, line, character) {
      const active = new editor.vscode.Position(line, character);
      const textEditor = {
        document: one,
        selection: { active, anchor: active, start: active, end: active },
        viewColumn: 1,
      };
      editor.vscode.window.activeTextEditor = textEditor;
      editor.vscode.window.visibleTextEditors = [textEditor];
      return textEditor;
    },
    /** Runs a command of the palette. */
    run: (name, ...args) => editor.recorded.commands.get(name)(...args),
    async end() {
      await extension.deactivate();
      subscriptions.forEach((one) => one.dispose());
      await rm(folder, { recursive: true, force: true });
      await rm(join(place, '..'), { recursive: true, force: true });
    },
  };
}
