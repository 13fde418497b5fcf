import { basename } from 'node:path';
import {
  type Contract,
  hasCode,
  isJsonObject,
  type JsonValue,
  JsonSyntaxError,
} from '../../../contract/index.ts';
import { parseBaseUrl } from '../../../conformance/index.ts';
import {
  composeTrafficReport,
  createTrafficJudge,
  explainZip,
  inferBaseUrl,
  isZip,
  loadAttachedBodies,
  type RecordedExchange,
  readHarValue,
  showsCredentials,
} from '../../../traffic/index.ts';
import { argumentError } from '../../io/command-failure.ts';
import type { CommandIo } from '../../io/command-io.ts';
import { createCommand } from '../../io/command.ts';
import { refuseReplacement } from '../../io/replacement.ts';
import { deliverReport, printReport, tryWriting } from '../../io/report-files.ts';
import { readWaiverFile } from '../../conformance/waiver-file.ts';
import { loadChosenContract } from '../../package/bundled.ts';
import { type JudgeArguments, judgeForm, readJudgeArguments } from './options.ts';
import { parseInput, readInput } from '../../input/file.ts';

/** `petstore judge`: judges recorded traffic. Exit code 0 conforms, 1 failed, 2 inconclusive. */
export const runJudge = createCommand(judgeForm, (line, io) => judge(readJudgeArguments(line), io));

async function judge(wanted: JudgeArguments, io: CommandIo): Promise<number> {
  const value = await readRecording(wanted.file);
  if (isJournal(value)) return await judgeAsJournal(wanted, io);
  await refuseReplacement(wanted, 'server');
  const contract = await loadChosenContract(wanted.contract, wanted);
  const exchanges = await readArchive(value, wanted.file);
  const baseUrl = findBaseUrl(contract, exchanges, wanted);
  const waivers =
    wanted.waivers === undefined ? [] : await readWaiverFile(contract, wanted.waivers);
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
  printReport(report, contract, wanted, io);
  const deliver = (): Promise<void> =>
    deliverReport({ report, contract, folder: wanted.report }, io);
  if (!(await tryWriting('judge', io, deliver))) return 2;
  return { conforms: 0, failed: 1, inconclusive: 2 }[report.outcome];
}

async function readRecording(file: string): Promise<JsonValue> {
  const text = await readInput(file);
  if (isZip(text)) throw argumentError(explainZip(file));
  try {
    return parseInput(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw argumentError(`${file} is no HTTP Archive: ${error.message}.`, error);
    throw error;
  }
}

async function readArchive(value: JsonValue, file: string): Promise<readonly RecordedExchange[]> {
  try {
    return readHarValue(value, await loadAttachedBodies(value, file));
  } catch (error) {
    if (hasCode(error, 'shape'))
      throw argumentError(`${file} is no HTTP Archive: ${error.message}.`, error);
    throw error;
  }
}

/** The response of `GET /_mock/sandboxes/{sandbox}/journal`. */
function isJournal(value: JsonValue): boolean {
  return isJsonObject(value) && Array.isArray(value['exchanges']) && value['format'] === undefined;
}

async function judgeAsJournal(wanted: JudgeArguments, io: CommandIo): Promise<number> {
  const { file, target, waivers, requireTested, ...flags } = wanted;
  const [stray] = Object.entries({ target, waivers, 'require-tested': requireTested }).flatMap(
    ([name, given]) => (given === undefined ? [] : [name]),
  );
  if (stray !== undefined)
    throw argumentError(`--${stray} has no meaning for ${basename(file)}: it is a journal.`);
  const { judgeJournal } = await import('../judge-journal/run.ts');
  const { usualMock } = await import('../judge-journal/options.ts');
  const source = { mock: usualMock, sandbox: 'main', token: undefined, journal: file };
  return await judgeJournal({ ...flags, ...source }, io);
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
