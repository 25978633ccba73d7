// The language server: `terrane lsp` as a child process, and the client that talks to it.

import * as vscode from 'vscode';
import {
  ExecuteCommandRequest,
  LanguageClient,
  type Middleware,
  RevealOutputChannelOn,
} from 'vscode-languageclient/node';
import { LANGUAGE } from './languages';
import { findProgram, machine } from './program';
import { programSetting } from './settings';

/** What the server needs to know of this editor: `terrane view` lets its windows frame the preview. */
const OPTIONS = { previewFrame: 'vscode' };

/** The code of an answer to a request that the server does not know. */
const UNKNOWN_METHOD = -32601;

export class Server implements vscode.Disposable {
  #client: Promise<LanguageClient | undefined> | undefined;
  readonly #log = vscode.window.createOutputChannel('Terrane', { log: true });
  readonly #files = vscode.workspace.createFileSystemWatcher('**/*.ron');

  constructor(private readonly middleware: Middleware) {}

  dispose(): void {
    this.#log.dispose();
    this.#files.dispose();
  }

  /** Starts the server if it was not started, and says what is wrong if it cannot be started. */
  start(): Promise<LanguageClient | undefined> {
    this.#client ??= this.#launch();
    return this.#client;
  }

  /** Stops the server; the next use starts it again. */
  async stop(): Promise<void> {
    const client = await this.#client;
    this.#client = undefined;
    await client?.stop().catch(() => undefined);
  }

  /** Stops the server and starts it, with the settings as they are now. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Has the server execute a command; `undefined` if that failed, which has then been said. */
  async execute<T>(command: string, args: unknown[]): Promise<T | undefined> {
    // If the server did not start before, the program may have been installed meanwhile.
    if ((await this.#client) === undefined) this.#client = undefined;
    const client = await this.start();
    if (client === undefined) return undefined;
    try {
      return (await client.sendRequest(ExecuteCommandRequest.type, { command, arguments: args })) as T;
    } catch (error) {
      void vscode.window.showErrorMessage(`Terrane: ${whyNot(command, error)}`);
      return undefined;
    }
  }

  /** Has a running server execute a command that the user did not ask for. A failure is only logged. */
  async tell(command: string, args: unknown[]): Promise<void> {
    const client = await this.#client;
    try {
      await client?.sendRequest(ExecuteCommandRequest.type, { command, arguments: args });
    } catch (error) {
      this.#log.info(whyNot(command, error));
    }
  }

  async #launch(): Promise<LanguageClient | undefined> {
    const found = findProgram(programSetting(), machine());
    if ('problem' in found) {
      void explain(found.problem);
      return undefined;
    }
    const client = new LanguageClient(
      LANGUAGE,
      'Terrane',
      { command: found.program, args: ['lsp'] },
      {
        documentSelector: [{ scheme: 'file', language: LANGUAGE }],
        synchronize: { fileEvents: this.#files },
        outputChannel: this.#log,
        initializationOptions: OPTIONS,
        revealOutputChannelOn: RevealOutputChannelOn.Never,
        middleware: this.middleware,
      },
    );
    try {
      await client.start();
      return client;
    } catch (error) {
      void explain(`${found.program} lsp did not start (${String(error)}): run it in a terminal to see why`);
      return undefined;
    }
  }
}

/** Why the server did not execute a command. */
function whyNot(command: string, error: unknown): string {
  const { code, message } = error as { code?: number; message?: string };
  return code === UNKNOWN_METHOD
    ? `the program \`terrane\` does not know \`${command}\`: it is older than this extension, update it`
    : (message ?? String(error));
}

/** Shows what is wrong, with a button that opens the setting. */
async function explain(problem: string): Promise<void> {
  const settings = 'Open Settings';
  const chosen = await vscode.window.showErrorMessage(`Terrane: ${problem}`, settings);
  if (chosen === settings)
    await vscode.commands.executeCommand('workbench.action.openSettings', 'terrane.path');
}
