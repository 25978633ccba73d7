// The language service for texts, over the page's connection.

import { LSPClient, LSPPlugin, Workspace, serverDiagnostics } from '../vendor/codemirror/codemirror.min.js';

export const address = (file) => `terrane:/${file}`;
export const fileOf = (uri) => uri.slice('terrane:/'.length);

// A session that has ended begins again after so many milliseconds.
const AGAIN = 2000;

// Elements of explanations; all others, and all attributes, are left out.
const ELEMENTS = new Set(['P', 'PRE', 'CODE', 'EM', 'STRONG', 'UL', 'OL', 'LI', 'H1', 'H2', 'H3', 'H4', 'BR', 'HR', 'BLOCKQUOTE', 'TABLE', 'THEAD', 'TBODY', 'TR', 'TH', 'TD', 'SPAN']);

function clean(html) {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const element of [...body.querySelectorAll('*')]) {
    if (!ELEMENTS.has(element.tagName)) { element.replaceWith(...element.childNodes); continue; }
    for (const { name } of [...element.attributes]) if (name !== 'class') element.removeAttribute(name);
  }
  for (const heading of body.querySelectorAll('h1, h2, h3, h4')) { const p = document.createElement('p'); p.append(...heading.childNodes); heading.replaceWith(p); }
  return body.innerHTML;
}

// The files that are open: the one that the pane shows. A jump into another one asks the pane to show it.
class Files extends Workspace {
  files = [];
  #versions = new Map();
  display = async () => null;

  #next(uri) {
    const version = (this.#versions.get(uri) ?? -1) + 1;
    this.#versions.set(uri, version);
    return version;
  }

  syncFiles() {
    const found = [];
    for (const file of this.files) {
      const plugin = LSPPlugin.get(file.view);
      if (!plugin || plugin.unsyncedChanges.empty) continue;
      found.push({ changes: plugin.unsyncedChanges, file, prevDoc: file.doc });
      file.doc = file.view.state.doc;
      file.version = this.#next(file.uri);
      plugin.clear();
    }
    return found;
  }

  openFile(uri, languageId, view) {
    const file = { uri, languageId, version: this.#next(uri), doc: view.state.doc, view, getView: () => view };
    this.files.push(file);
    this.client.didOpen(file);
  }

  closeFile(uri, view) {
    this.files = this.files.filter((file) => file.view !== view);
    this.client.didClose(uri);
  }

  displayFile(uri) { return this.display(fileOf(uri)); }
}

const plainly = (snippet) => snippet.replace(/\$\d|\$\{\d+:([^}]*)\}/g, '$1').replace(/\\(.)/g, '$1');

// The editor compares proposals with all text that they replace, and makes no further edits with snippets. So here they replace only what is before the
// cursor and keep the quote behind it, and one with further edits is no snippet.
function fit(message, at) {
  const items = message.result?.items;
  if (!Array.isArray(items)) return message;
  const fitted = items.map((item) => {
    const { range, newText } = item.textEdit;
    const { line, character } = range.end;
    const isLong = line === at.line && character > at.character;
    const isPlain = item.additionalTextEdits && item.insertTextFormat === 2;
    if (!isLong && !isPlain) return item;
    const text = isLong ? newText.replace(/",?$/, '') : newText;
    return { ...item, ...(isPlain ? { insertTextFormat: 1 } : {}), textEdit: { range: isLong ? { ...range, end: at } : range, newText: isPlain ? plainly(text) : text } };
  });
  return { ...message, result: { ...message.result, items: fitted } };
}

// A client that begins anew whenever the connection was lost. `display` shows a file and returns its editor; `told` says why the service ended.
export function service(link, display, told) {
  const client = new LSPClient({ rootUri: 'terrane:/', timeout: 15_000, sanitizeHTML: clean, workspace: (own) => new Files(own), extensions: [serverDiagnostics()] });
  client.workspace.display = display;
  let heard = null;
  // Where proposals were asked for, by request.
  const asked = new Map();
  const transport = {
    send: (text) => {
      const message = JSON.parse(text);
      if (message.method === 'textDocument/completion') asked.set(message.id, message.params.position);
      link.say({ do: 'language', message });
    },
    subscribe: (handler) => { heard = handler; },
    unsubscribe: () => { heard = null; },
  };
  const begin = () => { client.connect(transport); client.initializing.catch(() => {}); };
  link.addEventListener('language', ({ detail }) => {
    if (detail.message) {
      const at = asked.get(detail.message.id);
      asked.delete(detail.message.id);
      heard?.(JSON.stringify(at ? fit(detail.message, at) : detail.message));
    }
    else { client.disconnect(); told(detail.ended); setTimeout(begin, AGAIN); }
  });
  link.addEventListener('down', () => client.disconnect());
  link.addEventListener('hello', begin);
  begin();
  return client;
}

// The changes that mend all mistakes with one remedy.
export async function allFixes(client, view) {
  const plugin = LSPPlugin.get(view);
  const end = plugin.toPosition(view.state.doc.length);
  const range = { start: { line: 0, character: 0 }, end };
  const answer = await client.request('textDocument/codeAction', { textDocument: { uri: plugin.uri }, range, context: { diagnostics: [], only: ['source.fixAll'] } });
  const edits = answer?.[0]?.edit.changes[plugin.uri] ?? [];
  return edits.map((edit) => ({ from: plugin.fromPosition(edit.range.start), to: plugin.fromPosition(edit.range.end), insert: edit.newText }));
}

// Renames what is at the cursor in these files. `edit` changes the text of one that the pane does not show. Returns the other files that use the name.
export async function rename(client, view, to, edit, files) {
  const plugin = LSPPlugin.get(view);
  client.sync();
  const { doc } = view.state;
  const answer = await client.request('textDocument/rename', { textDocument: { uri: plugin.uri }, position: plugin.toPosition(view.state.selection.main.head), newName: to });
  const { [plugin.uri]: own, ...others } = answer?.changes ?? {};
  if (view.state.doc !== doc) throw new Error('the text has changed in the meantime: rename again');
  if (own) view.dispatch({ changes: own.map(({ range, newText }) => ({ from: plugin.fromPosition(range.start), to: plugin.fromPosition(range.end), insert: newText })), userEvent: 'rename' });
  const left = [];
  for (const [uri, edits] of Object.entries(others)) {
    if (files.includes(fileOf(uri))) await edit(fileOf(uri), edits);
    else left.push(fileOf(uri));
  }
  return left;
}

// The name at the cursor and its range, or null.
export async function nameAt(client, view) {
  const plugin = LSPPlugin.get(view);
  client.sync();
  const range = await client.request('textDocument/prepareRename', { textDocument: { uri: plugin.uri }, position: plugin.toPosition(view.state.selection.main.head) });
  return range && view.state.sliceDoc(plugin.fromPosition(range.start), plugin.fromPosition(range.end));
}
