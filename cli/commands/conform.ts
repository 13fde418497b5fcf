import { composeCertificate } from '../../certificate/index.ts';
import {
  type Clock,
  createMovableClock,
  parseBaseUrl,
  parseShard,
  renderRunRecord,
  type RunPlan,
  runConformance,
  type RunOptions,
  type RunReport,
  type Watcher,
} from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { listPlan, waitingSeconds } from '../../report/index.ts';
import { wrapText } from '../../report/text/columns.ts';
import { joinShown, show, showLine, type VisibleText } from '../../page/view/visible.ts';
import {
  embeddedOptions,
  openEmbeddedMock,
  type OpenTarget,
  remoteTarget,
} from '../conformance/embedded-mock.ts';
import { readWaiverFile } from '../conformance/waiver-file.ts';
import { argumentError } from '../io/command-failure.ts';
import type { CommandIo } from '../io/command-io.ts';
import { createCommand } from '../options/command.ts';
import {
  type CommandForm,
  type CommandLine,
  type FlagTable,
  type FlagValues,
  whole,
} from '../options/flags.ts';
import { deliverReport, finishReport, refuseReplacement, tryWriting } from '../io/report-files.ts';
import {
  certifyFlags,
  listRunOptions,
  readCertifyArguments,
  reportFlags,
  runFlags,
} from '../options/run-flags.ts';
import { type CertifyArguments, readMakings, refuseLongRun } from '../io/write-certificate.ts';
import { nameReason, openProgress } from '../io/run-progress.ts';
import { layoutFor } from '../io/terminal.ts';
import { loadChosenContract, readBundledSeed } from '../package/bundled.ts';
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
  plan: {
    value: '<name>',
    help: 'Plan of the key, such as Free. Its limits are then compared with the rate-limit headers.',
  },
  ...runFlags,
  fuzz: {
    group: 'Fuzzing',
    value: '<number>',
    read: whole(0, 1_000_000),
    default: '0',
    help: 'Send this many extra requests with generated values and sequences. Default: 0.',
  },
  shard: {
    group: 'Fuzzing',
    value: '<i/n>',
    read: parseShard,
    help: 'Send the planned requests and only part i of n of --fuzz. The merge command combines the reports.',
  },
  shrink: {
    group: 'Fuzzing',
    value: '<number>',
    read: whole(0, 1_000_000),
    help: 'If something fails, send at most this many more requests to find a smaller failing example. Default: a tenth of --requests, at least 5.',
  },
  save: {
    group: 'Fuzzing',
    value: '<folder>',
    help: 'Repeat the failing examples in this folder first, and add new ones to it.',
  },
  replay: {
    value: '<id>',
    help: 'Repeat one failure and nothing else: its id, or report.json#<id>. Exit code 0 if it is gone, 1 if it is still there, 2 if the responses do not show it.',
  },
  waivers: {
    value: '<file>',
    help: 'JSON file of known failures, each with requirement, reason, owner and expiry date. An expired waiver, or one whose requirement passes, fails the run.',
  },
  ...reportFlags,
  ...certifyFlags,
} satisfies FlagTable;

