import { composeCertificate } from '../../certificate/index.ts';
import {
  runRecord,
  runConformance,
  type RunOptions,
  type RunReport,
  settingsOfFlags,
  type Watcher,
} from '../../conformance/index.ts';
import { statusOf } from '../../conformance/transport/exchange.ts';
import type { Contract } from '../../contract/contract.ts';
import { wrapText } from '../../report/text/layout.ts';
import { joinShown, show, showLine, type VisibleText } from '../../page/view/visible.ts';
import {
  describePlan,
  estimateWaits,
  openTarget,
  type OpenTarget,
} from '../conformance/open-target.ts';
import { readWaiverFile } from '../conformance/waiver-file.ts';
import { argumentError, explainError } from '../io/command-failure.ts';
import { type CommandIo, layoutFor, printError } from '../io/command-io.ts';
import type { CommandLine, FlagTable } from '../options/flags.ts';
import { createReportCommand, type Reporting, type reportFlags } from '../report/report-command.ts';
import { runFlags } from '../options/run-flags.ts';
import { certifyFlags, readCertificateInputs, refuseLongRun } from '../report/certificate-files.ts';
import { openProgress } from '../io/run-progress.ts';
import { readVersion } from '../package/package-root.ts';
import { runReplay } from './conform/replay.ts';
import { readSaved, writeSaved } from './conform/saved.ts';

const flags = {
  baseUrl: {
    value: '<url>',
    variable: 'PETSTORE_BASE_URL',
    help: 'Address of the server, with its version segment. Default: PETSTORE_BASE_URL; without one, the mock is started and tested.',
  },
  apiKey: {
    value: '<key>',
    variable: 'PETSTORE_API_KEY',
    help: 'API key to send. Default: PETSTORE_API_KEY.',
  },
  ...runFlags,
  replay: {
    value: '<id>',
    help: 'Repeat one failure and nothing else: its id, or report.json#<id>. Exit code 0 if it is gone, 1 if it is still there, 2 if the responses do not show it.',
  },
  ...certifyFlags,
} satisfies FlagTable;

type Line = CommandLine<typeof flags & typeof reportFlags>;

const conflicts = [
  ['replay', 'certify'],
  ['certify', 'save'],
  ['replay', 'shard'],
  // Shards have the same target.
  ['exclusive', 'shard'],
] as const;

/** Rejects options that contradict each other. Throws `PetstoreError`. */
function refuseConflicts({ values, typed }: Line): void {
  for (const [one, other] of conflicts)
    if (values[one] && values[other])
      throw argumentError(`--${one} and --${other} cannot be used together.`);
  if (values.shard !== undefined && values.fuzz === 0)
    throw argumentError('--shard needs --fuzz: the number of requests of all shards together.');
  if (values.baseUrl !== undefined) return;
  if (values.shard !== undefined)
    throw argumentError('--shard needs --base-url: all shards must have the same target.');
  if (typed.has('apiKey'))
    throw argumentError('--api-key needs --base-url: the built-in mock uses its own key.');
}

/** `petstore conform`: tests a server. Exit code 0 conforms, 1 failed, 2 inconclusive. */
export const runConform = createReportCommand(
  'server',
  {
    name: 'conform',
    usage: '[<base URL>] [<openapi.yaml>] [options]',
    operands: ['baseUrl', 'contract'],
    description: [
      'Tests a server against the OpenAPI document: statuses, bodies, headers, authentication and rate limits. Without a base URL, it starts the mock and tests that.',
    ],
    examples: [
      ['', 'Test the mock with the bundled document.'],
      ['https://api.example.com/v1', 'Test a server with the key in PETSTORE_API_KEY.'],
      [
        'https://api.example.com/v1 my.yaml --report out',
        'Test it with your own document and write a report.',
      ],
    ],
    page: 'reports.md',
    flags,
  },
  async (line, { contract, write, finish }, io) => {
    const { values, typed } = line;
    const { save, replay } = values;
    refuseConflicts(line);
    const inputs = await readCertificateInputs(values, typed);
    await using place = await openTarget(values, async (clock) => {
      const { createMock } = await import('../../mock/index.ts');
      return createMock(contract, { clock });
    });
    const options = await readRunOptions(contract, values, place);
    if (replay !== undefined) return await runReplay(replay, contract, place.target, options, io);
    if (inputs !== undefined) refuseLongRun(options);
    const report = await run(contract, values, place, options, { write, io });
    const settings = runRecord.render(report.record);
    const certificate =
      inputs && (() => composeCertificate(report, contract, { ...inputs, settings }));
    const code = await finish(report, certificate);
    if (save !== undefined) await writeSaved(report, save);
    return code;
  },
);

/**
 * The options of a run. Throws `PetstoreError`, or the system's error for a file that cannot be
 * read.
 */
async function readRunOptions(
  contract: Contract,
  values: Line['values'],
  { plan, options }: OpenTarget,
): Promise<RunOptions> {
  const { shard, save, waivers, certify, exhaust, readOnly } = values;
  return {
    ...settingsOfFlags(contract, values),
    exhaust: exhaust || (certify && !readOnly),
    shard: shard && { ...shard, suite: `petstore-contract ${await readVersion()}` },
    plan,
    saved: save === undefined ? [] : await readSaved(save),
    waivers: await readWaiverFile(contract, waivers),
    ...options,
  };
}

/**
 * Runs the suite; prints the plan on stdout and progress on stderr. If the run ends without a
 * verdict, writes a report of what is known, then rejects.
 */
async function run(
  contract: Contract,
  { quiet, seed }: Line['values'],
  place: OpenTarget,
  options: RunOptions,
  { write, io }: Pick<Reporting, 'write'> & { readonly io: CommandIo },
): Promise<RunReport> {
  using progress = openProgress(io, quiet, estimateWaits(contract, place));
  const stop = new AbortController();
  let text: readonly VisibleText[] = [];
  const printPlan = (): void => {
    if (text.length === 0) return;
    progress.erase();
    io.stdout.write(show`${joinShown(text, '\n')}\n\n`);
    text = [];
  };
  const watcher: Watcher = {
    ...progress.watcher,
    onPlan: (plan) => {
      // Until the first read of `io.signal`, SIGTERM ends the process at once, however long
      // planning takes.
      const { signal } = io;
      if (signal.aborted) stop.abort(signal.reason);
      else signal.addEventListener('abort', () => stop.abort(signal.reason), { once: true });
      progress.watcher.onPlan?.(plan);
      if (quiet) return;
      const name = showLine(`${contract.title} ${contract.version}`);
      const title = show`Testing ${showLine(place.target.baseUrl)} against ${name}, seed ${seed}.`;
      const { width } = layoutFor(io, Number.POSITIVE_INFINITY);
      const lines = [title, ...describePlan(plan, contract, place)];
      text = lines.flatMap((line) => wrapText(line, width));
    },
    onExchange: (exchange) => {
      // With a wrong address or key no request succeeds, and the plan is not worth printing.
      const status = statusOf(exchange) ?? 0;
      if (status >= 200 && status < 300) printPlan();
      progress.watcher.onExchange?.(exchange);
    },
  };
  const unjudged: RunReport[] = [];
  try {
    const all = { ...options, signal: stop.signal, watcher };
    const report = await runConformance(contract, place.target, all, (one) => unjudged.push(one));
    printPlan();
    return report;
  } catch (error) {
    for (const report of unjudged)
      await write(report).catch((failure: unknown) =>
        printError(io, 'conform', explainError(failure, io.env)),
      );
    throw error;
  }
}
