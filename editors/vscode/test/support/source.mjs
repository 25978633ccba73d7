// Modules of the source, for tests of what does not need VS Code.

import { join } from 'node:path';
import { build } from 'esbuild';
import { home } from './home.mjs';

/** Loads a module of `src`. */
export async function source(name) {
  const { outputFiles } = await build({
    entryPoints: [join(home, 'src', name)],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}
