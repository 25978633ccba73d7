// Gives open files of graphs the language `terrane`.

import * as vscode from 'vscode';
import { isGraph, mayBeGraph } from './recognise';

/** The id of the language. */
export const LANGUAGE = 'terrane';

/** The languages that a file of a graph has before it is recognised. */
const BEFORE = new Set(['ron', 'plaintext']);

/**
 * Recognises documents that are open, are opened, or become graphs while one types. A document is recognised
 * once, so that a language that the user chooses by hand stays.
 */
export function recogniseGraphs(): vscode.Disposable {
  const recognised = new WeakSet<vscode.TextDocument>();
  const look = (document: vscode.TextDocument) => {
    const isCandidate = document.uri.scheme === 'file' && mayBeGraph(document.uri.path);
    if (!isCandidate || recognised.has(document)) return;
    if (!BEFORE.has(document.languageId)) {
      recognised.add(document);
    } else if (isGraph(document.getText())) {
      recognised.add(document);
      void vscode.languages.setTextDocumentLanguage(document, LANGUAGE);
    }
  };
  vscode.workspace.textDocuments.forEach(look);
  return vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidChangeTextDocument(({ document }) => look(document)),
  );
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
