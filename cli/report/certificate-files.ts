import { join } from 'node:path';
import {
  type Certificate,
  type CertificateParts,
  describeLevel,
  findExcess,
  isApplicable,
  levelSentences,
  listShortfalls,
  parseSigningKey,
  renderBadge,
  renderCertificatePage,
  settleLevel,
} from '../../certificate/index.ts';
import { makeFolder } from '../../mock/state/folder.ts';
import { isNotTested, type Report, type RunOptions } from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import { hasCode } from '../../contract/error/petstore-error.ts';
import { certificateLimits } from '../../contract/limits/index.ts';
import { type VisibleText, joinShown, show, showLine } from '../../page/view/visible.ts';
import { listNotTested } from '../../report/index.ts';
import { flagName, type FlagTable, type FlagValues } from '../options/flags.ts';
import { readVersion } from '../package/package-root.ts';
import { argumentError } from '../io/command-failure.ts';
import { readInput, writeWhole } from '../io/file.ts';

export const certifyFlags = {
  certify: {
    help: 'Write certificate.json, certificate.html and badge.svg into the --report folder, or into the current folder. Also exceeds the rate limit, unless --read-only is given. The exit code is 0 only if the certificate says "conforms".',
  },
  targetName: {
    group: 'Certificate',
    value: '<name>',
    read: parseName,
    help: 'Name of the server or client on the certificate. Required with --certify.',
  },
  targetVersion: {
    group: 'Certificate',
    value: '<version>',
    read: parseName,
    help: 'Version of the server or client on the certificate. Required with --certify.',
  },
  sign: {
    group: 'Certificate',
    value: '<file>',
    help: 'Sign the certificate with this private key (the keygen command makes one). Default: not signed.',
  },
} satisfies FlagTable;

function parseName(text: string, flag: string): string {
  const name = text.trim();
  const most = certificateLimits.targetName;
  if (name.length <= most) return name;
  throw argumentError(`${flag} has ${name.length} characters, and must have at most ${most}.`);
}

/** The parts of a certificate that do not come from the run. */
export type CertificateInputs = Omit<CertificateParts, 'settings'>;

/**
 * Reads the inputs of a certificate before the run, so that a bad key fails early. Undefined
 * without `--certify`: a configuration file may set the names for later. `typed`: flags on the
 * command line. Throws `PetstoreError`, or the system's error.
 */
export async function readCertificateInputs(
  { certify, targetName, targetVersion, sign }: FlagValues<typeof certifyFlags>,
  typed: ReadonlySet<string>,
): Promise<CertificateInputs | undefined> {
  if (!certify) {
    const stray = ['targetName', 'targetVersion', 'sign'].find((name) => typed.has(name));
    if (stray !== undefined) throw argumentError(`--${flagName(stray)} needs --certify.`);
    return undefined;
  }
  if (!targetName) throw argumentError('--certify needs --target-name.');
  if (!targetVersion) throw argumentError('--certify needs --target-version.');
  const keys = sign === undefined ? [] : [await readKey(sign, parseSigningKey)];
  const target = { name: targetName, version: targetVersion };
  return { target, version: await readVersion(), keys };
}

/** Reads a key file with `parse`. Rejects with `PetstoreError`, or the system's error. */
export async function readKey<Key>(file: string, parse: (pem: string) => Key): Promise<Key> {
  const pem = await readInput(file, certificateLimits.keyFileBytes);
  try {
    return parse(pem);
  } catch (error) {
    if (hasCode(error, 'key')) throw argumentError(`${file} ${error.message}.`, error);
    throw error;
  }
}

/**
 * Rejects a run whose log would be too long to verify, before it starts. Throws `PetstoreError`.
 */
export function refuseLongRun({ requests = 0, fuzz = 0, shard }: RunOptions): void {
  const most = certificateLimits.logEntries;
  const planned = requests + Math.ceil(fuzz / (shard?.count ?? 1));
  if (planned > most)
    throw argumentError(
      `The log of a certificate is limited to ${most.toLocaleString('en')} requests, and this run has ${planned.toLocaleString('en')}. Split it with --shard, or send fewer requests.`,
    );
}

const writers: Readonly<Record<string, (certificate: Certificate, contract: Contract) => string>> =
  {
    'certificate.json': ({ text }) => text,
    'certificate.html': renderCertificatePage,
    'badge.svg': renderBadge,
  };

export const certificateFileNames: readonly string[] = Object.keys(writers);

/**
 * Writes the files of a certificate into a folder, which is created if it is missing. Replaces
 * existing files. Throws `PetstoreError` if the certificate is too large to verify, or the system's
 * error.
 */
export async function writeCertificate(
  certificate: Certificate,
  contract: Contract,
  folder: string,
): Promise<void> {
  const excess = findExcess(certificate.text, certificate.facts.version);
  if (excess !== undefined)
    throw argumentError(
      `No certificate was written. ${excess} Send fewer requests, or use shards.`,
    );
  await makeFolder(folder);
  for (const [name, render] of Object.entries(writers))
    await writeWhole(join(folder, name), render(certificate, contract));
}

const maxShortfalls = 8;

/** The level of a certificate, what prevents a better one, and which rules do not apply. */
export function listLevel(report: Report): readonly string[] {
  const shortfalls = listShortfalls(report);
  const more = shortfalls.length - maxShortfalls;
  const verdicts = report.verdicts.filter((each) => isNotTested(each) && !isApplicable(each));
  return [
    `${describeLevel(report)}. ${levelSentences[settleLevel(report)]}`,
    ...shortfalls.slice(0, maxShortfalls).map((each) => `- ${each}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
    ...listNotTested({ verdicts }).map(({ reason, ids }) => `- ${ids.join(', ')}: ${reason}`),
  ];
}

/** What was certified, and where the files are. */
export function renderCertificateSummary(
  { report, facts, keyids }: Certificate,
  folder: string,
): VisibleText {
  const [level = '', ...reasons] = listLevel(report);
  const signature =
    keyids.length === 0 ? 'UNSIGNED (--sign signs)' : `signed by the key ${keyids.join(' and ')}`;
  const lines = [
    `Certificate: ${level}`,
    ...reasons.map((each) => `  ${each}`),
    `  ${join(folder, 'certificate.json')}, certificate.html and badge.svg: ${signature}`,
    `  SHA-256 of the log: ${facts.log}`,
  ];
  return show`\n${joinShown(lines.map(showLine), '\n')}\n`;
}
