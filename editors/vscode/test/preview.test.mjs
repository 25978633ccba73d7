// The preview in a panel, with the packaged extension, a stub of `vscode`, and a fake language server.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { home } from './support/home.mjs';
import { session, until } from './support/session.mjs';

const ADDRESS = 'http://127.0.0.1:7411/a-token-of-the-fake-server/';
const NAME = 'a.terrane.ron';
const FILES = { [NAME]: 'Graph(\n    nodes: {\n        "a": B(),\n    },\n)\n' };
const program = join(home, 'test/support/fake-server.mjs');

/** Declares a test with a session in which the graph is open. */
function check(name, work, { files = {}, ...given } = {}) {
  test(name, { timeout: 60_000 }, async () => {
    const settings = { 'terrane.path': program };
    const editor = await session({ settings, files: { ...FILES, ...files }, ...given });
    const calls = async (command) => {
      const lines = (await readFile(join(editor.folder, 'calls.jsonl'), 'utf8').catch(() => ''))
        .trim()
        .split('\n');
      const all = lines.filter((line) => line !== '').map((line) => JSON.parse(line));
      return command ? all.filter((one) => one.command === command).map((one) => one.given) : all;
    };
    try {
      const graph = editor.show(NAME);
      const cursor = (line, character) => editor.focus(graph, line, character);
      cursor(2, 9);
      await work({ ...editor, graph, uri: graph.uri.toString(), cursor, calls });
    } finally {
      await editor.end();
    }
  });
}

check('the preview opens in one panel beside, which may frame only its address', async (editor) => {
  await editor.run('terrane.openPreview');
  const [panel, ...others] = editor.recorded.panels;
  assert.equal(others.length, 0, 'the answer and the request of the server lead to one panel');
  assert.deepEqual(editor.recorded.external, []);
  assert.deepEqual([panel.type, panel.title], ['terrane.preview', `Preview of ${NAME}`]);
  assert.deepEqual(panel.column, { viewColumn: -2, preserveFocus: true });
  const { html } = panel.webview;
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)[1];
  assert.match(
    policy,
    /^default-src 'none'; frame-src http:\/\/127\.0\.0\.1:7411; style-src 'nonce-[0-9a-f]{32}'$/,
  );
  assert.deepEqual(
    [...html.matchAll(/ src="([^"]*)"/g)].map((found) => found[1]),
    [ADDRESS],
  );
  assert.ok(!html.includes('<script'));
  assert.deepEqual(await editor.calls('terrane.preview'), [[editor.uri, { line: 2, character: 9 }]]);
  const [hello] = await editor.calls();
  assert.deepEqual(hello, {
    initializationOptions: { previewFrame: 'vscode' },
    showDocument: { support: true },
  });

  // Again: the same panel, which is revealed if it is hidden.
  panel.visible = false;
  await editor.run('terrane.openPreview', editor.graph.uri);
  assert.deepEqual([editor.recorded.panels.length, panel.revealed], [1, 1]);
  // After it is closed: a new one.
  panel.dispose();
  await editor.run('terrane.openPreview');
  assert.equal(editor.recorded.panels.length, 2);
  assert.deepEqual(editor.recorded.errors, []);
});

check('a code lens of the server opens the same panel', async (editor) => {
  await until('the server', () => editor.recorded.commands.has('terrane.preview'));
  await editor.run('terrane.preview', editor.uri);
  assert.deepEqual(
    editor.recorded.panels.map((panel) => panel.title),
    [`Preview of ${NAME}`],
  );
});

check('in the browser, if that is wanted', async (editor) => {
  await editor.run('terrane.openPreview');
  editor.recorded.panels[0].active = true;
  await editor.run('terrane.openPreviewInBrowser');
  assert.deepEqual(
    editor.recorded.external.map(([uri]) => uri.toString()),
    [ADDRESS],
  );
});

check('other addresses and files are shown as usual', async (editor) => {
  await until('the server', () => editor.recorded.commands.has('fake.site'));
  await editor.run('fake.site');
  assert.deepEqual(
    editor.recorded.external.map(([uri]) => uri.toString()),
    ['https://example.org/'],
  );
  await editor.run('fake.source', editor.uri);
  const [[uri, options]] = editor.recorded.texts;
  assert.deepEqual(
    [uri.toString(), options.preserveFocus, options.viewColumn],
    [editor.uri, false, undefined],
  );
  assert.deepEqual(editor.recorded.panels, []);
});

