// The extension: what VS Code calls.

import type * as vscode from 'vscode';
import { followInPreview, registerCommands } from './commands';
import { onceOpen, recogniseGraphs } from './languages';
import { middleware } from './middleware';
import { Follow } from './preview/follow';
import { Panels } from './preview/panels';
import { Server } from './server';
import { onProgramSetting } from './settings';

let running: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const panels = new Panels();
  const server = new Server(middleware(panels, () => follow));
  const follow = new Follow(panels, (uri, at) => void followInPreview(server, uri, at));
  running = server;
  context.subscriptions.push(
    panels,
    server,
    recogniseGraphs(),
    onceOpen(() => void server.start()),
    onProgramSetting(() => void server.restart()),
    follow.listen(),
    ...registerCommands(server, panels),
  );
}

export async function deactivate(): Promise<void> {
  await running?.stop();
}
