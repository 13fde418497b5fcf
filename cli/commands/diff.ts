import {
  compareReports,
  explainUnreached,
  type Report,
  runConformance,
  type RunOptions,
  settleRun,
  type Sides,
  systemClock,
} from '../../conformance/index.ts';
import {
  type Contract,
  hasCode,
  PetstoreError,
  smallest,
  withoutUser,
} from '../../contract/index.ts';
import {
  renderBriefComparison,
  renderComparison,
  renderJsonComparison,
  summarise,
} from '../../report/index.ts';
import { showJsonText } from '../../page/view/visible.ts';
import type { CommandIo } from '../io/command-io.ts';
import { createCommand } from '../options/command.ts';
import type { CommandForm, FlagTable, FlagValues } from '../options/flags.ts';
import { listRunOptions, runFlags } from '../options/run-flags.ts';
import { openProgress } from '../io/run-progress.ts';
import { layoutFor } from '../io/terminal.ts';
import { loadChosenContract } from '../package/bundled.ts';

const flags = {
  apiKey: {
    value: '<key>',
    variable: 'PETSTORE_API_KEY',
    help: 'API key for both servers. Default: PETSTORE_API_KEY.',
  },
  apiKeyA: { group: 'Keys', value: '<key>', help: 'API key for the first server.' },
  apiKeyB: { group: 'Keys', value: '<key>', help: 'API key for the second server.' },
  plan: {
    value: '<name>',
    help: 'Plan of both keys, such as Free. Its limits are then compared with the rate-limit headers.',
  },
  planA: { group: 'Keys', value: '<name>', help: 'Plan of the key for the first server.' },
  planB: { group: 'Keys', value: '<name>', help: 'Plan of the key for the second server.' },
  ...runFlags,
  json: { help: 'Print the comparison as JSON (docs/diff.schema.json).' },
  quiet: { help: 'Print only the differences.' },
} satisfies FlagTable;

const diffForm = {
  name: 'diff',
  takes: '<url A> <url B> [options]',
  about: [
    'Sends the same requests to two servers, one after the other, and reports what differs: requirements that only one fails or that both fail differently, and different behaviour where the document leaves it open.',
  ],
  examples: [
    [
      'http://127.0.0.1:4010/v1 https://api.example.com/v1',
      'Compare the mock with the real server.',
    ],
  ],
  page: 'diff.md',
  flags,
  exits: '0 nothing differs, 1 something differs, 2 inconclusive',
} satisfies CommandForm;

type DiffArguments = FlagValues<typeof flags> & { readonly targets: Sides<DiffTarget> };

interface DiffTarget {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly plan: string | undefined;
}

/** `petstore diff`. Exit code 0 nothing differs, 1 something differs, 2 inconclusive. */
export const runDiff = createCommand(diffForm, ({ values, words }, io) => {
  const [a = '', b = ''] = words;
  const { plan, planA = plan, planB = plan } = values;
  const { apiKey, apiKeyA = apiKey, apiKeyB = apiKey } = values;
  const targets = {
    a: { baseUrl: a, apiKey: apiKeyA, plan: planA },
    b: { baseUrl: b, apiKey: apiKeyB, plan: planB },
  };
  return tellDifference({ ...values, targets }, io);
});

async function tellDifference(wanted: DiffArguments, io: CommandIo): Promise<number> {
  const contract = await loadChosenContract(wanted.contract, wanted);
  const { a, b } = await runBoth(contract, wanted, io);
  const comparison = compareReports(contract, a, b);
  const { requirements, questions } = comparison.compared;
  if (comparison.outcome === 'same' && requirements + questions === 0)
    throw new PetstoreError(
      'inconclusive',
      'Nothing could be compared: no response of the two runs shows the same requirement or open question.',
    );
  const render = wanted.quiet ? renderBriefComparison : renderComparison;
  io.stdout.write(
    wanted.json
      ? showJsonText(renderJsonComparison(comparison, contract))
      : render(comparison, contract, layoutFor(io)),
  );
  if (comparison.outcome !== 'same') return 1;
  // Targets of which too little was seen are not the same for it.
  const [doubt] = [a, b].filter(({ outcome }) => outcome === 'inconclusive');
  if (doubt === undefined) return 0;
  throw new PetstoreError('inconclusive', `Nothing differs, but ${summarise(doubt).sentence}.`);
}

/**
 * Runs one plan against A, then against B. One after the other: two targets behind one limit would
 * take each other's requests. What both need is looked at before the first request. Throws
 * `PetstoreError`, whose message names the side that is the reason.
 */
async function runBoth(
  contract: Contract,
  wanted: DiffArguments,
  io: CommandIo,
): Promise<Sides<Report>> {
  const { a, b } = wanted.targets;
  const common = listRunOptions(contract, wanted);
  const settle = (name: string, target: DiffTarget): Promise<number> =>
    nameErrors(name, target, () => settleRun(contract, target, withPlan(common, target)).requests);
  const budgets = [await settle('A', a), await settle('B', b)];
  await refuseUnreached('A', a, common);
  await refuseUnreached('B', b, common);
  const options: RunOptions = { ...common, requests: smallest(budgets), signal: io.signal };
  const run = (name: string, target: DiffTarget): Promise<Report> =>
    nameErrors(name, target, async () => {
      using progress = openProgress(io, { quiet: wanted.quiet, name });
      const { watcher } = progress;
      return await runConformance(contract, target, { ...withPlan(options, target), watcher });
    });
  const startedAt = systemClock.now();
  const first = await run('A', a);
  await systemClock.sleep(Math.max(0, startedAt + shortestPause - systemClock.now()), io.signal);
  return { a: first, b: await run('B', b) };
}

/** Refuses a target that does not respond before anything is sent to the other. */
async function refuseUnreached(
  name: string,
  target: DiffTarget,
  { timeout }: RunOptions,
): Promise<void> {
  await nameErrors(name, target, async () => {
    const reason = await explainUnreached(target.baseUrl, timeout ?? longestConnect);
    if (reason !== undefined) throw new PetstoreError('inconclusive', reason);
  });
}

/** Milliseconds that a connection may take. */
const longestConnect = 10_000;

/** Runs that start within a tenth of a second have one tag, which one server must not see twice. */
const shortestPause = 150;

function withPlan(options: RunOptions, { plan }: DiffTarget): RunOptions {
  return plan === undefined ? options : { ...options, plan };
}

/** An error that is about the target names its side. */
async function nameErrors<Value>(
  name: string,
  { baseUrl }: DiffTarget,
  run: () => Value | Promise<Value>,
): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    if (!hasCode(error, 'target', 'inconclusive')) throw error;
    const message = `${name} (${withoutUser(baseUrl)}): ${error.message}`;
    throw new PetstoreError(error.code, message, { cause: error });
  }
}
