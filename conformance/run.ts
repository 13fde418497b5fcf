import type { Contract } from '../contract/index.ts';
import { systemClock } from './clock.ts';
import { BrokenRun, diagnoseFailure, diagnoseFirst, diagnoseStart } from './diagnosis.ts';
import type { Exchange } from './exchange.ts';
import { createKnowledge } from './knowledge.ts';
import { planRun, type Plan } from './plan.ts';
import type { Probe, Run } from './probe.ts';
import { createRandom } from './random.ts';
import { composeReport, judgeParts } from './compose-report.ts';
import { findExamples, showExamples } from './example.ts';
import { createSpare, type Spare } from './spare.ts';
import { createTags } from './tag.ts';
import type { Report } from './report.ts';
import { createSender, type Sender } from './sender.ts';
import { BudgetSpent, createSession, Interrupted, WaitTooLong, type Session } from './session.ts';
import type { Target } from './target.ts';
import { settleRun } from './run-defaults.ts';
import { findPlan } from './trace.ts';
import type { RunOptions } from './run-options.ts';
import { readSelection } from './selection.ts';

/**
 * Judges a target against a contract.
 * @throws {TargetError} for a base address or an option that cannot be used
 * @throws {BrokenRun} if the run could not tell: nobody there, wrong server, wrong key
 */
export async function runConformance(contract: Contract, target: Target, options: RunOptions = {}): Promise<Report> {
  const clock = options.clock ?? systemClock;
  const startedAt = clock.now();
  const record = settleRun(contract, target, options, startedAt);
  const checked: Target = { ...target, baseUrl: record.baseUrl };
  const random = createRandom(record.seed);
  const selection = readSelection(contract, record.only, record.skip);
  const { shrink } = record;
  const plan = planRun({ contract, plan: findPlan(contract, options.plan), random, apiKey: target.apiKey }, { ...record, budget: record.requests, selection });
  options.watcher?.onPlan?.(plan);
  await using sender = options.sender ? lend(options.sender) : createSender({ timeout: options.timeout ?? 10_000, verifyTls: options.verifyTls ?? true });
  const knowledge = createKnowledge(contract, options.references ?? new Map());
  let probe = '';
  const onExchange = (exchange: Exchange): void => {
    knowledge.note(exchange);
    options.watcher?.onExchange?.(exchange);
  };
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  const pauses = { ...signal, budget: plan.budget, longestWait: options.longestWait ?? 90_000, clock, sender, onExchange, onWait: (ms: number) => options.watcher?.onWait?.(ms) };
  const session = createSession(contract, checked, pauses, () => probe);
  const { tag, next: nextTag } = createTags(random.seed, startedAt);
  const run: Run = { contract, session, knowledge, random, tag, nextTag };
  const enter = (id: string): void => void (probe = id);
  const spare = createSpare(plan, contract, session, options.plan);
  const endedEarly = await conduct(plan, run, checked, spare, enter);
  const parts = { contract, target: checked, plan: { ...plan, left: [...plan.left, ...spare.left] }, session, options, selection, endedEarly, startedAt, tag, seed: random.seed, record };
  const judged = judgeParts(parts);
  const sent = session.exchanges.length;
  const examples = await findExamples({ contract, session, plan: options.plan, shrink: { share: shrink, tag, nextTag }, enter }, judged);
  const verdicts = session.exchanges.length === sent ? judged : judgeParts(parts);
  return composeReport({ ...parts, now: clock.now() }, showExamples(verdicts, examples));
}

/** A sender of somebody else, who closes it. */
function lend({ send }: Sender): Sender {
  return { send, [Symbol.asyncDispose]: () => Promise.resolve() };
}

/** Runs the probes in order; the reason if the run had to end early. */
async function conduct(plan: Plan, run: Run, target: Target, spare: Spare, enter: (probe: string) => void): Promise<string | undefined> {
  for (const probe of plan.probes) {
    if (spare.givesWay(probe)) continue;
    enter(probe.id);
    const ended = await attempt(probe, run);
    ensureMeaningful(run.session, target, run.contract);
    if (ended !== undefined) return ended;
  }
  return undefined;
}

async function attempt(probe: Probe, run: Run): Promise<string | undefined> {
  try {
    await probe.run(run);
    return undefined;
  } catch (error) {
    if (error instanceof BudgetSpent) return 'budget: no request was left';
    if (error instanceof Interrupted) throw new BrokenRun(`The run was ${error.message}; nothing is judged.`);
    if (error instanceof WaitTooLong) return `rate limit: ${error.message}`;
    throw error;
  }
}

function ensureMeaningful(session: Session, target: Target, contract: Contract): void {
  const [first] = session.exchanges;
  const last = session.exchanges.at(-1);
  if (!first || !last) return;
  const cause = first === last ? diagnoseFirst(first, target.baseUrl, contract) : diagnoseStart(session.exchanges, target.baseUrl, contract);
  if (cause !== undefined) throw new BrokenRun(cause);
  if (last.outcome.kind !== 'failed') return;
  const { failure } = last.outcome;
  if (failure.reason === 'unreachable' || failure.reason === 'name' || failure.reason === 'tls') {
    throw new BrokenRun(`The target went away after ${session.exchanges.length - 1} requests. ${diagnoseFailure(failure, target.baseUrl)}`);
  }
}
