// How the editor looks: the page's colours, in light and dark.

import { EditorView } from '../vendor/codemirror/codemirror.min.js';

export const theme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--raised)', color: 'var(--ink)', fontSize: '13px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'ui-monospace, "Cascadia Code", Menlo, "DejaVu Sans Mono", monospace', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--soft)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--tint) 55%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--tint)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'color-mix(in srgb, var(--accent) 30%, transparent)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--tint)', outline: '1px solid var(--line)' },
  '.cm-tooltip': { backgroundColor: 'var(--panel)', color: 'var(--ink)', border: '1px solid var(--line)', borderRadius: '6px', boxShadow: 'var(--shadow)', maxWidth: 'min(560px, 90vw)', overflowWrap: 'anywhere' },
  '.cm-lsp-documentation': { maxHeight: '240px', overflow: 'auto', padding: '6px 10px', fontFamily: 'system-ui, sans-serif', lineHeight: '1.45' },
  '.cm-lsp-documentation code': { fontFamily: 'ui-monospace, Menlo, "DejaVu Sans Mono", monospace' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'inherit', maxHeight: '220px' },
  '.cm-tooltip-autocomplete ul li': { padding: '2px 8px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--accent-ink)' },
  '.cm-completionDetail': { color: 'var(--soft)', fontStyle: 'normal', marginLeft: '10px' },
  'li[aria-selected] .cm-completionDetail': { color: 'var(--accent-ink)' },
  '@media (max-width: 800px)': {
    // The explanation would cover the proposals.
    '.cm-completionInfo': { display: 'none' },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '9px 8px' },
  },
  '.cm-lsp-documentation p:empty': { display: 'none' },
  '.cm-lsp-documentation p, .cm-lsp-documentation ul': { margin: '4px 0' },
  '.cm-panels': { backgroundColor: 'var(--panel)', color: 'var(--ink)' },
  '.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel input, .cm-panel button, .cm-panel label': { font: 'inherit', color: 'inherit' },
  '.cm-panel.cm-search [name=close]': { fontSize: '20px', padding: '0 8px' },
  '.cm-textfield': { backgroundColor: 'var(--raised)', border: '1px solid var(--line)', borderRadius: '4px' },
  '.cm-button': { backgroundImage: 'none', backgroundColor: 'var(--raised)', border: '1px solid var(--line)', borderRadius: '4px' },
  // The library's own marks are pictures in addresses, which the page does not load.
  '.cm-lintRange': { backgroundImage: 'none' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--danger)', textUnderlineOffset: '3px' },
  '.cm-lintRange-warning, .cm-lintRange-info, .cm-lintRange-hint': { backgroundImage: 'none', textDecoration: 'underline wavy var(--amber)', textUnderlineOffset: '3px' },
  '.cm-lintRange-active': { backgroundColor: 'var(--danger-tint)' },
  '.cm-diagnostic': { padding: '4px 10px' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--danger)' },
});
