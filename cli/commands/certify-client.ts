import { composeCertificate } from '../../certificate/index.ts';
import {
  type ClientEnd,
  type ClientLog,
  type ClientRecord,
  clientRecord,
  composeClientReport,
  isBadEnd,
  judgeClient,
  listRecordErrors,
  listScenarios,
  openScenario,
  type RecordedScenario,
  type Scenario,
} from '../../client/index.ts';
import type { Exchange, Report } from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import { asPetstoreError, PetstoreError } from '../../contract/error/petstore-error.ts';
import { unknownName } from '../../contract/error/unknown-name.ts';
import { countOf } from '../../page/view/count.ts';
import { joinShown, padShown, show, showLine, type VisibleText } from '../../page/view/visible.ts';
import type { Paint } from '../../report/index.ts';
import { argumentError } from '../io/command-failure.ts';
import { layoutFor } from '../io/command-io.ts';
import { type FlagTable, seconds, whole } from '../options/flags.ts';
import { certifyFlags, readCertificateInputs } from '../report/certificate-files.ts';
import { createReportCommand } from '../report/report-command.ts';
import { type ChildEnd, type ChildOptions, runChild } from './certify-client/child-command.ts';
import { showCommand } from './certify-client/shown-command.ts';

const flags = {
  scenario: {
    value: '<id>',
    many: true,
    help: 'Run only this scenario. Can be repeated. Default: all.',
  },
  list: { help: 'List the scenarios and run nothing.' },
  jobs: {
    group: 'Scenarios',
    ...whole(1, 100),
    help: 'Run this many scenarios at the same time. Default: 6, or 1 with --port.',
  },
  timeout: {
    ...seconds,
    default: '30',
    help: 'Stop the command of a scenario after this time.',
  },
  port: {
    group: 'Scenarios',
    ...whole(1, 65_535),
    help: 'Port of the mock. Scenarios then run one after another. Default: a free port for each.',
  },
  plan: { value: '<name>', help: 'Plan of the keys. Default: the first plan of the document.' },
  showOutput: {
    group: 'Scenarios',
    help: 'Print the last lines of output of every scenario. Default: only if something went wrong.',
  },
  ...certifyFlags,
} satisfies FlagTable;

/** `petstore certify-client`. Exit code 0 conforms, 1 failed, 2 inconclusive. */
export const runCertifyClient = createReportCommand(
  'client',
  {
    name: 'certify-client',
    usage: '[options] -- <command> [arguments]',
    description: [
      'Runs a client once per scenario against the mock and checks the requests that it sends. The command runs without a shell, with these environment variables:',
      `  PETSTORE_BASE_URL    Base URL to use, different for each scenario.
  PETSTORE_API_KEY     API key to send, different for each scenario.
  PETSTORE_SCENARIO    Id of the scenario, for the logs of the client.`,
      'It should do its usual work, such as list, add and list again, and exit with code 0 if that worked.',
    ],
    examples: [
      ['-- node client.js', 'Test a client in Node.'],
      ['--list', 'List the scenarios.'],
    ],
    page: 'clients.md',
    flags,
  },
  async ({ values, typed, command }, { contract, finish }, io) => {
    const { port = 0, jobs = port === 0 ? 6 : 1, timeout } = values;
    if (command.length === 0 && !values.list)
      throw argumentError(
        'Pass the command to run after --, as in npx petstore-contract certify-client -- node client.js.',
      );
    if (port !== 0 && jobs !== 1)
      throw argumentError('With --port, scenarios run one at a time. Remove --port or --jobs.');
    const inputs = await readCertificateInputs(values, typed);
    const scenarios = chooseScenarios(contract, values.scenario);
    const widest = Math.max(...scenarios.map(({ id }) => id.length));
    if (values.list) {
      for (const { id, sentence } of scenarios)
        io.stdout.write(show`${padShown(showLine(id), widest)}  ${showLine(sentence)}\n`);
      return 0;
    }
    const plan = choosePlan(contract, values.plan);
    const { paint } = layoutFor(io);
    const { text: name, redact } = showCommand(command);
    const say = (text: VisibleText): void => {
      if (!values.quiet) io.stdout.write(show`${text}\n`);
    };
    say(showLine(`Certifying a client of ${contract.title} ${contract.version}: ${name}`));
    const from = Date.now();
    const { env } = io;
    const results = await runAll(scenarios, jobs, io.signal, async (scenario, signal) => {
      const id = padShown(showLine(scenario.id), widest);
      const found = await openScenario(contract, plan, scenario, port).catch(asPetstoreError);
      if (found instanceof PetstoreError) {
        say(show`  ${id}  ${paint.bad(show`left out: ${showLine(found.message)}`)}`);
        return [];
      }
      await using opened = found;
      const trial = await runTrial(scenario, opened, { command, env, timeout, signal });
      if (!signal.aborted) say(show`  ${id}  ${renderTrial(trial, paint)}`);
      return [{ ...trial, output: redact(trial.output) }];
    });
    const trials = results.flat();
    if (io.signal.aborted) throw argumentError('Interrupted before all scenarios had run.');
    say(show``);
    const isSilent = trials.every((trial) => trial.exchanges.length === 0);
    for (const trial of trials)
      if (values.showOutput || isBadEnd(trial) || (isSilent && trial === trials[0]))
        io.stdout.write(renderOutput(trial, paint));
    if (isSilent)
      throw argumentError(
        'The command sent no request in any scenario. It must read the base URL from PETSTORE_BASE_URL and the key from PETSTORE_API_KEY.',
      );
    const record: ClientRecord = { name, plan, from, to: Date.now(), scenarios: trials };
    const exchanges = trials
      .flatMap((trial) => trial.exchanges)
      .map((exchange, index) => ({ ...exchange, index }));
    const log: ClientLog = { source: 'scenarios', exchanges };
    const verdicts = judgeClient(contract, log, record);
    const compose = (baseUrl = ''): Report =>
      composeClientReport(contract, { ...record, baseUrl }, log, verdicts);
    const report = compose(trials[0]?.baseUrl);
    // A client that breaks no rule may still not have done its work. Then it gets no certificate.
    const [odd] = listRecordErrors(contract, record, report);
    const isCertified = report.outcome !== 'inconclusive' && odd === undefined;
    const settings = clientRecord.render(record);
    // The certificate leaves out the address of the mock.
    const certificate =
      isCertified && inputs
        ? () => composeCertificate(compose(), contract, { ...inputs, settings })
        : undefined;
    const code = await finish(report, certificate);
    if (code === 2 || report.outcome === 'failed') return code;
    if (odd !== undefined && (inputs || trials.some(isBadEnd))) throw argumentError(odd);
    return code;
  },
);

