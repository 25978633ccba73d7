#!/usr/bin/env node
// A language server with the commands of `terrane lsp` that concern the preview, for tests of the client. It
// writes what it is asked into `calls.jsonl` in its folder. If that folder has a file `old`, it knows no
// commands.

import { appendFileSync, existsSync } from 'node:fs';
import process from 'node:process';
import rpc from 'vscode-jsonrpc/node';

export const ADDRESS = 'http://127.0.0.1:7411/a-token-of-the-fake-server/';
const COMMANDS = [
  'terrane.preview',
  'terrane.run',
  'terrane.accept',
  'terrane.show',
  'fake.source',
  'fake.site',
];

const connection = rpc.createMessageConnection(process.stdin, process.stdout);
const note = (what) => appendFileSync('calls.jsonl', `${JSON.stringify(what)}\n`);
const show = async (params) =>
  note({ shown: params.uri, ...(await connection.sendRequest('window/showDocument', params)) });

connection.onRequest('initialize', ({ initializationOptions, capabilities }) => {
  note({ initializationOptions, showDocument: capabilities.window.showDocument });
  return {
    capabilities: {
      textDocumentSync: 1,
      executeCommandProvider: { commands: existsSync('old') ? [] : COMMANDS },
    },
  };
});
connection.onRequest('workspace/executeCommand', async ({ command, arguments: given }) => {
  if (existsSync('old')) throw new rpc.ResponseError(rpc.ErrorCodes.MethodNotFound, `no ${command}`);
  note({ command, given });
  if (command === 'terrane.preview') {
    await show({ uri: ADDRESS, external: true });
    return { address: ADDRESS };
  }
  if (command === 'fake.site') await show({ uri: 'https://example.org/', external: true });
  if (command === 'fake.source') {
    const at = { line: 2, character: 4 };
    await show({ uri: given[0], takeFocus: true, selection: { start: at, end: at } });
  }
  if (command === 'terrane.show' && given[1].character === 77)
    throw new rpc.ResponseError(-32803, 'there is no node here');
  return command === 'terrane.run' ? { ok: true, message: 'wrote 1 file' } : null;
});
connection.onRequest('shutdown', () => null);
connection.onNotification('exit', () => process.exit(0));
connection.listen();
