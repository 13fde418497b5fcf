import { PetstoreError } from '../../contract/index.ts';
import type { ParseArgsOptionsConfig } from 'node:util';

/** What a certificate is to say that the run does not tell. */
export interface CertifyArguments {
  readonly targetName: string;
  readonly targetVersion: string;
  /** File of the private key; undefined for an unsigned certificate. */
  readonly sign: string | undefined;
}

/** The flags of every command that writes certificates. */
export const CERTIFY_OPTIONS = {
  certify: { type: 'boolean', default: false },
  'target-name': { type: 'string' },
  'target-version': { type: 'string' },
  sign: { type: 'string' },
} satisfies ParseArgsOptionsConfig;

interface CertifyValues {
  readonly certify: boolean;
  readonly 'target-name'?: string | undefined;
  readonly 'target-version'?: string | undefined;
  readonly sign?: string | undefined;
}

/** Reads the flags of certificates; undefined where none is wanted. Throws `PetstoreError`. */
export function parseCertifyValues(values: CertifyValues): CertifyArguments | undefined {
  const { certify, 'target-name': targetName, 'target-version': targetVersion, sign } = values;
  const stray = Object.entries({
    '--target-name': targetName,
    '--target-version': targetVersion,
    '--sign': sign,
  }).find(([, value]) => value !== undefined);
  if (!certify && stray) throw new PetstoreError('argument', `${stray[0]} needs --certify.`);
  if (!certify) return undefined;
  return {
    targetName: parseName('--target-name', targetName),
    targetVersion: parseName('--target-version', targetVersion),
    sign,
  };
}

/** Longest name and version of a target, in characters. */
const longestName = 200;

function parseName(flag: string, value: string | undefined): string {
  const text = value?.trim() ?? '';
  if (text === '')
    throw new PetstoreError(
      'argument',
      `--certify needs ${flag}: what the certificate calls the target.`,
    );
  if (text.length > longestName)
    throw new PetstoreError('argument', `${flag} must have at most ${longestName} characters.`);
  return text;
}
