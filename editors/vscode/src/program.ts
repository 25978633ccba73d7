// Finds the program `terrane`.

import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import * as path from 'node:path';

/** What the search depends on. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  /** The variable `PATH`. */
  readonly path: string;
  readonly home: string;
  /** Whether a file exists that may be executed. */
  readonly isProgram: (file: string) => boolean;
}

/** The program's absolute path, or what is wrong and what to do. */
export type Found = { readonly program: string } | { readonly problem: string };

/** The machine on which the extension runs. */
export function machine(): Surroundings {
  return {
    platform: process.platform,
    path: process.env['PATH'] ?? '',
    home: homedir(),
    isProgram: (file) => {
      try {
        accessSync(file, constants.X_OK);
        return statSync(file).isFile();
      } catch {
        return false;
      }
    },
  };
}

/**
 * Finds the program that the setting `terrane.path` names. The result is absolute, and a name is looked for
 * only in the absolute folders of `PATH`: otherwise the open folder, which may come from a stranger, could
 * hold the program.
 */
export function findProgram(setting: string, on: Surroundings): Found {
  const { isAbsolute, join } = on.platform === 'win32' ? path.win32 : path.posix;
  const wanted = setting.trim() === '' ? 'terrane' : setting.trim();
  const whole = /^~[/\\]/.test(wanted) ? join(on.home, wanted.slice(2)) : wanted;
  const endings = on.platform === 'win32' && !/\.exe$/i.test(whole) ? ['.exe', ''] : [''];
  if (isAbsolute(whole)) {
    const program = endings.map((ending) => whole + ending).find(on.isProgram);
    return program === undefined
      ? {
          problem: `the setting \`terrane.path\` names ${whole}, and there is no program: correct the setting`,
        }
      : { program };
  }
  if (/[/\\]/.test(whole)) {
    return {
      problem: `the setting \`terrane.path\` is ${whole}, a relative path: write an absolute one, or a name`,
    };
  }
  const folders = on.path.split(on.platform === 'win32' ? ';' : ':').filter((folder) => isAbsolute(folder));
  const places = folders.flatMap((folder) => endings.map((ending) => join(folder, whole + ending)));
  const program = places.find(on.isProgram);
  return program === undefined
    ? {
        problem:
          `the program \`${whole}\` is in none of the ${folders.length} folders of PATH: install it ` +
          '(`cargo install --path crates/terrane-cli`), or set `terrane.path` to its absolute path',
      }
    : { program };
}
