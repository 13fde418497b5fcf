import { composeCertificate } from '../../certificate/index.ts';
import {
  type ClientEnd,
  type ClientRecord,
  composeClientReport,
  createScenarioRunner,
  isBadEnd,
  isWholeProof,
  judgeClient,
  listMissing,
  listScenarios,
  renderClientRecord,
  type Scenario,
} from '../../client/index.ts';
import type { Report } from '../../conformance/index.ts';
import { type Contract, largest, unknownName } from '../../contract/index.ts';
import type { TextLayout } from '../../report/index.ts';
import { countOf } from '../../page/view/count.ts';
import { joinShown, padShown, show, showLine, type VisibleText } from '../../page/view/visible.ts';
import { argumentError } from '../io/command-failure.ts';
import type { CommandIo } from '../io/command-io.ts';
import { createCommand } from '../options/command.ts';
import {
  type CommandForm,
  type FlagTable,
  type FlagValues,
  seconds,
  whole,
  documentFlags,
} from '../options/flags.ts';
import { finishReport, refuseReplacement } from '../io/report-files.ts';
import { certifyFlags, readCertifyArguments, reportFlags, runFlags } from '../options/run-flags.ts';
import { type CertifyArguments, readMakings } from '../io/write-certificate.ts';
import { layoutFor } from '../io/terminal.ts';
import { loadChosenContract, readInventoryFor } from '../package/bundled.ts';
import { showCommand } from './certify-client/shown-command.ts';
import { type ClientTrial, logOf, recordOf, runTrials } from './certify-client/trial.ts';

const flags = {
  scenario: {
    value: '<id>',
    many: true,
    help: 'Run only this scenario. Can be repeated. Default: all.',
  },
  list: { help: 'List the scenarios and run nothing.' },
  jobs: {
    group: 'Scenarios',
    value: '<number>',
    read: whole(1, 100),
    help: 'Run this many scenarios at the same time. Default: 6, or 1 with --port.',
  },
  timeout: {
    value: '<seconds>',
    read: seconds,
    default: '30',
    help: 'Stop the command of a scenario after this time. Default: 30.',
  },
  port: {
    group: 'Scenarios',
    value: '<number>',
    read: whole(1, 65_535),
    help: 'Port of the mock. Scenarios then run one after another. Default: a free port for each.',
  },
  plan: { value: '<name>', help: 'Plan of the keys. Default: the first plan of the document.' },
  contract: runFlags.contract,
  ...documentFlags,
  showOutput: {
    group: 'Scenarios',
    help: 'Print the last lines of output of every scenario. Default: only where something went wrong.',
  },
  ...reportFlags,
  ...certifyFlags,
} satisfies FlagTable;

const certifyClientForm = {
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
  exits: '0 conforms, 1 failed, 2 inconclusive',
} satisfies CommandForm;

type CertifyClientArguments = Omit<FlagValues<typeof flags>, 'certify'> & {
  /** Words of the command to run; empty only with `--list`. */
  readonly command: readonly string[];
  readonly jobs: number;
  readonly certify: CertifyArguments | undefined;
};

/** `petstore certify-client`. Exit code 0 conforms, 1 failed, 2 inconclusive. */
export const runCertifyClient = createCommand(certifyClientForm, (line, io) => {
  const { values, typed, command } = line;
  const { port, jobs = 6, scenario } = values;
  if (command.length === 0 && !values.list)
    throw argumentError(
      'Give the command to run after --, as in npx petstore-contract certify-client -- node client.js.',
    );
  if (port !== undefined && values.jobs !== undefined && jobs !== 1)
    throw argumentError('--port runs one scenario at a time: leave out --port or --jobs.');
  const wanted = {
    ...values,
    command,
    scenario: scenario.includes('all') ? [] : scenario,
    jobs: port === undefined ? jobs : 1,
    certify: readCertifyArguments(values, typed),
  };
  return certify(wanted, io);
});