function chooseScenarios(contract: Contract, ids: readonly string[]): readonly Scenario[] {
  const all = listScenarios(contract);
  if (ids.length === 0 || ids.includes('all')) return all;
  const known = all.map(({ id }) => id);
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown !== undefined) throw unknownName('argument', 'scenario', unknown, known);
  return all.filter(({ id }) => ids.includes(id));
}

/** The plan of that name, or the first of the document; undefined if the document has no plans. */
function choosePlan({ rateLimit }: Contract, wanted: string | undefined): string | undefined {
  const names = (rateLimit?.plans ?? []).map(({ name }) => name);
  if (wanted === undefined) return names[0];
  const found = names.find((name) => name.toLowerCase() === wanted.toLowerCase());
  if (found === undefined) throw unknownName('argument', 'plan', wanted, names);
  return found;
}

/** The client's command as it ran in one scenario. */
interface ClientTrial extends RecordedScenario, ChildEnd {
  readonly baseUrl: string;
  readonly exchanges: readonly Exchange[];
}

/**
 * Throws `PetstoreError` if the command cannot be started, or the system's error if the port is
 * taken.
 */
async function runTrial(
  scenario: Scenario,
  { baseUrl, run }: Awaited<ReturnType<typeof openScenario>>,
  { env, signal, ...options }: ChildOptions,
): Promise<ClientTrial> {
  const { id, mustSucceed } = scenario;
  const { key, openedAt, exchanges, full, redact } = run;
  const given = { PETSTORE_BASE_URL: baseUrl, PETSTORE_API_KEY: key, PETSTORE_SCENARIO: id };
  const stop = AbortSignal.any([signal, full]);
  const ended = await runChild({ ...options, env: { ...env, ...given }, signal: stop });
  // If the client sent more requests than are recorded, the mock ended the command.
  const end: ClientEnd =
    full.aborted && ended.end.kind === 'aborted'
      ? { kind: 'killed', signal: `this program, after more than ${String(full.reason)}` }
      : ended.end;
  const output = redact(ended.output);
  return { ...ended, end, output, id, mustSucceed, baseUrl, openedAt, exchanges };
}

/**
 * Calls `run` for each item, up to `jobs` at a time; the results are in the order of the items.
 * After the first error, starts no more, aborts the others and throws that error.
 */
async function runAll<Item, Result>(
  items: readonly Item[],
  jobs: number,
  stop: AbortSignal,
  run: (item: Item, signal: AbortSignal) => Promise<Result>,
): Promise<readonly Result[]> {
  const failed = new AbortController();
  const signal = AbortSignal.any([stop, failed.signal]);
  const results = new Map<number, Result>();
  const waiting = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of waiting) {
      if (signal.aborted) return;
      results.set(index, await run(item, signal));
    }
  };
  const workers = Array.from({ length: Math.min(jobs, items.length) }, () =>
    work().catch((error: unknown) => failed.abort(error)),
  );
  await Promise.all(workers);
  failed.signal.throwIfAborted();
  return items.flatMap((_, index) => results.get(index) ?? []);
}

/** One trial in one line: number of requests, duration, and how the command ended. */
function renderTrial(trial: ClientTrial, paint: Paint): VisibleText {
  const { exchanges, milliseconds, end } = trial;
  const requests = padShown(countOf(exchanges.length, 'request'), -12);
  const time = padShown(showLine(`${(milliseconds / 1000).toFixed(1)} s`), -7);
  const ended = isBadEnd(trial)
    ? paint.bad(show`${describeEnd(end)}, but must succeed in this scenario`)
    : describeEnd(end);
  return show`${requests}  ${time}  ${ended}`;
}

function describeEnd(end: ClientEnd): VisibleText {
  if (end.kind === 'exited') return show`exit code ${end.code}`;
  if (end.kind === 'killed') return show`ended by ${showLine(end.signal)}`;
  return end.kind === 'timeout' ? show`stopped after --timeout` : show`interrupted`;
}

/** Most lines of a command's output that are shown: the last ones. */
const shownLines = 10;

function renderOutput({ id, output }: ClientTrial, paint: Paint): VisibleText {
  const title = paint.strong(show`Output in ${showLine(id)}`);
  if (output.trim() === '') return show`${title}: none\n\n`;
  const lines = output.trimEnd().split('\n').slice(-shownLines);
  return show`${title}\n${joinShown(
    lines.map((line) => show`  | ${showLine(line)}`),
    '\n',
  )}\n\n`;
}
