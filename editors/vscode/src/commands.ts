// The commands of the palette and of buttons. The server's own commands have other names: the client
// registers those.

import * as vscode from 'vscode';
import { LANGUAGE } from './languages';
import type { Preview } from './middleware';
import type { Panels } from './preview/panels';
import type { Server } from './server';

/** Registers all commands. */
export function registerCommands(server: Server, panels: Panels): vscode.Disposable[] {
  const preview = (uri: vscode.Uri, at: vscode.Position | undefined) =>
    server.execute<Preview>(
      'terrane.preview',
      at === undefined ? [uri.toString()] : [uri.toString(), place(at)],
    );
  const actions: Record<string, (given?: unknown) => Promise<unknown>> = {
    'terrane.openPreview': async (given) => {
      const graph = await graphOf(given);
      const answer = graph && (await preview(graph.uri, graph.cursor));
      if (graph && answer) await panels.show(answer.address, graph.uri);
    },
    'terrane.openPreviewInBrowser': async (given) => {
      let address = panels.activeAddress();
      if (address === undefined) {
        const graph = await graphOf(given);
        address = graph && (await preview(graph.uri, undefined))?.address;
      }
      if (address !== undefined) await vscode.env.openExternal(vscode.Uri.parse(address, true));
    },
    'terrane.showInPreview': async (given) => {
      const graph = await graphOf(given);
      if (graph === undefined) return;
      if (!panels.isVisible(graph.uri)) {
        const answer = await preview(graph.uri, graph.cursor);
        if (answer === undefined || !(await panels.show(answer.address, graph.uri))) return;
      }
      if (graph.cursor) await server.execute('terrane.show', [graph.uri.toString(), place(graph.cursor)]);
    },
    'terrane.runGraph': (given) => onSaved(server, 'terrane.run', given),
    'terrane.acceptSnapshots': (given) => onSaved(server, 'terrane.accept', given),
    'terrane.restartServer': () => server.restart(),
  };
  return Object.entries(actions).map(([name, action]) => vscode.commands.registerCommand(name, action));
}

/** Selects the node at the cursor in the preview that runs, if there is a node. */
export function followInPreview(server: Server, uri: vscode.Uri, at: vscode.Position): Promise<void> {
  return server.tell('terrane.show', [uri.toString(), place(at)]);
}

function place(at: vscode.Position): { line: number; character: number } {
  return { line: at.line, character: at.character };
}

/** Has the server do something with a graph's file, which is saved first. The server says how it went. */
async function onSaved(server: Server, command: string, given: unknown): Promise<void> {
  const graph = await graphOf(given);
  if (graph === undefined) return;
  if (graph.document.isDirty && !(await graph.document.save())) {
    void vscode.window.showErrorMessage(
      `Terrane: ${graph.uri.fsPath} could not be saved: save it, then try again`,
    );
    return;
  }
  await server.execute(command, [graph.uri.toString()]);
}

interface Graph {
  readonly uri: vscode.Uri;
  readonly document: vscode.TextDocument;
  readonly cursor: vscode.Position | undefined;
}

/** The graph that a command is about: the one whose button was used, or the active editor's. */
async function graphOf(given: unknown): Promise<Graph | undefined> {
  const editor = vscode.window.activeTextEditor;
  const uri = given instanceof vscode.Uri ? given : editor?.document.uri;
  if (uri === undefined) {
    void vscode.window.showErrorMessage(
      'Terrane: no graph is open: open a file that begins with `Graph(` or `World(`',
    );
    return undefined;
  }
  if (uri.scheme !== 'file') {
    void vscode.window.showErrorMessage(`Terrane: ${uri.path} is not a file on a disk: save it first`);
    return undefined;
  }
  const document = await vscode.workspace.openTextDocument(uri);
  if (document.languageId !== LANGUAGE) {
    const why = `its language is ${document.languageId}: choose Terrane with "Change Language Mode"`;
    void vscode.window.showErrorMessage(`Terrane: ${uri.fsPath} is not taken for a graph, ${why}`);
    return undefined;
  }
  const isActive = editor?.document.uri.toString() === uri.toString();
  return { uri, document, cursor: isActive ? editor?.selection.active : undefined };
}
