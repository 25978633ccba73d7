// What the package contains, and what it declares.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { archived } from './support/archive.mjs';
import { home, root } from './support/home.mjs';

const manifest = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'));

test('the archive has these files and no others', async () => {
  assert.deepEqual(Object.keys(await archived()).sort(), [
    '[Content_Types].xml',
    'extension.vsixmanifest',
    'extension/LICENSE-APACHE',
    'extension/LICENSE-MIT',
    'extension/dist/NOTICES.txt',
    'extension/dist/extension.js',
    'extension/language-configuration.json',
    'extension/package.json',
    'extension/readme.md',
    'extension/snippets/terrane.json',
    'extension/syntaxes/terrane.tmLanguage.json',
  ]);
});

test('the bundle needs only VS Code and Node, and names every package in it', async () => {
  const files = await archived();
  const text = (name) => Buffer.from(files[name]).toString();
  const bundle = text('extension/dist/extension.js');
  const needed = new Set(
    [...bundle.matchAll(/\brequire\("([^"]+)"\)/g)].map((found) => found[1].replace(/^node:/, '')),
  );
  const builtin = new Set((await import('node:module')).builtinModules);
  assert.deepEqual(
    [...needed].filter((name) => !builtin.has(name)),
    ['vscode'],
  );
  assert.ok(!bundle.includes('sourceMappingURL'));
  const notices = text('extension/dist/NOTICES.txt');
  for (const name of ['vscode-languageclient', 'vscode-jsonrpc', 'semver', 'minimatch'])
    assert.ok(notices.includes(`${name} `), name);
  for (const name of ['LICENSE-MIT', 'LICENSE-APACHE']) {
    assert.equal(text(`extension/${name}`), await readFile(join(root, name), 'utf8'), name);
  }
});

test('a folder that is not trusted cannot choose the program', () => {
  const { configuration } = manifest.contributes;
  assert.equal(configuration.properties['terrane.path'].scope, 'machine-overridable');
  assert.deepEqual(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations, ['terrane.path']);
  assert.equal(manifest.capabilities.untrustedWorkspaces.supported, 'limited');
});

test('every command of a menu is declared, and no command has the name of one of the server', () => {
  const declared = manifest.contributes.commands.map((command) => command.command);
  for (const { command } of Object.values(manifest.contributes.menus).flat())
    assert.ok(declared.includes(command), command);
  const ofServer = ['terrane.preview', 'terrane.run', 'terrane.accept', 'terrane.show'];
  assert.deepEqual(
    declared.filter((name) => ofServer.includes(name)),
    [],
    'the client registers those itself',
  );
});

test('the types of VS Code are those of the oldest version that is supported', () => {
  assert.equal(manifest.engines.vscode, `^${manifest.devDependencies['@types/vscode']}`);
});

test('the patterns of the language configuration are valid, and indent as graphs are written', async () => {
  const configuration = JSON.parse(await readFile(join(home, 'language-configuration.json'), 'utf8'));
  const { increaseIndentPattern, decreaseIndentPattern } = configuration.indentationRules;
  const [more, less] = [new RegExp(increaseIndentPattern), new RegExp(decreaseIndentPattern)];
  for (const line of ['Graph(', '    nodes: {', '        "a": B( // why', '    layers: ['])
    assert.match(line, more);
  for (const line of ['    size: (1, 2),', '// a (', '    "a": B(height: "b"),', ')'])
    assert.doesNotMatch(line, more);
  for (const line of [')', '    },', '  ],']) assert.match(line, less);
  const word = new RegExp(configuration.wordPattern.pattern, `g${configuration.wordPattern.flags}`);
  assert.deepEqual('a_1: -1.5e3, "$größe"'.match(word), ['a_1', '-1.5e3', 'größe']);
});
