import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Certificate,
  type SelftestRecord,
  type SigningKey,
  type SubjectKind,
  type Suite,
  findExcess,
  describeLevel,
  findFault,
  groupByReason,
  levelSentences,
  listMissing,
  listShortfalls,
  renderBadge,
  renderCertificatePage,
  summariseVerdicts,
} from '../../certificate/index.ts';
import type { RunOptions } from '../../conformance/index.ts';
import { certificateLimits } from '../../contract/limits/index.ts';
import { type VisibleText, joinShown, show, showLine } from '../../page/view/visible.ts';
import { readSigningKey } from './key-file.ts';
import { readSelftestRecord, readSuite } from '../package/suite.ts';
import { argumentError } from './command-failure.ts';
import { writeWhole } from './file.ts';

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
export interface Makings {
  readonly target: { readonly name: string; readonly version: string };
  readonly suite: Suite;
  readonly selftest: SelftestRecord | undefined;
  readonly keys: readonly SigningKey[];
}

/**
 * Reads what a certificate is made with, before the run: a key that cannot be read must not cost
 * one. Throws `PetstoreError`, or the system's error.
 */
export async function readMakings(
  { targetName: name, targetVersion: version, sign }: CertifyArguments,
  kind: SubjectKind,
): Promise<Makings> {
  const keys = sign === undefined ? [] : [await readSigningKey(sign)];
  const [suite, selftest] = await Promise.all([readSuite(), readSelftestRecord(kind)]);
  return { target: { name, version }, suite, selftest, keys };
}

/** What `writeCertificate` writes: the proof, its page, its badge. */
export const certificateFileNames = ['certificate.json', 'certificate.html', 'badge.svg'] as const;

/**
 * Writes the files of a certificate into a folder, which is made where it is missing; files of
 * these names are replaced. Throws `PetstoreError` for one that nobody would read, or the system's
 * error.
 */
export async function writeCertificate(
  { predicate, keyids, text }: Certificate,
  folder: string,
): Promise<void> {
  const excess = findExcess(Buffer.from(text));
  if (excess !== undefined)
    throw argumentError(
      `No certificate was written. ${excess} Send fewer requests, or use shards.`,
    );
  const fault = findFault(predicate);
  if (fault !== undefined) throw argumentError(`The certificate was not written. ${fault}`);
  await mkdir(folder, { recursive: true });
  const texts = {
    'certificate.json': text,
    'certificate.html': renderCertificatePage(predicate, keyids),
    'badge.svg': renderBadge(predicate, keyids),
  };
  for (const name of certificateFileNames) await writeWhole(join(folder, name), texts[name]);
}

const most = 5;

export function renderIssue({ predicate, keyids }: Certificate, folder: string): VisibleText {
  const { level, verdicts, waivers, log } = predicate;
  const shortfalls =
    level === 'conforms'
      ? []
      : listShortfalls(verdicts, waivers, listMissing(predicate), predicate.run.inconclusive);
  const { notApplicable } = summariseVerdicts(verdicts);
  const lines = [
    showLine(`Certificate: ${describeLevel(predicate)}. ${levelSentences[level]}`),
    ...shortfalls.slice(0, most).map((each) => show`  - ${showLine(each)}`),
    ...(shortfalls.length > most ? [show`  - and ${shortfalls.length - most} more`] : []),
    ...groupByReason(notApplicable).map(({ reason, ids }) =>
      showLine(`  - ${ids.join(', ')}: ${reason}`),
    ),
    showLine(
      `  ${join(folder, 'certificate.json')}, certificate.html and badge.svg: ${keyids.length === 0 ? 'UNSIGNED (--sign signs)' : `signed by the key ${keyids.join(' and ')}`}`,
    ),
    showLine(`  head of the log: ${log.head}`),
  ];
  return show`\n${joinShown(lines, '\n')}\n`;
}
