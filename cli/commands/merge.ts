import { dirname, resolve } from 'node:path';
import {
  type Certificate,
  composeCertificate,
  describeMerged,
  nameTarget,
  type ShardCertificate,
} from '../../certificate/index.ts';
import { mergeReports, type NamedReport, type Report } from '../../conformance/index.ts';
import { type Contract, PetstoreError } from '../../contract/index.ts';
import { describeMissing, reportFileName } from '../../report/index.ts';
import { argumentError } from '../io/command-failure.ts';
import type { CommandIo } from '../io/command-io.ts';
import { createCommand } from '../options/command.ts';
import { findInputs } from '../io/file.ts';
import { readReportFile } from '../io/report-file.ts';
import { type CommandForm, documentFlags, type FlagTable } from '../options/flags.ts';
import { finishReport, refuseReplacement } from '../io/report-files.ts';
import { certifyFlags, readCertifyArguments, reportFlags } from '../options/run-flags.ts';
import { type Makings, readMakings } from '../io/write-certificate.ts';
import { tellError } from '../io/terminal.ts';
import { loadChosenContract } from '../package/bundled.ts';
import { verifierOf, verifyShards } from './verify.ts';

const flags = {
  allowMissing: {
    help: 'Do not make the report inconclusive if a shard is missing. The report still says so.',
  },
  contract: {
    value: '<file>',
    help: 'OpenAPI document that the shards tested against. Default: the bundled openapi.yaml.',
  },
  ...documentFlags,
  ...reportFlags,
  ...certifyFlags,
} satisfies FlagTable;

const mergeForm = {
  name: 'merge',
  takes: '<report> [<report> ...] [options]',
  about: [
    'Combines the reports of conform --shard into one. Give report.json files, folders that contain one, or folders of such folders. Every log is checked again: a requirement fails if any shard fails it, and passes if a shard shows it and none contradicts it. With --certify, it reads and verifies the certificate.json of each shard and signs one certificate that cites them.',
  ],
  examples: [['results/ --report merged', 'Combine all reports below results.']],
  page: 'fuzzing.md',
  flags,
  exits:
    '0 conforms, 1 failed, 2 inconclusive: a shard is missing, or the reports are not of one run',
  readsForeignFiles: true,
} satisfies CommandForm;

/** `petstore merge`. Exit code 0 conforms, 1 failed, 2 inconclusive, as where a shard is missing. */
export const runMerge = createCommand(mergeForm, async ({ values, words, typed }, io) => {
  const { report: folder, allowMissing, certify } = values;
  const wanted = readCertifyArguments(values, typed);
  await refuseReplacement(values, 'server');
  const files = await findInputs(words, certify ? 'certificate.json' : reportFileName);
  const written = folder ?? (certify ? '.' : undefined);
  if (written !== undefined && files.some((file) => resolve(dirname(file)) === resolve(written)))
    throw argumentError(
      `${written} contains one of the shards to merge. Use another folder with --report.`,
    );
  const makings = wanted && (await readMakings(wanted, 'server'));
  const contract = await loadChosenContract(values.contract, values);
  const shards = makings && (await readShardCertificates(contract, files, makings.target));
  const reports: NamedReport[] = [...(shards ?? [])];
  // One after another: each may be large.
  if (shards === undefined)
    for (const name of files) reports.push({ name, report: await readReportFile(name, contract) });
  const report = mergeReports(contract, reports, { allowMissing });
  tellMissing(report, io);
  const certificate = shards && makings && (() => certifyMerged(report, shards, makings));
  return await finishReport('merge', report, contract, { ...values, certificate }, io);
});

function tellMissing({ merge: facts }: Report, io: CommandIo): void {
  if (facts === undefined) return;
  const again = facts.missing.map((index) => `--shard ${index}/${facts.count}`).join(', ');
  for (const sentence of describeMissing(facts))
    tellError(
      io,
      'merge',
      `${sentence} Run npx petstore-contract conform ${again}, or give --allow-missing.`,
    );
}

/** The certificate of a shard, verified. */
type ValidShard = Extract<ShardCertificate, { readonly kind: 'holds' }>;

/** One certificate that cites those of the shards. */
function certifyMerged(
  merged: Report,
  shards: readonly ValidShard[],
  makings: Makings,
): Certificate {
  const ordered = shards.toSorted((one, other) => one.citation.shard - other.citation.shard);
  const citations = ordered.map(({ citation }) => citation);
  const parts = describeMerged(merged, ordered[0]?.report ?? merged, citations, makings);
  return composeCertificate(parts, makings.keys);
}

/**
 * Verifies the certificates of shards, so that only valid ones of the same target are cited.
 * @throws {PetstoreError} with code `merge` for the first that is not
 */
async function readShardCertificates(
  contract: Contract,
  paths: readonly string[],
  target: Makings['target'],
): Promise<readonly ValidShard[]> {
  const options = await verifierOf(contract, [], { server: undefined, client: undefined });
  const valid: ValidShard[] = [];
  for (const shard of await verifyShards(contract, paths, options)) {
    if (shard.kind !== 'holds') {
      const why = shard.kind === 'broken' ? 'is invalid' : 'cannot be verified here';
      throw mergeError(`${shard.name} ${why}, and is not cited: ${shard.sentence}`);
    }
    if (shard.target.name !== target.name || shard.target.version !== target.version)
      throw mergeError(
        `${shard.name} is of the target ${nameTarget(shard.target)}, not of ${nameTarget(target)}: --target-name and --target-version must match the shards.`,
      );
    valid.push(shard);
  }
  return valid;
}

function mergeError(message: string): PetstoreError {
  return new PetstoreError('merge', message);
}
