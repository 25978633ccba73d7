// Brackets and quotes: what follows a proposal that was taken, and what is typed over.

import { EditorState, EditorView, hasNextSnippetField } from '../vendor/codemirror/codemirror.min.js';

// With a proposal that fills quotes, the cursor leaves them, unless the proposal has more places to fill.
export const leaveQuotes = EditorState.transactionFilter.of((one) => {
  const { head, empty } = one.newSelection.main;
  if (!one.isUserEvent('input.complete') || !empty || hasNextSnippetField(one.startState)) return one;
  return /[^" ]"/.test(one.newDoc.sliceString(Math.max(0, head - 1), head + 1)) ? [one, { selection: { anchor: head + 1 }, sequential: true }] : one;
});

// A closing bracket or quote that stands behind the cursor already is not typed again, also where a proposal wrote it.
export const typeOver = EditorView.inputHandler.of((view, from, to, typed) => {
  if (from !== to || !/^[)\]}"]$/.test(typed) || view.state.readOnly || view.state.sliceDoc(from, from + 1) !== typed) return false;
  const { text, from: start } = view.state.doc.lineAt(from);
  // The quote behind the cursor begins a text.
  if (typed === '"' && (text.slice(0, from - start).match(/"/g) ?? []).length % 2 === 0) return false;
  view.dispatch({ selection: { anchor: from + 1 }, userEvent: 'input.type' });
  return true;
});

// Whether a proposal left the cursor in empty quotes or brackets, or before a value: then more is proposed.
export function isUnfinished(update) {
  if (!update.transactions.some((one) => one.isUserEvent('input.complete'))) return false;
  const { doc, selection } = update.state;
  const before = doc.sliceString(Math.max(0, selection.main.head - 2), selection.main.head);
  return selection.main.empty && /: ?$|[:(,] ?"$| "$|\($/.test(before);
}
