// The settings of the extension.

import * as vscode from 'vscode';

/** The settings' names begin with this. */
const SECTION = 'terrane';

/** The setting `terrane.path`. */
export function programSetting(): string {
  return vscode.workspace.getConfiguration(SECTION).get<string>('path', 'terrane');
}

/** The setting `terrane.preview.followCursor`. */
export function followsCursor(): boolean {
  return vscode.workspace.getConfiguration(SECTION).get<boolean>('preview.followCursor', true);
}

/** Calls a function when `terrane.path` changes. */
export function onProgramSetting(action: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(`${SECTION}.path`)) action();
  });
}
