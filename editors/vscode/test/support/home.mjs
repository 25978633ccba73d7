// Where things are.

import { readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the extension. */
export const home = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** The root of the repository. */
export const root = join(home, '../..');

/** The program under test: `cargo xtask vscode` names it. */
export const terrane = process.env.TERRANE ?? join(root, 'target/debug/terrane');

/** The graphs and worlds below `graphs/`, as paths from the root. */
export async function graphs() {
  const entries = await readdir(join(root, 'graphs'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.ron'));
  return files.map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name))).sort();
}