async function certify(wanted: CertifyClientArguments, io: CommandIo): Promise<number> {
  const contract = await loadChosenContract(wanted.contract, wanted);
  const scenarios = chooseScenarios(contract, wanted.scenario);
  if (wanted.list) {
    io.stdout.write(renderScenarios(scenarios));
    return 0;
  }
  await refuseReplacement(wanted, 'client');
  const makings = wanted.certify && (await readMakings(wanted.certify));
  const from = Date.now();
  const trials = await play(contract, scenarios, wanted, io);
  showOutput(trials, wanted, io);
  if (isSilent(trials))
    throw argumentError(
      'The command sent no request in any scenario. It must read the base URL from PETSTORE_BASE_URL and the key from PETSTORE_API_KEY.',
    );
  const [log, scenarioRecords] = [logOf(trials), recordOf(trials)];
  const subject = {
    name: showCommand(wanted.command).text,
    baseUrl: trials[0]?.baseUrl ?? '',
    plan: choosePlan(contract, wanted.plan),
    watched: { from, to: Date.now() },
  };
  const record: ClientRecord = { subject, scenarios: scenarioRecords };
  const verdicts = judgeClient(contract, log, record);
  const report = composeClientReport(contract, subject, log, verdicts);
  // Who breaks no rule but does not do its work either is not known to conform, so nothing is
  // certified of it.
  const unplayed = isWholeProof(report.verdicts) ? listMissing(contract, scenarioRecords) : [];
  const isWhole = !trials.some(isBad) && unplayed.length === 0;
  const isTold = report.outcome === 'failed' || (report.outcome === 'conforms' && isWhole);
  const settings = renderClientRecord(record);
  const certificate =
    isTold && makings
      ? () => composeCertificate(unplace(report), contract, { ...makings, settings })
      : undefined;
  const output = { quiet: wanted.quiet, report: wanted.report, certificate };
  const code = await finishReport('certify-client', report, contract, output, io);
  if (code === 2 || report.outcome === 'failed') return code;
  refuseFailures(trials);
  if (wanted.certify && unplayed.length > 0)
    throw argumentError(
      `Every rule passed, but nothing is certified: to conform takes every scenario, and ${unplayed.join(', ')} was not played.`,
    );
  return code;
}

/** A client is reached nowhere: the address of the mock is not part of a certificate. */
function unplace(report: Report): Report {
  return { ...report, target: { ...report.target, baseUrl: '' } };
}

/** A client that does not do its work is not known to conform. Throws `PetstoreError`. */
function refuseFailures(trials: readonly ClientTrial[]): void {
  const failed = trials.filter(isBad).map(({ scenario }) => scenario.id);
  if (failed.length > 0)
    throw argumentError(`No rule failed, but the command failed in ${failed.join(', ')}.`);
}

/** Runs all scenarios, a line for each. Throws `PetstoreError` for no start or an interruption. */
async function play(
  contract: Contract,
  scenarios: readonly Scenario[],
  wanted: CertifyClientArguments,
  io: CommandIo,
): Promise<readonly ClientTrial[]> {
  const { command, jobs, timeout, port = 0, quiet } = wanted;
  const shown = showCommand(command);
  const plan = choosePlan(contract, wanted.plan);
  const runner = createScenarioRunner(contract, plan, await readInventoryFor(contract));
  const [layout, width] = [layoutFor(io), widthOf(scenarios)];
  const say = (text: VisibleText): void => {
    if (!quiet) io.stdout.write(show`${text}\n`);
  };
  say(showLine(`Certifying a client of ${contract.title} ${contract.version}: ${shown.text}`));
  const options = { command, env: io.env, port, timeout, signal: io.signal };
  const trials = await runTrials(runner, scenarios, jobs, options, (trial) =>
    say(renderTrial(trial, width, layout)),
  );
  if (io.signal.aborted) throw argumentError('Interrupted before all scenarios had run.');
  say(show``);
  return trials.map((trial) => ({ ...trial, output: shown.redact(trial.output) }));
}

/** Outputs that are shown unasked. */
const mostOutputs = 3;

