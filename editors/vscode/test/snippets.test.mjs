// Each snippet, expanded with its defaults, passes `terrane check`.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { home, root, terrane } from './support/home.mjs';

const snippets = JSON.parse(await readFile(join(home, 'snippets/terrane.json'), 'utf8'));

/** The texts of a snippet: one with its defaults, and one for each further choice. */
function expanded(body) {
  const text = [body].flat().join('\n');
  const fill = (chosen) => {
    const values = new Map();
    const part = /\$(\d+)|\$\{(\d+)(?::([^{}]*)|\|([^|]*)\|)?\}/g;
    return text.replace(part, (_, plain, number, value, choices) => {
      const key = plain ?? number;
      const given = choices === undefined ? value : choices.split(',')[chosen % choices.split(',').length];
      if (given !== undefined) values.set(key, given);
      return values.get(key) ?? '';
    });
  };
  const choices = [...text.matchAll(/\|([^|]*)\|/g)].map((found) => found[1].split(',').length);
  return Array.from({ length: Math.max(1, ...choices) }, (_, chosen) => fill(chosen));
}

/** A graph around a snippet of a node, with the nodes and files that the defaults name. */
function around(name, text) {
  const others = {
    hills: 'OpenSimplex(wavelength: 900.0)',
    ridges: 'Perlin(wavelength: 900.0)',
    mask: 'Select(height: "hills", range: (0.0, 1.0))',
  };
  const made = new Set([...text.matchAll(/^"([^"]+)": [A-Z]/gm)].map((found) => found[1]));
  const nodes = Object.entries(others)
    .filter(([other]) => !made.has(other))
    .map(([other, node]) => `"${other}": ${node},`);
  const section = { Parameters: 'header', Profiles: 'header', Export: 'outputs' }[name] ?? 'nodes';
  const put = (where) => (where === section ? text : '');
  // Profiles set parameters, which the graph must have.
  const params = name === 'Profiles' ? 'params: { "relief": 300.0 },' : '';
  const output = [...made][0] ?? 'hills';
  const file = /ColorRelief|Render/.test(text) ? 'x.png' : /Statistics/.test(text) ? 'x.json' : 'x.tif';
  const last = /ColorRelief/.test(text) ? [...made].at(-1) : output;
  return `Graph(
    size: (129, 129),
    ${params}
    ${put('header')}
    nodes: { ${nodes.join(' ')} ${put('nodes')} },
    outputs: { ${section === 'outputs' ? text : `"${file}": "${section === 'nodes' ? last : 'hills'}"`} },
)`;
}

let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'terrane-snippets-'));
  await writeFile(
    join(folder, 'storm.ron'),
    `Graph(
    size: (129, 129),
    nodes: { "ground": Perlin(), "slid": ThermalErosion(height: "ground") },
    outputs: { "slid.tif": "slid" },
)`,
  );
  await writeFile(join(folder, 'patch.ron'), 'Graph(nodes: { "a": Perlin() }, outputs: { "a.tif": "a" })');
  await copyFile(join(root, 'graphs/data/maungawhau_2m.tif'), join(folder, 'ground.tif'));
});
after(() => rm(folder, { recursive: true, force: true }));

for (const [name, { body, description, prefix }] of Object.entries(snippets)) {
  test(`snippet ${name}`, { timeout: 60_000 }, async () => {
    assert.ok(description && prefix);
    for (const text of expanded(body)) {
      assert.doesNotMatch(text, /\$\{|\$\d/, 'every place is filled');
      const whole = /^(?:\/\/.*\n)?(?:Graph|World)\(/.test(text) ? text : around(name, text);
      const file = join(folder, `${name}.ron`);
      await writeFile(file, whole);
      await promisify(execFile)(terrane, ['check', file], { cwd: folder }).catch((error) => {
        assert.fail(`${whole}\n${error.stderr}${error.stdout}`);
      });
    }
  });
}
