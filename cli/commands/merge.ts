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
import {
  type CommandForm,
  type CommandLine,
  type FlagTable,
  documentFlags,
} from '../options/flags.ts';
import { finishReport, refuseReplacement } from '../io/report-files.ts';
import { certifyFlags, readCertifyArguments, reportFlags } from '../options/run-flags.ts';
import { type CertifyArguments, type Makings, readMakings } from '../io/write-certificate.ts';
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
export const runMerge = createCommand(mergeForm, merge);

type MergeLine = CommandLine<typeof mergeForm.flags>;

async function merge({ values, words, typed }: MergeLine, io: CommandIo): Promise<number> {
  const { report: folder, allowMissing, certify } = values;
  const wanted = readCertifyArguments(values, typed);
  await refuseReplacement({ report: folder, certify, force: values.force }, 'server');
  const files = await findInputs(words, certify ? 'certificate.json' : reportFileName);
  refuseInput(files, folder, certify);
  const makings = wanted && (await readMakings(wanted, 'server'));
  const contract = await loadChosenContract(values.contract, values);
  const shards = wanted && (await readShardCertificates(contract, files, wanted));
  const given = shards ?? (await readReports(contract, files));
  const report = mergeReports(contract, given, { allowMissing });
  tellMissing(report, io);
  const certificate = shards && makings && (() => certifyMerged(report, shards, makings));
  return await finishReport('merge', report, contract, { ...values, certificate }, io);
}

/** One certificate that cites those of the shards. */
function certifyMerged(
  merged: Report,
  shards: readonly HoldingShard[],
  makings: Makings,
): Certificate {
  const ordered = shards.toSorted((one, other) => one.citation.shard - other.citation.shard);
  const citations = ordered.map(({ citation }) => citation);
  const parts = describeMerged(merged, ordered[0]?.report ?? merged, citations, makings);
  return composeCertificate(parts, makings.keys);
}

/** Reads one report after another: each may be large. */
async function readReports(
  contract: Contract,
  files: readonly string[],
): Promise<readonly NamedReport[]> {
  const reports: NamedReport[] = [];
  for (const name of files) reports.push({ name, report: await readReportFile(name, contract) });
  return reports;
}

/** What is read is not replaced. Throws `PetstoreError`. */
function refuseInput(files: readonly string[], folder: string | undefined, certify: boolean): void {
  const written = folder ?? (certify ? '.' : undefined);
  if (written === undefined) return;
  if (files.some((file) => resolve(dirname(file)) === resolve(written)))
    throw argumentError(
      `${written} contains one of the shards to merge. Use another folder with --report.`,
    );
}

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
type HoldingShard = Extract<ShardCertificate, { readonly kind: 'holds' }>;

/**
 * Verifies the certificates of shards, so that none is cited that does not hold, or is of another
 * target than the one to be certified.
 * @throws {PetstoreError} with code `merge` for the first that is not shown to hold, or of another
 */
async function readShardCertificates(
  contract: Contract,
  paths: readonly string[],
  { targetName, targetVersion }: Pick<CertifyArguments, 'targetName' | 'targetVersion'>,
): Promise<readonly HoldingShard[]> {
  const wanted = { name: targetName, version: targetVersion };
  const options = await verifierOf(contract, [], { server: undefined, client: undefined });
  const shards = await verifyShards(contract, paths, options);
  return shards.map((shard) => {
    if (shard.kind === 'holds') {
      const { target } = shard;
      if (target.name === wanted.name && target.version === wanted.version) return shard;
      const of = `${shard.name} is of the target ${nameTarget(target)}`;
      const remedy = '--target-name and --target-version must match the shards.';
      throw new PetstoreError('merge', `${of}, not of ${nameTarget(wanted)}: ${remedy}`);
    }
    const why = shard.kind === 'broken' ? 'is invalid' : 'cannot be verified here';
    throw new PetstoreError('merge', `${shard.name} ${why}, and is not cited: ${shard.sentence}`);
  });
}
