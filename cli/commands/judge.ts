import { basename } from 'node:path';
import { parseBaseUrl } from '../../conformance/index.ts';
import { type Contract, isJsonObject, type JsonValue } from '../../contract/index.ts';
import {
  composeTrafficReport,
  createTrafficJudge,
  inferBaseUrl,
  loadAttachedBodies,
  readHarValue,
  type RecordedExchange,
  showsCredentials,
} from '../../traffic/index.ts';
import { readWaiverFile } from '../conformance/waiver-file.ts';
import { argumentError } from '../io/command-failure.ts';
import type { CommandIo } from '../io/command-io.ts';
import { createCommand } from '../options/command.ts';
import { readJsonFile } from '../io/file.ts';
import {
  type CommandForm,
  type FlagTable,
  type FlagValues,
  documentFlags,
} from '../options/flags.ts';
import { finishReport, refuseReplacement } from '../io/report-files.ts';
import { reportFlags, runFlags, trafficFlags } from '../options/run-flags.ts';
import { loadChosenContract } from '../package/bundled.ts';

const flags = {
  target: {
    value: '<url>',
    help: 'Base URL of the service in the recording; only requests below it are checked. Default: a server of the document, else the address with the most requests that the document describes.',
  },
  ...trafficFlags,
  contract: runFlags.contract,
  ...documentFlags,
  ...reportFlags,
} satisfies FlagTable;

const judgeForm = {
  name: 'judge',
  takes: '<traffic.har> [options]',
  about: [
    'Checks recorded traffic against the document: an HTTP Archive (HAR) from a browser, Playwright, k6, mitmproxy or conform --report. A journal of the mock is checked as judge-journal does: the client, by the requests it sent.',
  ],
  examples: [['traffic.har --contract my.yaml', 'Check the traffic in a HAR file.']],
  page: 'traffic.md',
  flags,
  exits: '0 conforms, 1 failed, 2 inconclusive or a wrong argument',
  readsForeignFiles: true,
} satisfies CommandForm;

type JudgeArguments = FlagValues<typeof flags> & { readonly file: string };

/** `petstore judge`: judges recorded traffic. Exit code 0 conforms, 1 failed, 2 inconclusive. */
export const runJudge = createCommand(judgeForm, ({ values, words: [file = ''] }, io) =>
  judge({ ...values, file }, io),
);

async function judge(wanted: JudgeArguments, io: CommandIo): Promise<number> {
  const exchanges = await readJsonFile(wanted.file, 'an HTTP Archive', (value) =>
    isJournal(value) ? undefined : readArchive(value, wanted.file),
  );
  if (exchanges === undefined) return await judgeAsJournal(wanted, io);
  await refuseReplacement(wanted, 'server');
  const contract = await loadChosenContract(wanted.contract, wanted);
  const baseUrl = findBaseUrl(contract, exchanges, wanted);
  const waivers = await readWaiverFile(contract, wanted.waivers);
  const found = createTrafficJudge(contract, {
    baseUrl,
    showsCredentials: showsCredentials(contract, exchanges),
    requireTested: wanted.requireTested,
  });
  for (const exchange of exchanges) found.take(exchange);
  const report = composeTrafficReport(contract, baseUrl, found.sum(), {
    waivers,
    now: Date.now(),
  });
  return await finishReport('judge', report, contract, wanted, io);
}

async function readArchive(value: JsonValue, file: string): Promise<readonly RecordedExchange[]> {
  return readHarValue(value, await loadAttachedBodies(value, file));
}

/** The response of `GET /_mock/sandboxes/{sandbox}/journal`. */
function isJournal(value: JsonValue): boolean {
  return isJsonObject(value) && Array.isArray(value['exchanges']) && value['format'] === undefined;
}

async function judgeAsJournal(wanted: JudgeArguments, io: CommandIo): Promise<number> {
  const { file, target, waivers, requireTested } = wanted;
  const given = Object.entries({ target, waivers, 'require-tested': requireTested });
  const stray = given.find(([, value]) => value !== undefined)?.[0];
  if (stray !== undefined)
    throw argumentError(`--${stray} cannot be used with ${basename(file)}: it is a journal.`);
  const { judgeJournal } = await import('./judge-journal.ts');
  return await judgeJournal('judge', { ...wanted, journal: file }, io);
}

function findBaseUrl(
  contract: Contract,
  exchanges: readonly RecordedExchange[],
  { file, target }: JudgeArguments,
): string {
  if (exchanges.length === 0) throw argumentError(`There is nothing to judge: ${file} is empty.`);
  if (target !== undefined) return parseBaseUrl(target);
  const found = inferBaseUrl(contract, exchanges);
  if (found !== undefined) return found;
  const origins = [...new Set(exchanges.map(({ request }) => originOf(request.url)))];
  const some = origins.slice(0, 5).join(', ');
  throw argumentError(
    `${file} has no request that ${contract.title} ${contract.version} describes; it has requests to ${some}. Name the base address with --target, or the document with --contract.`,
  );
}

function originOf(url: string): string {
  return URL.parse(url)?.origin ?? url.slice(0, 40);
}
