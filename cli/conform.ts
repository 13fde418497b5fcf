import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Contract, ContractError, renderDocumentIssue } from '../contract/index.ts';
import { BrokenRun, type Report, TargetError, WaiverError, type Watcher, renderBriefText, renderJsonReport, renderText, runConformance } from '../conformance/index.ts';
import { loadChosenContract } from './bundled-contract.ts';
import type { CommandIo } from './command-io.ts';
import { type ConformArguments, conformHelp, parseConformArguments } from './conform-arguments.ts';
import { readRunOptions } from './conform-options.ts';
import { type OpenTarget, openTarget } from './conform-target.ts';
import { ArgumentError } from './mock-arguments.ts';

/** `petstore conform`: judges a server. Exit code 0 conforms, 1 violated, 2 could not tell, with one line on stderr. */
export async function runConform(argv: readonly string[], io: CommandIo): Promise<number> {
  try {
    const wanted = parseConformArguments(argv, io.env);
    if (!wanted.wantsHelp) return await judge(wanted, io);
    io.stdout.write(conformHelp);
    return 0;
  } catch (error) {
    const line = explain(error);
    if (line === undefined) throw error;
    io.stderr.write(`petstore conform: ${line}\n`);
    return 2;
  }
}

async function judge(wanted: ConformArguments, io: CommandIo): Promise<number> {
  const contract = await loadChosenContract(wanted.contract);
  await using place = await openTarget(contract, wanted);
  const options = await readRunOptions(contract, wanted, place);
  const report = await runConformance(contract, place.target, { ...options, watcher: createWatcher(contract, wanted, place, io) });
  if (wanted.report !== undefined) await writeReport(report, wanted.report);
  io.stdout.write(wanted.isQuiet ? renderBriefText(report, contract) : renderText(report, contract));
  return report.outcome === 'conforms' ? 0 : 1;
}

function createWatcher(contract: Contract, wanted: ConformArguments, place: OpenTarget, io: CommandIo): Watcher {
  const { isQuiet, seed } = wanted;
  return {
    onPlan: ({ requests, budget, probes }) => {
      if (!isQuiet) io.stdout.write(`Judging ${place.target.baseUrl} by ${contract.title} ${contract.version}: ${probes.length} probes, ${requests} requests of at most ${budget}, seed ${seed}.\n\n`);
    },
    onWait: (milliseconds) => {
      const seconds = Math.ceil(milliseconds / 1000);
      const words = place.clock === undefined ? `Waiting ${seconds} s for the rate limit.` : `The mock's clock is moved ahead by ${seconds} s, to where the rate limit lets requests through again.`;
      if (!isQuiet) io.stdout.write(`${words}\n\n`);
    },
  };
}

async function writeReport(report: Report, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'report.json'), renderJsonReport(report));
}

/** One line for an error that a person can put right; undefined for any other. */
function explain(error: unknown): string | undefined {
  if (error instanceof ContractError) return error.issues[0] ? renderDocumentIssue(error.issues[0]) : error.message;
  const isExplained = [ArgumentError, TargetError, WaiverError, BrokenRun].some((kind) => error instanceof kind);
  if (error instanceof Error && isExplained) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return error instanceof Error && /^E[A-Z]+$/.test(code) ? error.message : undefined;
}
