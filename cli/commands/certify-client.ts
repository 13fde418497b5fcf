import { composeCertificate } from '../../certificate/index.ts';
import {
  type ClientEnd,
  type ClientLog,
  type ClientRecord,
  clientRecord,
  composeClientReport,
  isBadEnd,
  isWholeProof,
  judgeClient,
  listMissing,
  listScenarios,
  openScenario,
  type Scenario,
} from '../../client/index.ts';
import type { Report } from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import { unknownName } from '../../contract/error/unknown-name.ts';
import type { Paint } from '../../report/index.ts';
import { countOf } from '../../page/view/count.ts';
import { joinShown, padShown, show, showLine, type VisibleText } from '../../page/view/visible.ts';
import { argumentError } from '../io/command-failure.ts';
import { type CommandIo, layoutFor } from '../io/command-io.ts';
import { type CommandLine, type FlagTable, seconds, whole } from '../options/flags.ts';
import { createReportCommand, type reportFlags } from '../report/report-command.ts';
import { certifyFlags, readMakings } from '../report/certificate-files.ts';
import { showCommand } from './certify-client/shown-command.ts';
import { type ClientTrial, runTrials } from './certify-client/trial.ts';

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
    help: 'Print the last lines of output of every scenario. Default: only where something went wrong.',
  },
  ...certifyFlags,
} satisfies FlagTable;

type Values = CommandLine<typeof flags & typeof reportFlags>['values'];

