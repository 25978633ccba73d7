// What needs neither VS Code nor a server.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { source } from './support/source.mjs';

const { isGraph, mayBeGraph } = await source('recognise.ts');
const { findProgram } = await source('program.ts');
const { previewAddress } = await source('preview/address.ts');
const { askingAgain } = await source('suggest.ts');
const { throttle } = await source('throttle.ts');
const manifest = (await import('../package.json', { with: { type: 'json' } })).default;

test('a graph begins with its word, after blanks and comments', () => {
  for (const text of [
    'Graph(',
    'World (',
    '\uFEFF// a\n/* b /* c */ */ World\n(',
    '# a\nGraph(size: 1)',
    '/* ( */ // {\r\n\tGraph /* x */ (',
  ])
    assert.ok(isGraph(text), text);
  for (const text of [
    '',
    '(',
    'Graph',
    'Graphs(',
    'Graph2(',
    'graph(',
    'Graph: (',
    '// Graph(',
    '/* Graph(',
    '/* /* */ Graph(',
    '"Graph"(',
    'x Graph(',
    'Worldly (',
  ])
    assert.ok(!isGraph(text), text);
  assert.deepEqual(['/a/b.ron', '/a/b.RON', '/a/ron', '/a/b.ron.txt'].map(mayBeGraph), [
    true,
    true,
    false,
    false,
  ]);
});

test('the first line alone is enough for VS Code, where no other language has the file', () => {
  const line = new RegExp(manifest.contributes.languages[0].firstLine);
  for (const text of ['Graph(', '\uFEFFWorld(', '/* a */ Graph (']) assert.match(text, line);
  for (const text of ['// Graph(', 'Graph of a function', 'World', 'A Graph(', '/* Graph('])
    assert.doesNotMatch(text, line);
});

test('the program is looked for in absolute folders of PATH alone', () => {
  const files = new Set([
    '/usr/bin/terrane',
    '/home/u/bin/terrane',
    'terrane',
    './terrane',
    '/opt/terrane',
    'bin/terrane',
  ]);
  const unix = {
    platform: 'linux',
    path: ':.:bin:/usr/bin',
    home: '/home/u',
    isProgram: (file) => files.has(file),
  };
  assert.deepEqual(findProgram('terrane', unix), { program: '/usr/bin/terrane' });
  assert.deepEqual(findProgram('  ', unix), { program: '/usr/bin/terrane' });
  assert.deepEqual(findProgram('~/bin/terrane', unix), { program: '/home/u/bin/terrane' });
  assert.deepEqual(findProgram('/opt/terrane', unix), { program: '/opt/terrane' });
  assert.match(findProgram('./terrane', unix).problem, /relative path: write an absolute one/);
  assert.match(findProgram('bin/terrane', unix).problem, /relative path/);
  assert.match(findProgram('/no/terrane', unix).problem, /names \/no\/terrane.*correct the setting/);
  assert.match(
    findProgram('terrane', { ...unix, path: ':.:bin' }).problem,
    /none of the 0 folders of PATH: install it/,
  );
  const exe = 'C:\\tools\\terrane.exe';
  const windows = {
    platform: 'win32',
    path: '.;C:\\tools',
    home: 'C:\\u',
    isProgram: (file) => file === exe,
  };
  assert.deepEqual(findProgram('terrane', windows), { program: exe });
  assert.deepEqual(findProgram('C:\\tools\\terrane', windows), { program: exe });
  assert.match(findProgram('.\\terrane', windows).problem, /relative path/);
});

test('only addresses of previews on this machine reach the panel', () => {
  const token = '0123456789abcdef0123';
  assert.deepEqual(previewAddress(`http://127.0.0.1:7411/${token}/`), {
    page: `http://127.0.0.1:7411/${token}/`,
    origin: 'http://127.0.0.1:7411',
    port: 7411,
  });
  assert.equal(previewAddress(`http://localhost:1/${token}/#hills`).origin, 'http://localhost:1');
  for (const other of [
    '',
    'file:///a',
    `https://127.0.0.1:1/${token}/`,
    `http://127.0.0.1.example.org:1/${token}/`,
    `http://10.0.0.1:1/${token}/`,
    `http://127.0.0.1/${token}/`,
    'http://127.0.0.1:1/',
    'http://127.0.0.1:1/short/',
    `http://u:p@127.0.0.1:1/${token}/`,
    `http://127.0.0.1:1/${token};x"/`,
    'command:workbench.action.reload',
  ])
    assert.equal(previewAddress(other), undefined, other);
});

test('the throttle passes the first value at once, and the last one in the end', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const passed = [];
  const pass = throttle(200, (value) => passed.push(value));
  [1, 2, 3].forEach(pass);
  assert.deepEqual(passed, [1]);
  mock.timers.tick(199);
  pass(4);
  assert.deepEqual(passed, [1]);
  mock.timers.tick(1);
  assert.deepEqual(passed, [1, 4]);
  mock.timers.tick(200);
  assert.deepEqual(passed, [1, 4]);
  pass(5);
  assert.deepEqual(passed, [1, 4, 5]);
  mock.timers.reset();
});

test('wires are proposed while one types between quotes, and where a snippet leaves the cursor', () => {
  const { '[terrane]': defaults } = manifest.contributes.configurationDefaults;
  assert.equal(defaults['editor.quickSuggestions'].strings, 'on');
  const snippet = { insertText: { value: 'Blur(height: "$0")' } };
  const again = { command: 'editor.action.triggerSuggest', title: 'Suggest', arguments: [{ auto: true }] };
  assert.deepEqual(askingAgain([snippet, { insertText: 'hills' }, {}]), [
    { ...snippet, command: again },
    { insertText: 'hills' },
    {},
  ]);
  assert.deepEqual(askingAgain({ items: [{ ...snippet }] }).items[0].command, again);
  assert.equal(askingAgain(undefined), undefined);
});
