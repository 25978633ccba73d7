// Bundles the extension into one file, with the licences of what is bundled, and copies those of Terrane.

import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
process.chdir(here);
await rm('dist', { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode'],
  minify: true,
  keepNames: true,
  legalComments: 'none',
  metafile: true,
});

/** Licences that a bundled package may have. */
const LICENCES = new Set(['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD']);

const packages = new Set();
for (const input of Object.keys(metafile.inputs)) {
  const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
  if (found) packages.add(found[1]);
}
const notices = [];
for (const folder of [...packages].sort()) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  if (!LICENCES.has(license))
    throw new Error(`${name} ${version} has the licence ${license}: do not bundle it`);
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
  if (!file) throw new Error(`${name} ${version} has no licence file in ${folder}: do not bundle it`);
  notices.push(`${name} ${version} (${license})\n\n${(await readFile(join(folder, file), 'utf8')).trim()}\n`);
}
await writeFile('dist/NOTICES.txt', `The extension contains these packages.\n\n${notices.join('\n---\n\n')}`);
for (const name of ['LICENSE-MIT', 'LICENSE-APACHE']) await copyFile(join('../..', name), name);
