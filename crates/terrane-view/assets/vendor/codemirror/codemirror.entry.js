// What the page uses of CodeMirror. `cargo xtask vendor-codemirror` bundles it.

export { Annotation, ChangeSet, EditorState, Prec, Transaction } from '@codemirror/state';
export { EditorView, drawSelection, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
export { defaultKeymap, indentWithTab } from '@codemirror/commands';
export { HighlightStyle, StreamLanguage, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
export { search, searchKeymap } from '@codemirror/search';
export { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, hasNextSnippetField, startCompletion } from '@codemirror/autocomplete';
export { lintKeymap, nextDiagnostic } from '@codemirror/lint';
export { LSPClient, LSPPlugin, Workspace, formatDocument, hoverTooltips, jumpToDefinitionKeymap, serverCompletion, serverDiagnostics } from '@codemirror/lsp-client';
export { diff } from '@codemirror/merge';
export { tags } from '@lezer/highlight';
