import { type CommandLine, type FlagTable, type FlagValues, flagName } from './flags.ts';
import { certificateLimits } from '../../limits/index.ts';
import { argumentError } from './command-failure.ts';

/** What a certificate is to say that the run does not tell. */
export interface CertifyArguments {
  readonly targetName: string;
  readonly targetVersion: string;
  /** File of the private key; undefined for an unsigned certificate. */
  readonly sign: string | undefined;
}

export const certifyFlags = {
  certify: {
    help: 'Writes certificate.json, certificate.html and badge.svg into the folder of --report, else into this one. Exit code 0 then means that the certificate says "conforms".',
  },
  targetName: { value: '<name>', read: parseName },
  targetVersion: {
    value: '<version>',
    read: parseName,
    help: 'What the certificate calls the target or client. Needed for --certify.',
  },
  sign: {
    value: '<file>',
    help: 'Private key to sign the certificate with (petstore keygen). Default: it is unsigned.',
  },
} satisfies FlagTable;

/**
 * Reads the flags of certificates; undefined where none is wanted: a configuration file may give
 * the names for when one is. Throws `PetstoreError`.
 */
export function readCertifyArguments(
  { certify, targetName, targetVersion, sign }: FlagValues<typeof certifyFlags>,
  typed: CommandLine<typeof certifyFlags>['typed'],
): CertifyArguments | undefined {
  const names = [
    ['--target-name', targetName],
    ['--target-version', targetVersion],
  ] as const;
  const stray = ['targetName', 'targetVersion', 'sign'].find((name) => typed.has(name));
  if (!certify && stray) throw argumentError(`--${flagName(stray)} needs --certify.`);
  if (!certify) return undefined;
  const missing = names.find(([, value]) => (value ?? '') === '');
  if (missing)
    throw argumentError(`--certify needs ${missing[0]}: what the certificate calls the target.`);
  return { targetName: targetName ?? '', targetVersion: targetVersion ?? '', sign };
}

function parseName(text: string, flag: string): string {
  const name = text.trim();
  const { most } = certificateLimits.targetName;
  if (name.length <= most) return name;
  throw argumentError(`${flag} has ${name.length} characters, and must have at most ${most}.`);
}
