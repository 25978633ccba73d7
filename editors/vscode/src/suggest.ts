// Proposals for what an accepted snippet leaves open.

import type * as vscode from 'vscode';

type Proposals = vscode.CompletionItem[] | vscode.CompletionList | null | undefined;

/**
 * Asks again where the cursor is after a snippet, such as between the quotes of a wire: VS Code itself does not.
 * As when one types, nothing is shown if there is nothing to propose.
 */
export function askingAgain<P extends Proposals>(proposals: P): P {
  const items = Array.isArray(proposals) ? proposals : (proposals?.items ?? []);
  for (const item of items)
    if (typeof item.insertText === 'object')
      item.command = {
        command: 'editor.action.triggerSuggest',
        title: 'Suggest',
        arguments: [{ auto: true }],
      };
  return proposals;
}