const conformForm = {
  name: 'conform',
  takes: '[<base URL>] [<openapi.yaml>] [options]',
  operands: ['baseUrl', 'contract'],
  about: [
    'Tests a server against the OpenAPI document: statuses, bodies, headers, authentication and rate limits. Without a base URL it starts the mock and tests that. --certify also sends requests until the rate limit is reached, unless --read-only is given.',
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
  exits: '0 conforms, 1 failed, 2 inconclusive',
} satisfies CommandForm;

/** What `petstore conform` is asked for; without a `baseUrl` the embedded mock is judged. */
type ConformArguments = Omit<FlagValues<typeof flags>, 'certify'> & {
  readonly certify: CertifyArguments | undefined;
};

/** Checks what goes together. Throws `PetstoreError`. */
function readConformArguments({ values, typed }: CommandLine<typeof flags>): ConformArguments {
  if (values.baseUrl === undefined && typed.has('apiKey'))
    throw argumentError('--api-key needs --base-url: the embedded mock has its own key.');
  if (values.certify && values.replay !== undefined)
    throw argumentError('--replay and --certify cannot be used together.');
  if (values.certify && values.save !== undefined)
    throw argumentError('--certify and --save cannot be used together.');
  refuseShard(values);
  return {
    ...values,
    exhaust: values.exhaust || (values.certify && !values.readOnly),
    certify: readCertifyArguments(values, typed),
  };
}

/** A shard that could not be merged. Throws `PetstoreError`. */
function refuseShard({ shard, fuzz, replay, baseUrl, exclusive }: FlagValues<typeof flags>): void {
  if (shard === undefined) return;
  if (replay !== undefined) throw argumentError('--replay and --shard cannot be used together.');
  if (exclusive)
    throw argumentError(
      '--exclusive and --shard cannot be used together: shards share their target.',
    );
  if (fuzz === 0)
    throw argumentError('--shard needs --fuzz: the number of requests of all shards together.');
  if (baseUrl === undefined)
    throw argumentError('--shard needs --base-url: all shards must have the same target.');
}

/** The options of a run. Throws `PetstoreError`, or the system's error for a file. */
async function readRunOptions(
  contract: Contract,
  wanted: ConformArguments,
  { clock, plan }: { readonly clock: Clock | undefined; readonly plan: string | undefined },
): Promise<RunOptions> {
  const { fuzz, shard, shrink, save, waivers } = wanted;
  return {
    ...listRunOptions(contract, wanted),
    fuzz,
    ...(shard === undefined
      ? {}
      : { shard: { ...shard, suite: `petstore-contract ${await readVersion()}` } }),
    shrink,
    plan,
    saved: save === undefined ? [] : await readSaved(save),
    waivers: await readWaiverFile(contract, waivers),
    ...(clock === undefined ? {} : embeddedOptions(clock)),
  };
}

/** `petstore conform`: judges a server. Exit code 0 conforms, 1 failed, 2 inconclusive. */
export const runConform = createCommand(conformForm, (line, io) =>
  judge(readConformArguments(line), io),
);

async function judge(wanted: ConformArguments, io: CommandIo): Promise<number> {
  const contract = await loadChosenContract(wanted.contract, wanted);
  await using place = await openTarget(contract, wanted);
  const options = await readRunOptions(contract, wanted, place);
  if (wanted.replay !== undefined)
    return await runReplay(wanted.replay, contract, place, options, io);
  await refuseReplacement(wanted, 'server');
  const makings = wanted.certify && (await readMakings(wanted.certify));
  if (makings !== undefined) refuseLongRun(options);
  const report = await run(contract, wanted, place, options, io);
  const { save, quiet, report: folder } = wanted;
  const isSaved =
    save === undefined || (await tryWriting('conform', io, () => writeSaved(report, save)));
  const settings = renderRunRecord(report.record);
  const certificate =
    makings && (() => composeCertificate(report, contract, { ...makings, settings }));
  const output = { quiet, report: folder, certificate };
  const code = await finishReport('conform', report, contract, output, io);
  return isSaved ? code : 2;
}

async function run(
  contract: Contract,
  wanted: ConformArguments,
  place: OpenTarget,
  options: RunOptions,
  io: CommandIo,
): Promise<RunReport> {
  using watching = createRunWatcher(contract, wanted, place, io);
  const unjudged: RunReport[] = [];
  try {
    return await runConformance(
      contract,
      place.target,
      { ...options, signal: io.signal, watcher: watching.watcher },
      (report) => void unjudged.push(report),
    );
  } catch (error) {
    const [report] = unjudged;
    const { report: folder } = wanted;
    if (report !== undefined)
      await tryWriting('conform', io, () => deliverReport({ report, contract, folder }, io));
    throw error;
  }
}

/** The target that was asked for, or the embedded mock on a free port. */
async function openTarget(contract: Contract, wanted: ConformArguments): Promise<OpenTarget> {
  const { baseUrl, apiKey, plan, contract: document } = wanted;
  if (baseUrl !== undefined) return remoteTarget({ baseUrl: parseBaseUrl(baseUrl), apiKey }, plan);
  const { createMock } = await import('../../mock/index.ts');
  const seed = document === undefined ? await readBundledSeed() : {};
  const clock = createMovableClock();
  return await openEmbeddedMock(createMock(contract, { clock, ...seed }), plan, clock);
}

/**
 * Creates what is printed during a run: lines on stdout, and the progress on stderr. `--quiet` prints
 * nothing.
 */
function createRunWatcher(
  contract: Contract,
  { quiet, seed }: ConformArguments,
  place: OpenTarget,
  io: CommandIo,
): Disposable & { readonly watcher: Watcher } {
  const isMoved = place.clock !== undefined;
  const { width } = layoutFor(io, Number.POSITIVE_INFINITY);
  const foresee = (plan: RunPlan): number =>
    isMoved ? 0 : 1000 * waitingSeconds(plan, contract, place.plan);
  const progress = openProgress(io, { quiet, countsDown: !isMoved, foresee });
  if (quiet) return progress;
  const say = (...lines: readonly VisibleText[]): void => {
    progress.erase();
    const wrapped = lines.flatMap((line) => wrapText(line, width));
    io.stdout.write(show`${joinShown(wrapped, '\n')}\n\n`);
  };
  // Kept until the target responds: an address that is wrong needs no plan.
  let introduction: readonly VisibleText[] = [];
  const introduce = (): void => {
    if (introduction.length > 0) say(...introduction);
    introduction = [];
  };
  return {
    ...progress,
    watcher: {
      ...progress.watcher,
      onPlan: (plan) => {
        introduction = [
          show`Testing ${showLine(place.target.baseUrl)} against ${showLine(`${contract.title} ${contract.version}`)}, seed ${seed}.`,
          ...listPlan(plan, contract, isMoved ? undefined : place.plan),
          ...(isMoved
            ? [show`The mock's clock is moved instead of waiting for the rate limit.`]
            : []),
        ];
        progress.watcher.onPlan?.(plan);
      },
      onExchange: (exchange) => {
        if (exchange.outcome.kind === 'answered') introduce();
        progress.watcher.onExchange?.(exchange);
      },
      onWait: (milliseconds, reason) => {
        introduce();
        if (!isMoved) progress.watcher.onWait?.(milliseconds, reason);
        const seconds = Math.ceil(milliseconds / 1000);
        if (isMoved && reason === 'limit')
          say(show`The mock's clock moved ahead by ${seconds} s, past the rate limit.`);
        else if (!progress.isBar) say(show`Waiting ${seconds} s for ${nameReason(reason)}.`);
      },
    },
  };
}