/** The last lines of the command's output, where something is wrong or they are asked for. */
function showOutput(
  trials: readonly ClientTrial[],
  { showOutput }: CertifyClientArguments,
  io: CommandIo,
): void {
  const odd = isSilent(trials) ? trials.slice(0, 1) : trials.filter(isBad);
  const shown = showOutput ? trials : odd.slice(0, mostOutputs);
  const layout = layoutFor(io);
  for (const trial of shown) io.stdout.write(show`${renderOutput(trial, layout)}\n`);
  if (!showOutput && odd.length > shown.length)
    io.stdout.write(show`--show-output shows ${odd.length - shown.length} more outputs.\n\n`);
}

function isSilent(trials: readonly ClientTrial[]): boolean {
  return trials.every(({ exchanges }) => exchanges.length === 0);
}

function chooseScenarios(contract: Contract, ids: readonly string[]): readonly Scenario[] {
  const all = listScenarios(contract);
  const unknown = ids.find((id) => !all.some((scenario) => scenario.id === id));
  if (unknown !== undefined)
    throw unknownName(
      'argument',
      'scenario',
      unknown,
      all.map(({ id }) => id),
    );
  return all.filter(({ id }) => ids.length === 0 || ids.includes(id));
}

/** The plan of that name, or the first of the document; undefined where it has none. */
function choosePlan({ rateLimit }: Contract, wanted: string | undefined): string | undefined {
  const names = (rateLimit?.plans ?? []).map(({ name }) => name);
  if (wanted === undefined) return names[0];
  const found = names.find((name) => name.toLowerCase() === wanted.toLowerCase());
  if (found !== undefined) return found;
  if (names.length > 0) throw unknownName('argument', 'plan', wanted, names);
  throw argumentError(`There is no plan "${wanted}"; the document has none.`);
}

const shownLines = 10;

function renderScenarios(scenarios: readonly Scenario[]): VisibleText {
  const width = widthOf(scenarios);
  return joinShown(
    scenarios.map(
      ({ id, sentence }) => show`${padShown(showLine(id), width)}  ${showLine(sentence)}\n`,
    ),
    '',
  );
}

function widthOf(scenarios: readonly Scenario[]): number {
  return largest(
    scenarios.map(({ id }) => id.length),
    0,
  );
}

/** One trial in one line: how many requests, how long, how the command ended, and what is odd. */
function renderTrial(trial: ClientTrial, idWidth: number, { paint }: TextLayout): VisibleText {
  const { scenario, exchanges, milliseconds, end, unmet } = trial;
  const cells = [
    padShown(showLine(scenario.id), idWidth),
    padShown(countOf(exchanges.length, 'request'), -12),
    padShown(showLine(`${(milliseconds / 1000).toFixed(1)} s`), -7),
  ];
  const ended = isBad(trial)
    ? paint.bad(show`${describeEnd(end)}, and had to succeed here`)
    : describeEnd(end);
  return show`  ${joinShown(cells, '  ')}  ${ended}${unmet === undefined ? '' : paint.quiet(show`; not reached: ${showLine(unmet)}`)}`;
}

/** The command failed where it had to succeed, or did not come to its end. */
function isBad({ scenario, end }: ClientTrial): boolean {
  return isBadEnd({ mustSucceed: scenario.mustSucceed, end });
}

function renderOutput({ scenario, output }: ClientTrial, { paint }: TextLayout): VisibleText {
  const title = paint.strong(show`Output in ${showLine(scenario.id)}`);
  const lines = output
    .trimEnd()
    .split('\n')
    .slice(-shownLines)
    .map((line) => show`  | ${showLine(line)}`);
  return output.trim() === ''
    ? show`${title}: none\n`
    : show`${title}\n${joinShown(lines, '\n')}\n`;
}

function describeEnd(end: ClientEnd): VisibleText {
  if (end.kind === 'exited') return show`exit code ${end.code}`;
  if (end.kind === 'killed') return show`ended by ${showLine(end.signal)}`;
  return end.kind === 'timeout' ? show`ended when its time was over` : show`interrupted`;
}
