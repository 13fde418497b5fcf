import { composeCertificate } from '../../../certificate/index.ts';
import {
  type ClientRecord,
  type Scenario,
  composeClientReport,
  createScenarioRunner,
  isWholeProof,
  judgeClient,
  listMissing,
  listScenarios,
} from '../../../client/index.ts';
import { type Contract, unknownName } from '../../../contract/index.ts';
import { loadChosenContract, readInventoryFor } from '../../package/bundled.ts';
import {
  type CertifyClientArguments,
  certifyClientForm,
  readCertifyClientArguments,
} from './options.ts';
import { describeClient } from './certificate.ts';
import { showCommand } from './shown-command.ts';
import { readMakings } from '../../io/write-certificate.ts';
import { type ClientTrial, logOf, recordOf, runTrials } from './trial.ts';
import { isBad, renderOutput, renderScenarios, renderTrial, widthOf } from './text.ts';
import type { CommandIo } from '../../io/command-io.ts';
import { refuseReplacement } from '../../io/replacement.ts';
import { deliverReport, printReport, tryWriting } from '../../io/report-files.ts';
import { type Command, createCommand } from '../../io/command.ts';
import { type VisibleText, show, showLine } from '../../../view/visible.ts';
import { layoutFor } from '../../io/terminal.ts';
import { argumentError } from '../../io/command-failure.ts';

/** `petstore certify-client`. Exit code 0 conforms, 1 failed, 2 inconclusive. */
export const runCertifyClient: Command = Object.assign(splitWords, { form: certifyClientForm });

/** Takes the words after the mark `--` for the command that is to be run. */
async function splitWords(argv: readonly string[], io: CommandIo): Promise<number> {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const run = createCommand(certifyClientForm, (line) =>
    certify(readCertifyClientArguments(line, argv.slice(end + 1)), io),
  );
  return await run(argv.slice(0, end), io);
}

async function certify(wanted: CertifyClientArguments, io: CommandIo): Promise<number> {
  const contract = await loadChosenContract(wanted.contract, wanted);
  const scenarios = chooseScenarios(contract, wanted.scenario);
  if (wanted.list) {
    io.stdout.write(renderScenarios(scenarios));
    return 0;
  }
  await refuseReplacement(wanted, 'client');
  const makings = wanted.certify && (await readMakings(wanted.certify, 'client'));
  const from = Date.now();
  const trials = await play(contract, scenarios, wanted, io);
  showOutput(trials, wanted, io);
  if (isSilent(trials))
    throw argumentError(
      'The command sent no request in any scenario. It finds the base address in PETSTORE_BASE_URL and the key in PETSTORE_API_KEY.',
    );
  const [log, played] = [logOf(trials), recordOf(trials)];
  const subject = {
    name: showCommand(wanted.command).text,
    baseUrl: trials[0]?.baseUrl ?? '',
    plan: choosePlan(contract, wanted.plan),
    watched: { from, to: Date.now() },
  };
  const report = composeClientReport(
    contract,
    subject,
    log,
    judgeClient(contract, log, { scenarios: played }),
  );
  printReport(report, contract, wanted, io);
  const record: ClientRecord = { subject, scenarios: played };
  // Who breaks no rule but does not do its work either is not known to conform, so nothing is
  // certified of it.
  const unplayed = isWholeProof(report.verdicts) ? listMissing(contract, played) : [];
  const isWhole = !trials.some(isBad) && unplayed.length === 0;
  const isTold = report.outcome === 'failed' || (report.outcome === 'conforms' && isWhole);
  const certificate =
    isTold && wanted.certify && makings
      ? composeCertificate(describeClient(report, record, wanted.certify, makings), makings.keys)
      : undefined;
  const delivery = { report, contract, certificate, folder: wanted.report };
  if (!(await tryWriting('certify-client', io, () => deliverReport(delivery, io)))) return 2;
  if (report.outcome === 'failed') return 1;
  if (report.outcome === 'inconclusive') return 2;
  refuseFailures(trials);
  if (wanted.certify && unplayed.length > 0)
    throw argumentError(
      `Every rule passed, but nothing is certified: to conform takes every scenario, and ${unplayed.join(', ')} was not played.`,
    );
  return !certificate || certificate.predicate.level === 'conforms' ? 0 : 1;
}

/** A client that does not do its work is not known to conform. Throws `PetstoreError`. */
function refuseFailures(trials: readonly ClientTrial[]): void {
  const failed = trials.filter(isBad).map(({ scenario }) => scenario.id);
  if (failed.length > 0)
    throw argumentError(
      `No rule failed, but the command did not end well in ${failed.join(', ')}.`,
    );
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
    io.stdout.write(
      show`${odd.length - shown.length} more outputs are shown by --show-output.\n\n`,
    );
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