check('the text of a node does not cover the preview that has the focus', async (editor) => {
  await editor.run('terrane.openPreview');
  editor.recorded.panels[0].active = true;
  await editor.run('fake.source', editor.uri);
  const [[uri, options]] = editor.recorded.texts;
  assert.deepEqual([uri.toString(), options.viewColumn, options.preserveFocus], [editor.uri, 1, false]);
  assert.deepEqual({ ...options.selection.start }, { line: 2, character: 4 });
  // That cursor is not sent back to the preview; the next one is.
  editor.select(editor.cursor(2, 4), undefined);
  await sleep(300);
  assert.deepEqual(await editor.calls('terrane.show'), []);
  editor.select(editor.cursor(1, 4));
  await until('the next cursor', () => true);
  await sleep(300);
  assert.deepEqual(await editor.calls('terrane.show'), [[editor.uri, { line: 1, character: 4 }]]);
});

check('the cursor is followed at most five times a second, to its last place', async (editor) => {
  editor.select(editor.cursor(0, 1));
  await editor.run('terrane.openPreview');
  const start = Date.now();
  for (let column = 0; Date.now() - start < 1000; column += 1) {
    editor.select(editor.cursor(1, column));
    await sleep(10);
  }
  editor.select(editor.cursor(2, 3));
  await sleep(500);
  const shown = await editor.calls('terrane.show');
  assert.ok(shown.length >= 4 && shown.length <= 8, `${shown.length} in 1.5 seconds`);
  assert.deepEqual(shown.at(-1), [editor.uri, { line: 2, character: 3 }]);
  // The same place again, a hidden preview, another setting: nothing is sent.
  editor.select(editor.cursor(2, 3));
  editor.recorded.panels[0].visible = false;
  editor.select(editor.cursor(0, 0));
  editor.recorded.panels[0].visible = true;
  editor.configure('terrane.preview.followCursor', false);
  editor.select(editor.cursor(0, 2));
  await sleep(300);
  assert.equal((await editor.calls('terrane.show')).length, shown.length);
});

check('a place without a node is said only if the user asks for it', async (editor) => {
  await editor.run('terrane.openPreview');
  editor.select(editor.cursor(2, 77));
  await until('a line of the log', () =>
    editor.recorded.log.some(([line]) => line === 'there is no node here'),
  );
  assert.deepEqual(editor.recorded.errors, []);
  await editor.run('terrane.showInPreview');
  assert.deepEqual(editor.recorded.errors, [['Terrane: there is no node here']]);
});

check('Show in Preview opens the preview if it is not there', async (editor) => {
  await editor.run('terrane.showInPreview');
  assert.equal(editor.recorded.panels.length, 1);
  assert.deepEqual(await editor.calls('terrane.show'), [[editor.uri, { line: 2, character: 9 }]]);
});

check('a graph is saved before it runs', async (editor) => {
  let saved = 0;
  Object.assign(editor.graph, {
    isDirty: true,
    save: async () => {
      saved += 1;
      return true;
    },
  });
  await editor.run('terrane.runGraph');
  assert.deepEqual([saved, await editor.calls('terrane.run')], [1, [[editor.uri]]]);
  editor.graph.save = async () => false;
  await editor.run('terrane.acceptSnapshots');
  assert.match(editor.recorded.errors[0][0], /could not be saved: save it, then try again/);
  assert.deepEqual(await editor.calls('terrane.accept'), []);
});

check(
  'a program without these commands is named as too old',
  async (editor) => {
    await editor.run('terrane.openPreview');
    assert.match(
      editor.recorded.errors[0][0],
      /does not know `terrane.preview`: it is older than this extension, update it/,
    );
    assert.deepEqual(editor.recorded.panels, []);
  },
  { files: { old: '' } },
);

const forwarded = (to) => async (uri) => {
  const url = new URL(uri.url);
  url.port = to;
  return new uri.constructor(url);
};

check(
  'a port that is forwarded to another one is refused, and why is said',
  async (editor) => {
    await editor.run('terrane.openPreview');
    assert.match(editor.recorded.errors[0][0], /free port 7411 on this machine/);
    assert.deepEqual(editor.recorded.panels, []);
  },
  { asExternalUri: forwarded('50123') },
);

check(
  'VS Code in a browser says that it cannot show the preview',
  async (editor) => {
    await editor.run('terrane.openPreview');
    assert.match(editor.recorded.errors[0][0], /use VS Code on the desktop/);
  },
  { uiKind: 2 },
);
