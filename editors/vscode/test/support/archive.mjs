// The packaged extension, unpacked.

import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { home } from './home.mjs';

/** The archive that `npm run package` writes. */
const ARCHIVE = join(home, 'dist/terrane.vsix');

/** The files of the archive: names and bytes. */
export async function archived() {
  const files = unzipSync(await readFile(ARCHIVE));
  return Object.fromEntries(Object.entries(files).filter(([name]) => !name.endsWith('/')));
}

/** Unpacks the archive into a new folder, and returns the folder of the extension. */
export async function unpacked() {
  const folder = await mkdtemp(join(tmpdir(), 'terrane-vsix-'));
  for (const [name, bytes] of Object.entries(await archived())) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), bytes);
  }
  return join(folder, 'extension');
}
