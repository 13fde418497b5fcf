import {
  compareReports,
  explainUnreached,
  type Report,
  runConformance,
  settingsOfFlags,
  settleRun,
  systemClock,
} from '../../conformance/index.ts';
import { hasCode, PetstoreError } from '../../contract/error/petstore-error.ts';
import { withoutUser } from '../../contract/http/address.ts';
import { showJsonText } from '../../page/view/visible.ts';
import {
  describeVerdict,
  renderBriefComparison,
  renderComparison,
  renderJsonComparison,
} from '../../report/index.ts';
import { estimateWaits } from '../conformance/open-target.ts';
import { openProgress } from '../io/run-progress.ts';
import { layoutFor } from '../io/command-io.ts';
import { createCommand } from '../options/command.ts';
import { sharedFlags } from '../options/flags.ts';
import { runFlags } from '../options/run-flags.ts';
import { loadChosenContract } from '../package/bundled.ts';

/** The options of `conform` that also make sense for two servers. */
const { fuzz: _fuzz, shard: _shard, shrink: _shrink, save: _save, ...others } = runFlags;
const { waivers: _waivers, ...settingFlags } = others;

/**
 * Two runs that start within a tenth of a second get the same tag. Wait, so that a server that is
 * on both sides never sees one tag twice.
 */
const shortestPause = 150;

/** `petstore diff`. Exit code 0 no difference, 1 a difference, 2 inconclusive. */
export const runDiff = createCommand(
  {
    name: 'diff',
    usage: '<url A> <url B> [options]',
    description: [
      'Sends the same requests to two servers, one after the other, and reports what differs: requirements that only one fails or that both fail differently, and different behaviour where the document leaves it open.',
    ],
    examples: [
      [
        'http://127.0.0.1:4010/v1 https://api.example.com/v1',
        'Compare the mock with the real server.',
      ],
    ],
    page: 'diff.md',
    flags: {
      apiKey: {
        value: '<key>',
        variable: 'PETSTORE_API_KEY',
        help: 'API key for both servers. Default: PETSTORE_API_KEY.',
      },
      apiKeyA: { group: 'Keys', value: '<key>', help: 'API key for the first server.' },
      apiKeyB: { group: 'Keys', value: '<key>', help: 'API key for the second server.' },
      planA: { group: 'Keys', value: '<name>', help: 'Plan of the key for the first server.' },
      planB: { group: 'Keys', value: '<name>', help: 'Plan of the key for the second server.' },
      ...settingFlags,
      plan: {
        ...runFlags.plan,
        help: 'Plan of both keys, such as Free. Its limits are then compared with the rate-limit headers.',
      },
      ...sharedFlags,
      json: { help: 'Print the comparison as JSON (docs/diff.schema.json).' },
      quiet: { help: 'Print only the differences.' },
    },
    exitCodes: ['nothing differs', 'something differs'],
  },
  async ({ values, words: [urlA = '', urlB = ''] }, io) => {
    const { apiKey, plan, quiet } = values;
    const { apiKeyA = apiKey, apiKeyB = apiKey, planA = plan, planB = plan } = values;
    const sideA: Side = { name: 'A', baseUrl: urlA, apiKey: apiKeyA, plan: planA };
    const sideB: Side = { name: 'B', baseUrl: urlB, apiKey: apiKeyB, plan: planB };
    const contract = await loadChosenContract(values.contract, values);
    const common = settingsOfFlags(contract, values);
    // Check the options of both before the first request.
    const budgets: number[] = [];
    for (const side of [sideA, sideB])
      await nameErrors(side, () => {
        budgets.push(settleRun(contract, side, { ...common, plan: side.plan }).requests);
      });
    for (const side of [sideA, sideB])
      await nameErrors(side, async () => {
        const reason = await explainUnreached(side.baseUrl, values.timeout);
        if (reason !== undefined) throw new PetstoreError('inconclusive', reason);
      });
    const options = { ...common, requests: Math.min(...budgets), signal: io.signal };
    const run = (side: Side): Promise<Report> =>
      nameErrors(side, async () => {
        const estimate = estimateWaits(contract, { ...side, options });
        using progress = openProgress(io, quiet, estimate, side.name);
        const { watcher } = progress;
        return await runConformance(contract, side, { ...options, plan: side.plan, watcher });
      });
    // One after the other: behind a shared rate limit they would use up each other's requests.
    const startedAt = systemClock.now();
    const a = await run(sideA);
    await systemClock.sleep(Math.max(0, startedAt + shortestPause - systemClock.now()), io.signal);
    const b = await run(sideB);
    const comparison = compareReports(contract, a, b);
    const { requirements, questions } = comparison.compared;
    if (comparison.outcome === 'same' && requirements + questions === 0)
      throw new PetstoreError(
        'inconclusive',
        'Nothing could be compared: no requirement and no open question was tested on both servers.',
      );
    const render = quiet ? renderBriefComparison : renderComparison;
    io.stdout.write(
      values.json
        ? showJsonText(renderJsonComparison(comparison, contract))
        : render(comparison, contract, layoutFor(io)),
    );
    if (comparison.outcome !== 'same') return 1;
    // Two servers are not "the same" if too little was tested.
    const doubt = [a, b].find(({ outcome }) => outcome === 'inconclusive');
    if (doubt === undefined) return 0;
    throw new PetstoreError('inconclusive', `Nothing differs. ${describeVerdict(doubt)}.`);
  },
);

interface Side {
  readonly name: 'A' | 'B';
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly plan: string | undefined;
}

/** Errors about the target name its side. */
async function nameErrors<Value>(
  { name, baseUrl }: Side,
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
