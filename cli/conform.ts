import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Contract, ContractError, type JsonValue, parseJson, renderDocumentIssue } from '../contract/index.ts';
import { BrokenRun, type Clock, type Report, type RunOptions, type Target, TargetError, createMovableClock, renderBriefText, renderJsonReport, renderText, runConformance } from '../conformance/index.ts';
import { loadChosenContract } from './bundled-contract.ts';
import type { CommandIo } from './command-io.ts';
import { type ConformArguments, conformHelp, parseConformArguments } from './conform-arguments.ts';
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
  const report = await runConformance(contract, place.target, readOptions(contract, wanted, place, io));
  if (wanted.report !== undefined) await writeReport(report, wanted.report);
  io.stdout.write(wanted.isQuiet ? renderBriefText(report, contract) : renderText(report, contract));
  return report.outcome === 'conforms' ? 0 : 1;
}

/** A target, and what has to be closed after the run. */
interface Place extends AsyncDisposable {
  readonly target: Target;
  readonly plan: string | undefined;
  /** The time of the target where it can be moved: that of the embedded mock. */
  readonly clock: Clock | undefined;
}

async function openTarget(contract: Contract, wanted: ConformArguments): Promise<Place> {
  const { baseUrl, apiKey, plan } = wanted;
  if (baseUrl !== undefined) return { target: { baseUrl, apiKey }, plan, clock: undefined, [Symbol.asyncDispose]: () => Promise.resolve() };
  const { createMock } = await import('../mock/index.ts');
  const { readBundledSeed } = await import('./bundled-seed.ts');
  const seed = wanted.contract === undefined ? await readBundledSeed() : undefined;
  const clock = createMovableClock();
  const mock = createMock(contract, { clock, ...(seed === undefined ? {} : { seed }) });
  const listening = await mock.listen({ port: 0, host: '127.0.0.1' });
  const key = mock.keys.find((each) => plan === undefined || each.plan?.toLowerCase() === plan.toLowerCase());
  return {
    target: { baseUrl: listening.url, apiKey: key?.key },
    plan: plan ?? key?.plan,
    clock,
    [Symbol.asyncDispose]: () => listening.close(),
  };
}

function readOptions(contract: Contract, wanted: ConformArguments, place: Place, io: CommandIo): RunOptions {
  return {
    seed: wanted.seed,
    readOnly: wanted.isReadOnly,
    exhaust: wanted.isExhausting || place.clock !== undefined,
    ...(place.clock === undefined ? {} : { clock: place.clock }),
    timeout: wanted.timeout,
    verifyTls: !wanted.isInsecure,
    ...(wanted.requests === undefined ? {} : { requests: wanted.requests }),
    ...(place.plan === undefined ? {} : { plan: place.plan }),
    ...(wanted.categoryId === undefined ? {} : { references: readReferences(contract, wanted.categoryId) }),
    watcher: {
      onPlan: ({ requests, budget, probes }) => {
        if (!wanted.isQuiet) io.stdout.write(`Judging ${place.target.baseUrl} by ${contract.title} ${contract.version}: ${probes.length} probes, ${requests} requests of at most ${budget}, seed ${wanted.seed}.\n\n`);
      },
      onWait: (milliseconds) => {
        const seconds = Math.ceil(milliseconds / 1000);
        const words = place.clock === undefined ? `Waiting ${seconds} s for the rate limit.` : `The mock's clock is moved ahead by ${seconds} s, to where the rate limit lets requests through again.`;
        if (!wanted.isQuiet) io.stdout.write(`${words}\n\n`);
      },
    },
  };
}

/** The record that is known to exist, for every member that refers to one. */
function readReferences(contract: Contract, id: string): ReadonlyMap<string, JsonValue> {
  const value: JsonValue = /^-?\d+$/.test(id) ? parseJson(id) : id;
  const members = contract.openQuestions.filter(({ kind }) => kind === 'reference').map(({ at }) => at.split('/').at(-1) ?? '');
  return new Map(members.map((member) => [member, value]));
}

async function writeReport(report: Report, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'report.json'), renderJsonReport(report));
}

/** One line for an error that a person can put right; undefined for any other. */
function explain(error: unknown): string | undefined {
  if (error instanceof ContractError) return error.issues[0] ? renderDocumentIssue(error.issues[0]) : error.message;
  if (error instanceof ArgumentError || error instanceof TargetError || error instanceof BrokenRun) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return error instanceof Error && /^E[A-Z]+$/.test(code) ? error.message : undefined;
}
