import { PetstoreError } from '../../contract/index.ts';
import { type FlagRow, type FlagRows, kindOf } from './flag-row.ts';
import type { GivenFlag, GivenFlags } from './given-flag.ts';

/** The environment of a process, which every variable may be missing in. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What the environment gives the flags of a command. Throws `PetstoreError`. */
export function readVariables(command: string, rows: FlagRows, env: Environment): GivenFlags {
  const given = new Map<string, GivenFlag>();
  for (const [name, row] of Object.entries(rows)) {
    const found = [variableName(command, name), row.variable].find(
      (variable) => variable !== undefined && isMeant(row, env[variable]),
    );
    if (found !== undefined)
      given.set(name, { texts: readTexts(row, env[found] ?? '', found), name: found });
  }
  return given;
}

/** `PETSTORE_CONFORM_READ_ONLY` of `readOnly` of the command `conform`. */
export function variableName(command: string, name: string): string {
  const words = `petstore_${command}_${name}`.replaceAll(/[A-Z]/g, (letter) => `_${letter}`);
  return words.replaceAll('-', '_').toUpperCase();
}

/**
 * An empty variable counts as none. So does an address in place of a number: Kubernetes gives each
 * pod `PETSTORE_MOCK_PORT=tcp://10.0.0.1:80` where a service is called petstore-mock.
 */
function isMeant(row: FlagRow, text: string | undefined): boolean {
  if (text === undefined || text === '') return false;
  return !(kindOf(row) === 'integer' && text.startsWith('tcp://'));
}

const switches: ReadonlyMap<string, string> = new Map([
  ['1', 'true'],
  ['true', 'true'],
  ['0', 'false'],
  ['false', 'false'],
]);

function readTexts(row: FlagRow, text: string, variable: string): readonly string[] {
  if (row.value !== undefined)
    return row.many ? text.split(',').map((part) => part.trim()) : [text];
  const isOn = switches.get(text.toLowerCase());
  if (isOn !== undefined) return [isOn];
  throw new PetstoreError('argument', `${variable} must be 1 or 0, not "${text}".`);
}
