import { openMember, successStatus, type Contract, type Operation } from '../../contract/index.ts';
import { readTrace, successId } from '../judge/trace/trace.ts';
import { isLimited } from '../transport/pacing.ts';
import { statusOf, type Exchange } from '../transport/exchange.ts';
import type { Verdict } from '../judge/verdict.ts';
import type { RunPlan } from './watcher.ts';

/** What a run knows of the operations that served no lawful request. */
interface Asked {
  readonly contract: Contract;
  readonly plan: RunPlan;
  readonly exchanges: readonly Exchange[];
  readonly endedEarly: string | undefined;
}

/** An operation that served no lawful request. */
export interface Unserved {
  readonly operation: string;
  /** The requirement that lawful requests to it succeed. */
  readonly requirement: string;
  /** Why, and what to do: a sentence without its full stop. */
  readonly sentence: string;
}

/**
 * A sentence for each operation that the run meant to ask and that served no lawful request, though
 * no requirement says that it had to: what it answered, and what to do. Such a run proves nothing.
 */
export function listUnserved(asked: Asked, verdicts: readonly Verdict[]): readonly Unserved[] {
  const { contract, plan, exchanges } = asked;
  const settled = new Set(
    verdicts.flatMap(({ kind, requirement }) =>
      kind === 'failed' || kind === 'waived' ? [requirement.id] : [],
    ),
  );
  const served = new Set(
    readTrace(contract, exchanges).readings.flatMap(({ succeeded, operation, exchange }) =>
      succeeded && isLawful(exchange, operation) ? [operation.id] : [],
    ),
  );
  return contract.operations.flatMap((operation) => {
    const requirement = successId(operation);
    const isMeant = plan.probes.some(({ proves }) => proves.includes(requirement));
    if (successStatus(operation) === undefined || !isMeant) return [];
    if (settled.has(requirement) || served.has(operation.id)) return [];
    return [{ operation: operation.id, requirement, sentence: explain(operation, asked) }];
  });
}

function explain(operation: Operation, { contract, exchanges, endedEarly }: Asked): string {
  const lawful = exchanges.filter(
    (exchange) => isLawful(exchange, operation) && !isLimited(exchange, contract),
  );
  const statuses = [...new Set(lawful.map((each) => statusOf(each) ?? 'nothing'))].join(', ');
  if (lawful.length === 0)
    return `${operation.id} was never asked: ${endedEarly ?? 'nothing was there to ask for'}`;
  const said = `${operation.id} answered ${statuses} to ${lawful.length === 1 ? 'the one request' : `all ${lawful.length} requests`} that keep the contract`;
  if (statuses === '403')
    return `${said}: give a key that may use it, or leave it out with --skip ${operation.id}`;
  return `${said}: ${adviseReference(lawful, contract)}`;
}

function isLawful({ request, intent }: Exchange, { id }: Operation): boolean {
  return request.operation === id && intent.kind === 'valid';
}

/** The members that may have to name records which exist. */
function adviseReference(lawful: readonly Exchange[], contract: Contract): string {
  const refusing = new Set(
    lawful.flatMap(({ intent }) => (intent.kind === 'valid' ? intent.mayRefuse : [])),
  );
  const members = contract.openQuestions
    .filter(({ id, kind }) => kind === 'reference' && refusing.has(id))
    .map(openMember);
  if (members.length === 0) return 'see what it says in the report';
  return `if \`${members.join('`, `')}\` has to name a record that exists, give one (--category-id)`;
}