/** `petstore certify-client`. Exit code 0 conforms, 1 failed, 2 inconclusive. */
export const runCertifyClient = createReportCommand(
  'client',
  {
    name: 'certify-client',
    takes: '[options] -- <command> [arguments]',
    about: [
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
    if (command.length === 0 && !values.list)
      throw argumentError(
        'Give the command to run after --, as in npx petstore-contract certify-client -- node client.js.',
      );
    if (values.port !== undefined && (values.jobs ?? 1) !== 1)
      throw argumentError('--port runs one scenario at a time: leave out --port or --jobs.');
    const makings = await readMakings(values, typed);
    const scenarios = chooseScenarios(contract, values.scenario);
    if (values.list) {
      for (const { id, sentence } of scenarios)
        io.stdout.write(show`${padId(id, scenarios)}  ${showLine(sentence)}\n`);
      return 0;
    }
    const plan = choosePlan(contract, values.plan);
    const from = Date.now();
    const trials = await play(contract, scenarios, { ...values, plan, command }, io);
    showOutput(trials, values.showOutput, io);
    if (isSilent(trials))
      throw argumentError(
        'The command sent no request in any scenario. It must read the base URL from PETSTORE_BASE_URL and the key from PETSTORE_API_KEY.',
      );
    const { text: name } = showCommand(command);
    const record: ClientRecord = {
      name,
      plan,
      from,
      to: Date.now(),
      scenarios: trials.map(recordTrial),
    };
    const exchanges = trials
      .flatMap((trial) => trial.exchanges)
      .map((exchange, index) => ({ ...exchange, index }));
    const log: ClientLog = { source: 'scenarios', exchanges };
    const verdicts = judgeClient(contract, log, record);
    const compose = (baseUrl = ''): Report =>
      composeClientReport(contract, { ...record, baseUrl }, log, verdicts);
    const report = compose(trials[0]?.baseUrl);
    // A client that breaks no rule but does not do its work either is not known to conform.
    const bad = trials.filter(isBad).map(({ scenario }) => scenario.id);
    const unplayed = isWholeProof(report.verdicts) ? listMissing(contract, record.scenarios) : [];
    const isCertified =
      report.outcome === 'failed' ||
      (report.outcome === 'conforms' && bad.length + unplayed.length === 0);
    const settings = clientRecord.render(record);
    // The address of the mock is not part of a certificate.
    const certificate =
      isCertified && makings
        ? () => composeCertificate(compose(), contract, { ...makings, settings })
        : undefined;
    const code = await finish(report, certificate);
    if (code === 2 || report.outcome === 'failed') return code;
    if (bad.length > 0)
      throw argumentError(`No rule failed, but the command failed in ${bad.join(', ')}.`);
    if (makings && unplayed.length > 0)
      throw argumentError(
        `Every rule passed, but nothing is certified: to conform takes every scenario, and ${unplayed.join(', ')} was not played.`,
      );
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

/** The plan of that name, or the first of the document; undefined where it has none. */
function choosePlan({ rateLimit }: Contract, wanted: string | undefined): string | undefined {
  const names = (rateLimit?.plans ?? []).map(({ name }) => name);
  if (wanted === undefined) return names[0];
  const found = names.find((name) => name.toLowerCase() === wanted.toLowerCase());
  if (found === undefined) throw unknownName('argument', 'plan', wanted, names);
  return found;
}

/** Runs all scenarios, a line for each. Throws `PetstoreError` for no start or an interruption. */
async function play(
  contract: Contract,
  scenarios: readonly Scenario[],
  wanted: Pick<Values, 'jobs' | 'timeout' | 'port' | 'quiet' | 'plan'> & {
    readonly command: readonly string[];
  },
  io: CommandIo,
): Promise<readonly ClientTrial[]> {
  const { command, timeout, port = 0, jobs = port === 0 ? 6 : 1, quiet, plan } = wanted;
  const shown = showCommand(command);
  const open = (scenario: Scenario) => openScenario(contract, plan, scenario, port);
  const { paint } = layoutFor(io);
  const say = (text: VisibleText): void => {
    if (!quiet) io.stdout.write(show`${text}\n`);
  };
  say(showLine(`Certifying a client of ${contract.title} ${contract.version}: ${shown.text}`));
  const options = { command, env: io.env, timeout, signal: io.signal };
  const trials = await runTrials(open, scenarios, jobs, options, (trial) =>
    say(show`  ${padId(trial.scenario.id, scenarios)}  ${renderTrial(trial, paint)}`),
  );
  if (io.signal.aborted) throw argumentError('Interrupted before all scenarios had run.');
  say(show``);
  return trials.map((trial) => ({ ...trial, output: shown.redact(trial.output) }));
}

function recordTrial({ scenario, end, openedAt }: ClientTrial): ClientRecord['scenarios'][number] {
  return { id: scenario.id, mustSucceed: scenario.mustSucceed, end, openedAt };
}

/** An id of a scenario, as wide as the longest. */
function padId(id: string, scenarios: readonly Scenario[]): VisibleText {
  return padShown(showLine(id), Math.max(...scenarios.map((each) => each.id.length)));
}

/** One trial in one line: how many requests, how long, how the command ended, and what is odd. */
function renderTrial(trial: ClientTrial, paint: Paint): VisibleText {
  const { exchanges, milliseconds, end, unmet } = trial;
  const requests = padShown(countOf(exchanges.length, 'request'), -12);
  const time = padShown(showLine(`${(milliseconds / 1000).toFixed(1)} s`), -7);
  const ended = isBad(trial)
    ? paint.bad(show`${describeEnd(end)}, and had to succeed here`)
    : describeEnd(end);
  const reached = unmet === undefined ? '' : paint.quiet(show`; not reached: ${showLine(unmet)}`);
  return show`${requests}  ${time}  ${ended}${reached}`;
}

function describeEnd(end: ClientEnd): VisibleText {
  if (end.kind === 'exited') return show`exit code ${end.code}`;
  if (end.kind === 'killed') return show`ended by ${showLine(end.signal)}`;
  return end.kind === 'timeout' ? show`ended when its time was over` : show`interrupted`;
}

/** The command failed where it had to succeed, or did not come to its end. */
function isBad({ scenario, end }: ClientTrial): boolean {
  return isBadEnd({ mustSucceed: scenario.mustSucceed, end });
}

function isSilent(trials: readonly ClientTrial[]): boolean {
  return trials.every(({ exchanges }) => exchanges.length === 0);
}

/** Outputs that are shown where nobody asks for them, and lines of each. */
const mostOutputs = 3;
const shownLines = 10;

/** The last lines of the command's output, where something is wrong or they are asked for. */
function showOutput(trials: readonly ClientTrial[], isWanted: boolean, io: CommandIo): void {
  const { paint } = layoutFor(io);
  const odd = isSilent(trials) ? trials.slice(0, 1) : trials.filter(isBad);
  for (const { scenario, output } of isWanted ? trials : odd.slice(0, mostOutputs)) {
    const title = paint.strong(show`Output in ${showLine(scenario.id)}`);
    const lines = output.trimEnd().split('\n').slice(-shownLines);
    const text = joinShown(
      lines.map((line) => show`  | ${showLine(line)}`),
      '\n',
    );
    io.stdout.write(show`${title}${output.trim() === '' ? show`: none` : show`\n${text}`}\n\n`);
  }
  if (!isWanted && odd.length > mostOutputs)
    io.stdout.write(show`--show-output shows ${odd.length - mostOutputs} more outputs.\n\n`);
}
