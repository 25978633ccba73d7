// What follows when a proposal was taken.

import { EditorState } from '../vendor/codemirror/codemirror.min.js';

// With a proposal that fills quotes, the cursor leaves them.
export const leaveQuotes = EditorState.transactionFilter.of((one) => {
  if (!one.isUserEvent('input.complete')) return one;
  const { head } = one.newSelection.main;
  return /[^" ]"/.test(one.newDoc.sliceString(Math.max(0, head - 1), head + 1)) ? [one, { selection: { anchor: head + 1 }, sequential: true }] : one;
});

// Whether a proposal left the cursor in empty quotes, or before a value: then values are proposed.
export function isUnfinished(update) {
  if (!update.transactions.some((one) => one.isUserEvent('input.complete'))) return false;
  const { doc, selection } = update.state;
  const before = doc.sliceString(Math.max(0, selection.main.head - 2), selection.main.head);
  return /: ?$|[:(,] ?"$| "$/.test(before);
}
