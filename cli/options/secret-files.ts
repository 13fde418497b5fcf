import { PetstoreError } from '../../contract/index.ts';
import { inputLimits } from '../../contract/limits/index.ts';
import { readInput } from '../io/file.ts';
import { type Flag, type FlagTable, type GivenFlag, type GivenFlags, kindOf } from './flags.ts';

/** The flag that names a file with a secret: `apiKeyFile` of `apiKey`. */
const fileOf = (name: string): string => `${name}File`;

/**
 * The flags of a command, with one more for each secret, which takes it from a file: arguments are
 * shown to everyone who may list the processes of a machine. Secrets that share their help share it
 * there too.
 */
export function addSecretFiles(rows: FlagTable): FlagTable {
  const all: [string, Flag][] = [];
  let waiting: string[] = [];
  for (const [name, row] of Object.entries(rows)) {
    all.push([name, row]);
    if (kindOf(row) === 'secret') waiting.push(name);
    if (row.help === undefined) continue;
    const last = waiting.at(-1);
    for (const secret of waiting) {
      const { variable } = rows[secret] ?? {};
      const file: Flag = {
        group: row.group ?? 'Configuration',
        value: '<file>',
        ...(variable === undefined ? {} : { variable: `${variable}_FILE` }),
        ...(secret === last ? { help: explainFile(variable) } : {}),
      };
      all.push([fileOf(secret), file]);
    }
    waiting = [];
  }
  return Object.fromEntries(all);
}

function explainFile(variable: string | undefined): string {
  const usual = variable === undefined ? '' : ` Default: ${variable}_FILE.`;
  return `Read it from a file of one line, so that it is not visible in the process list; - is standard input.${usual}`;
}

/** The flags that give what this one does: a secret and the file of it, else itself alone. */
export function formsOf(rows: FlagTable, name: string): readonly string[] {
  const secret = name.replace(/File$/, '');
  return kindOf(rows[secret] ?? {}) === 'secret' ? [secret, fileOf(secret)] : [name];
}

/**
 * Puts the secrets of files in the place of their flags. Rejects with `PetstoreError`, also where a
 * secret is given in both forms, or with the system's error.
 */
export async function readSecretFiles(rows: FlagTable, given: GivenFlags): Promise<GivenFlags> {
  const all = new Map(given);
  for (const name of Object.keys(rows)) {
    const file = given.get(fileOf(name));
    if (file === undefined || kindOf(rows[name] ?? {}) !== 'secret') continue;
    const text = given.get(name);
    if (text !== undefined)
      throw new PetstoreError(
        'argument',
        `${text.name} and ${file.name} both give the same secret. Use one of them.`,
      );
    all.set(name, await readSecret(file));
  }
  return all;
}

async function readSecret({ texts, name }: GivenFlag): Promise<GivenFlag> {
  const path = texts.at(-1) ?? '';
  const text = await readInput(path === '-' ? '/dev/stdin' : path, inputLimits.settingBytes);
  // Some editors begin a file with a byte order mark.
  const secret = text.replace(/^\uFEFF/, '').replace(/\r?\n$/, '');
  if (secret === '') throw new PetstoreError('argument', `${name}: ${path} is empty.`);
  if (/[\r\n]/.test(secret))
    throw new PetstoreError('argument', `${name}: ${path} must have one line only.`);
  if (/[\p{Cc}\uFFFD]/u.test(secret))
    throw new PetstoreError(
      'argument',
      `${name}: ${path} contains control characters or is not UTF-8, so it cannot be sent in a header.`,
    );
  return { texts: [secret], name };
}
