// The grammar: scopes of graphs as snapshots, and no mistake in any graph of the repository.
// UPDATE=1 writes the snapshots.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { drawn, grammar, isClosed, tokens } from './support/grammar.mjs';
import { graphs, home, root } from './support/home.mjs';

let loaded;
before(async () => {
  loaded = await grammar();
});

const scopes = (text, part) => {
  const found = tokens(loaded, text).find((token) => token.text === part);
  assert.ok(found, `${part} is a token of ${text}`);
  return found.scopes.join(' ');
};

for (const name of ['quickstart', 'world/hills', 'lim/stages']) {
  test(`scopes of graphs/${name}.ron`, async () => {
    const text = await readFile(join(root, 'graphs', `${name}.ron`), 'utf8');
    const now = drawn(tokens(loaded, text));
    const file = join(home, 'test/scopes', `${name.replace('/', '-')}.txt`);
    if (process.env.UPDATE) await writeFile(file, now);
    assert.equal(now, await readFile(file, 'utf8'));
  });
}

test('every graph of the repository has no invalid token, and ends outside brackets', async () => {
  const files = await graphs();
  assert.ok(files.length > 60, `${files.length} graphs`);
  for (const file of files) {
    const text = await readFile(join(root, file), 'utf8');
    const wrong = tokens(loaded, text).filter(({ scopes }) =>
      scopes.some((scope) => scope.startsWith('invalid')),
    );
    assert.deepEqual(wrong, [], file);
    assert.ok(isClosed(loaded, text), file);
  }
});

test('every node type, field and name of a graph is coloured as such', async () => {
  const text = await readFile(join(root, 'graphs/lakes.ron'), 'utf8');
  const of = (scope) =>
    tokens(loaded, text)
      .filter(({ scopes }) => scopes.includes(scope))
      .map((token) => token.text);
  const nodes = [...text.matchAll(/^ {8}"(\w+)": (\w+)\(/gm)];
  assert.ok(nodes.length > 10);
  assert.deepEqual(
    of('entity.name.function.node.terrane'),
    nodes.map((node) => node[1]),
  );
  assert.deepEqual(
    of('entity.name.type.node.terrane'),
    nodes.map((node) => node[2]),
  );
  for (const field of ['size', 'spacing', 'seed', 'height', 'gradient_strength', 'pixels']) {
    assert.ok(of('variable.other.property.terrane').includes(field), field);
  }
});

test('comments nest, and hide brackets and quotes', () => {
  const text = '/* a /* "( */ still */ Graph(size: (1, 2), // }"\n)';
  assert.match(scopes(text, ' still '), /comment\.block/);
  assert.match(scopes(text, 'Graph'), /^keyword\.control/);
  assert.ok(isClosed(loaded, text));
});

test('strings: raw ones, escapes and parameters', () => {
  const raw = '(a: r##"raw "# \\q $x"##, b: 1)';
  assert.match(scopes(raw, 'raw "# \\q $x'), /^meta\.fields\.terrane string\.quoted\.other\.raw\.terrane$/);
  assert.match(scopes(raw, 'b'), /property/);
  const named = '(a: "$relief * 0.4", b: "$$5", c: "\\u{e9}\\q")';
  assert.match(scopes(named, 'relief'), /variable\.parameter/);
  assert.match(scopes(named, '$$'), /constant\.character\.escape/);
  assert.match(scopes(named, '\\u{e9}'), /constant\.character\.escape/);
  assert.match(scopes(named, '\\q'), /invalid\.illegal\.escape/);
});

test('numbers in all forms', () => {
  for (const number of ['0', '-1.5e-3', '+2', '.5', '1_000.25', '0xFF', '-inf', 'NaN', '1.']) {
    assert.match(scopes(`(a: ${number}, b: x)`, number), /constant\.numeric/, number);
  }
  assert.match(scopes('(a: Ridged, b: true)', 'Ridged'), /enummember/);
  assert.match(scopes('(a: Ridged, b: true)', 'true'), /constant\.language/);
});

test('brackets that close nothing are marked', () => {
  const text = 'Graph(size: (1, 2]), nodes: { "a": B() ) }';
  const wrong = tokens(loaded, text).filter((token) =>
    token.scopes.some((scope) => scope.startsWith('invalid')),
  );
  assert.deepEqual(
    wrong.map((token) => token.text),
    [']', ')'],
  );
  assert.ok(!isClosed(loaded, text), 'the first bracket is still open');
});
