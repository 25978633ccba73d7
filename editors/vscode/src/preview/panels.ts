// The panels that show previews, one for each file.

import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { type Address, previewAddress } from './address';
import { panelDocument } from './page';

/** The type of the panels; `package.json` names it in `when`. */
const TYPE = 'terrane.preview';

interface Shown {
  readonly panel: vscode.WebviewPanel;
  address: Address;
  /** The graph's file; unknown until the server has answered. */
  file: string | undefined;
}

export class Panels implements vscode.Disposable {
  readonly #shown = new Set<Shown>();

  /**
   * Shows the preview at an address, in the file's panel, the address's panel or a new one. Returns false if
   * the address is not that of a preview, or if VS Code cannot show it in a panel.
   */
  async show(text: string, file?: vscode.Uri): Promise<boolean> {
    const address = await reachable(text);
    if (address === undefined) return false;
    const key = file?.toString();
    const shown = this.#find(
      (one) => one.address.page === address.page || (key !== undefined && one.file === key),
    );
    const one = shown ?? this.#open(address);
    one.file = key ?? one.file;
    if (one.address.page !== address.page) {
      one.address = address;
      fill(one.panel, address);
    }
    if (file !== undefined) one.panel.title = `Preview of ${file.path.slice(file.path.lastIndexOf('/') + 1)}`;
    if (shown !== undefined && !one.panel.visible) one.panel.reveal(undefined, true);
    return true;
  }

  /** Whether the preview of a file is visible. */
  isVisible(file: vscode.Uri): boolean {
    return this.#find((one) => one.file === file.toString())?.panel.visible ?? false;
  }

  /** The column of a panel that has the focus. */
  activeColumn(): vscode.ViewColumn | undefined {
    return this.#find((one) => one.panel.active)?.panel.viewColumn;
  }

  /** The address that the panel with the focus shows. */
  activeAddress(): string | undefined {
    return this.#find((one) => one.panel.active)?.address.page;
  }

  dispose(): void {
    for (const one of [...this.#shown]) one.panel.dispose();
  }

  #find(test: (one: Shown) => boolean): Shown | undefined {
    return [...this.#shown].find(test);
  }

  #open(address: Address): Shown {
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    // Frames cannot run more than the document around them, so scripts are enabled, and its policy forbids
    // its own.
    const options = { enableScripts: true, localResourceRoots: [], retainContextWhenHidden: true };
    const panel = vscode.window.createWebviewPanel(TYPE, 'Preview', column, options);
    const one: Shown = { panel, address, file: undefined };
    this.#shown.add(one);
    panel.onDidDispose(() => this.#shown.delete(one));
    fill(panel, address);
    return one;
  }
}

function fill(panel: vscode.WebviewPanel, address: Address): void {
  panel.webview.html = panelDocument(address, randomBytes(16).toString('hex'));
}

/**
 * The address under which this window reaches the preview. If the server runs on another machine, VS Code
 * forwards its port. The preview accepts only its own name and port, so a forwarded one must be the same.
 */
async function reachable(text: string): Promise<Address | undefined> {
  const address = previewAddress(text);
  if (address === undefined) return undefined;
  const outer = await vscode.env.asExternalUri(vscode.Uri.parse(text, true));
  const reached = previewAddress(outer.toString(true));
  if (vscode.env.uiKind === vscode.UIKind.Desktop && reached?.port === address.port) return reached;
  const why =
    vscode.env.uiKind === vscode.UIKind.Web
      ? 'no web page may frame the preview, so VS Code in a browser cannot show it: use VS Code on the desktop'
      : `VS Code reaches port ${address.port} of the other machine as ${outer.authority}, which the preview ` +
        `refuses: free port ${address.port} on this machine, remove the port from the view Ports, and open ` +
        'the preview again';
  void vscode.window.showErrorMessage(`Terrane: ${why}`);
  return undefined;
}
