import { join } from 'node:path';
import {
  type Certificate,
  type CertificateParts,
  describeLevel,
  findExcess,
  isApplicable,
  levelSentences,
  listShortfalls,
  renderBadge,
  renderCertificatePage,
  settleLevel,
} from '../../certificate/index.ts';
import { isNotTested, type RunOptions } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { certificateLimits } from '../../contract/limits/index.ts';
import { listNotTested } from '../../report/index.ts';
import { type VisibleText, joinShown, show, showLine } from '../../page/view/visible.ts';
import { readVersion } from '../package/package-root.ts';
import { argumentError } from './command-failure.ts';
import { makeFolder } from '../../mock/state/folder.ts';
import { writeWhole } from './file.ts';
import { readSigningKey } from './key-file.ts';

/** What a certificate says that is not part of the run. */
export interface CertifyArguments {
  readonly targetName: string;
  readonly targetVersion: string;
  /** File of the private key; undefined for an unsigned certificate. */
  readonly sign: string | undefined;
}

/** A run whose log no verifier would read must not be run first. Throws `PetstoreError`. */
export function refuseLongRun({ requests = 0, fuzz = 0, shard }: RunOptions): void {
  const most = certificateLimits.logEntries;
  const planned = requests + Math.ceil(fuzz / (shard?.count ?? 1));
  if (planned > most)
    throw argumentError(
      `A certificate has a log of at most ${most.toLocaleString('en')} requests, and this run has ${planned.toLocaleString('en')}: split it with --shard, or certify a shorter one.`,
    );
}

/** What a certificate has besides the run. */
export type Makings = Omit<CertificateParts, 'settings'>;

/**
 * Reads what a certificate is made with, before the run: a key that cannot be read must not cost
 * one. Throws `PetstoreError`, or the system's error.
 */
export async function readMakings({
  targetName: name,
  targetVersion,
  sign,
}: CertifyArguments): Promise<Makings> {
  const keys = sign === undefined ? [] : [await readSigningKey(sign)];
  return { target: { name, version: targetVersion }, version: await readVersion(), keys };
}

/** What `writeCertificate` writes: the proof, its page, its badge. */
export const certificateFileNames = ['certificate.json', 'certificate.html', 'badge.svg'] as const;

/**
 * Writes the files of a certificate into a folder, which is made where it is missing; files of
 * these names are replaced. Throws `PetstoreError` for one that nobody would read, or the system's
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
  const texts = {
    'certificate.json': certificate.text,
    'certificate.html': renderCertificatePage(certificate, contract),
    'badge.svg': renderBadge(certificate),
  };
  for (const name of certificateFileNames) await writeWhole(join(folder, name), texts[name]);
}

const most = 5;

export function renderIssue({ report, facts, keyids }: Certificate, folder: string): VisibleText {
  const shortfalls = listShortfalls(report);
  const verdicts = report.verdicts.filter((each) => isNotTested(each) && !isApplicable(each));
  const lines = [
    showLine(`Certificate: ${describeLevel(report)}. ${levelSentences[settleLevel(report)]}`),
    ...shortfalls.slice(0, most).map((each) => show`  - ${showLine(each)}`),
    ...(shortfalls.length > most ? [show`  - and ${shortfalls.length - most} more`] : []),
    ...listNotTested({ verdicts }).map(({ reason, ids }) =>
      showLine(`  - ${ids.join(', ')}: ${reason}`),
    ),
    showLine(
      `  ${join(folder, 'certificate.json')}, certificate.html and badge.svg: ${keyids.length === 0 ? 'UNSIGNED (--sign signs)' : `signed by the key ${keyids.join(' and ')}`}`,
    ),
    showLine(`  SHA-256 of the log: ${facts.log}`),
  ];
  return show`\n${joinShown(lines, '\n')}\n`;
}
