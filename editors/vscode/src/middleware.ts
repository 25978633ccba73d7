// What the extension does with the server's requests before the client does the usual.

import * as vscode from 'vscode';
import type { Middleware, ShowDocumentParams } from 'vscode-languageclient/node';
import { previewAddress } from './preview/address';
import type { Follow } from './preview/follow';
import type { Panels } from './preview/panels';
import { askingAgain } from './suggest';

/** The answer of the server's command `terrane.preview`. */
export interface Preview {
  readonly address: string;
}

/** The middleware: previews open in panels, and the text of a node opens beside them. */
export function middleware(panels: Panels, follow: () => Follow): Middleware {
  return {
    window: {
      showDocument: async (params, token, next) => {
        if (previewAddress(params.uri) !== undefined) return { success: await panels.show(params.uri) };
        const shown = await showSource(params, panels, follow());
        return shown ? { success: true } : next(params, token);
      },
    },
    provideCompletionItem: async (document, position, context, token, next) =>
      askingAgain(await next(document, position, context, token)),
    // A code lens executes the server's command itself.
    executeCommand: async (command, args: unknown[], next) => {
      const answer: unknown = await next(command, args);
      if (command === 'terrane.preview' && typeof args[0] === 'string') {
        const { address } = (answer ?? {}) as Partial<Preview>;
        if (address !== undefined) await panels.show(address, vscode.Uri.parse(args[0], true));
      }
      return answer;
    },
  };
}

/**
 * Shows the text that the preview asks for where it is open already. By default VS Code would open it in the
 * column with the focus, over the preview. Returns false for what is not a text with a selection.
 */
async function showSource(params: ShowDocumentParams, panels: Panels, follow: Follow): Promise<boolean> {
  const column = panels.activeColumn();
  if (params.external === true || params.selection === undefined || column === undefined) return false;
  const uri = vscode.Uri.parse(params.uri, true);
  const { start, end } = params.selection;
  follow.expect({ file: uri.toString(), line: end.line });
  const open = vscode.window.visibleTextEditors.find(
    (editor) => editor.document.uri.toString() === uri.toString(),
  );
  const beside = column === vscode.ViewColumn.One ? vscode.ViewColumn.Beside : vscode.ViewColumn.One;
  try {
    await vscode.window.showTextDocument(uri, {
      selection: new vscode.Range(start.line, start.character, end.line, end.character),
      preserveFocus: params.takeFocus !== true,
      viewColumn: open?.viewColumn ?? beside,
    });
    return true;
  } catch {
    // The usual way answers that it failed.
    return false;
  }
}
