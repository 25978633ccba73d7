// Gives open files of graphs the language `terrane`.

import * as vscode from 'vscode';
import { isGraph, mayBeGraph } from './recognise';

/** The id of the language. */
export const LANGUAGE = 'terrane';

/** The languages that a file of a graph has before it is recognised. */
const BEFORE = new Set(['ron', 'plaintext']);

/**
 * Recognises documents that are open or are opened. A document is looked at once, so that a language that the
 * user chooses by hand stays: a change of the language opens the same document again.
 */
export function recogniseGraphs(): vscode.Disposable {
  const seen = new WeakSet<vscode.TextDocument>();
  const look = (document: vscode.TextDocument) => {
    if (seen.has(document)) return;
    seen.add(document);
    const isCandidate = document.uri.scheme === 'file' && BEFORE.has(document.languageId);
    if (isCandidate && mayBeGraph(document.uri.path) && isGraph(document.getText())) {
      void vscode.languages.setTextDocumentLanguage(document, LANGUAGE);
    }
  };
  vscode.workspace.textDocuments.forEach(look);
  return vscode.workspace.onDidOpenTextDocument(look);
}

/** Calls a function once, as soon as a document of the language is open. */
export function onceOpen(action: () => void): vscode.Disposable {
  const isOurs = (document: vscode.TextDocument) => document.languageId === LANGUAGE;
  if (vscode.workspace.textDocuments.some(isOurs)) {
    action();
    return new vscode.Disposable(() => undefined);
  }
  const listener = vscode.workspace.onDidOpenTextDocument((document) => {
    if (!isOurs(document)) return;
    listener.dispose();
    action();
  });
  return listener;
}
