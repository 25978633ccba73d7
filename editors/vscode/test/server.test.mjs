// The packaged extension starts the real `terrane lsp`, without a window: `vscode` is a stub.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { terrane } from './support/home.mjs';
import { session, until } from './support/session.mjs';

const BROKEN = `Graph(
    nodes: { "hills": Perlinn(amplitude: 4.0) },
    outputs: { "hills.png": "hills" },
)
`;
const settings = { 'terrane.path': terrane };
const LIMIT = { timeout: 60_000 };

test('a broken graph gets its mistakes from the real server', LIMIT, async () => {
  const editor = await session({ settings, files: { 'broken.terrane.ron': BROKEN } });
  try {
    const opened = editor.show('broken.terrane.ron');
    const found = await until('diagnostics', () => editor.recorded.diagnostics.get(opened.uri.toString()));
    assert.equal(found.length, 1);
    assert.match(found[0].message, /Perlinn/);
    assert.deepEqual({ ...found[0].range.start }, { line: 1, character: 22 });
    assert.equal(found[0].severity, editor.vscode.DiagnosticSeverity.Error);
    assert.deepEqual(editor.recorded.errors, []);
  } finally {
    await editor.end();
  }
});

test('a graph in a file of another language is recognised, and served', LIMIT, async () => {
  const files = { 'a.ron': `/* one /* two */ */ // three\n${BROKEN}`, 'b.ron': '(a: 1)', 'c.txt': BROKEN };
  const editor = await session({ settings, files });
  try {
    for (const name of Object.keys(files)) editor.show(name, 'plaintext');
    assert.deepEqual(
      editor.recorded.languages.map(([uri, language]) => [uri.split('/').pop(), language]),
      [['a.ron', 'terrane']],
    );
    const uri = editor.recorded.languages[0][0];
    assert.match(
      (await until('diagnostics', () => editor.recorded.diagnostics.get(uri)))[0].message,
      /Perlinn/,
    );
    // A language that the user chooses by hand stays.
    const one = editor.vscode.workspace.textDocuments[0];
    await editor.vscode.languages.setTextDocumentLanguage(one, 'plaintext');
    assert.equal(one.languageId, 'plaintext');
    editor.type(one, `${BROKEN}\n`);
    assert.equal(one.languageId, 'plaintext');
  } finally {
    await editor.end();
  }
});

test('a file that becomes a graph while one types is recognised', LIMIT, async () => {
  const editor = await session({ settings, files: { 'new.ron': '', 'other.ron': '', 'notes.txt': '' } });
  try {
    const show = (name) => editor.show(name, 'plaintext');
    const [graph, other, notes] = ['new.ron', 'other.ron', 'notes.txt'].map(show);
    editor.type(graph, 'Graph');
    assert.equal(graph.languageId, 'plaintext');
    editor.type(graph, 'Graph()');
    editor.type(other, '(a: 1)');
    editor.type(notes, 'Graph()');
    await until('the language', () => graph.languageId === 'terrane');
    assert.deepEqual([other.languageId, notes.languageId], ['plaintext', 'plaintext']);
  } finally {
    await editor.end();
  }
});

test('without the program, the message says where it was looked for and what to do', LIMIT, async () => {
  const editor = await session({
    settings: { 'terrane.path': 'terrane-that-is-not-there' },
    files: { 'a.terrane.ron': BROKEN },
  });
  try {
    const graph = editor.show('a.terrane.ron');
    await until('a message', () => editor.recorded.errors.length > 0);
    const [message, button] = editor.recorded.errors[0];
    assert.match(
      message,
      /`terrane-that-is-not-there` is in none of the \d+ folders of PATH: install it .* `terrane.path`/,
    );
    assert.equal(button, 'Open Settings');
    // The message comes once for files, and again for a command.
    editor.show('a.terrane.ron');
    assert.equal(editor.recorded.errors.length, 1);
    editor.focus(graph, 0, 0);
    await editor.run('terrane.openPreview');
    assert.equal(editor.recorded.errors.length, 2);
    assert.deepEqual(editor.recorded.panels, []);
    // With the right setting, the server starts.
    editor.configure('terrane.path', terrane);
    const uri = editor.vscode.workspace.textDocuments[0].uri.toString();
    await until('diagnostics', () => editor.recorded.diagnostics.get(uri));
  } finally {
    await editor.end();
  }
});
