import { openMember } from '../../contract/openapi/open-question.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import { successResponse } from '../../contract/openapi/response.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { readTrace } from '../family/read-trace.ts';
import { successId } from '../judge/trace/trace.ts';
import { isLimited } from '../transport/pacing.ts';
import { statusOf, type Exchange } from '../transport/exchange.ts';
import type { Verdict } from '../judge/verdict.ts';
import { describeReason, type Reason } from '../judge/reason/reason.ts';
import type { Probe } from '../probes/probe.ts';
import type { PlannedProbes } from './tested.ts';

interface Asked {
  readonly contract: Contract;
  readonly plan: PlannedProbes;
  readonly exchanges: readonly Exchange[];
  readonly endedEarly: string | undefined;
  readonly record: { readonly readOnly: boolean };
  readonly isWanted: (requirement: string) => boolean;
}

/** An operation that served no valid request, or responses of which are beyond a limit of the suite. */
export interface Unserved {
  readonly operation: string;
  /** The requirement that valid requests to it succeed, or that it responds. */
  readonly requirement: string;
  /** Why, and what to do: a sentence without its full stop. */
  readonly sentence: string;
}

/**
 * A sentence for each operation that the run meant to ask and that served no valid request, though
 * no requirement says that it had to: what it answered, or why it was never asked, and what to do.
 */
export function listUnserved(asked: Asked, verdicts: readonly Verdict[]): readonly Unserved[] {
  const { contract, plan, exchanges } = asked;
  const settled = new Set(
    verdicts.flatMap(({ kind, requirement }) =>
      kind === 'failed' || kind === 'waived' ? [requirement.id] : [],
    ),
  );
  const served = listServed(contract, exchanges);
  const unread = listUnread(exchanges);
  const byOperation = Map.groupBy(exchanges, ({ request }) => request.operation);
  const planned = new Set(plan.probes.flatMap(({ proves }) => proves));
  const meant = new Set(planned);
  const ids = new Set(contract.operations.map(successId));
  const left = new Map<string, Reason>();
  for (const { probe, reason } of plan.left)
    for (const id of probe.proves) {
      if (!ids.has(id)) continue;
      if (isHindered(probe, reason, asked)) meant.add(id);
      if (!left.has(id) && !(reason.kind === 'budget' && planned.has(id))) left.set(id, reason);
    }
  const explainOne = (operation: Operation, requirement: string): string =>
    explain(operation, asked, byOperation.get(operation.id) ?? [], left.get(requirement));
  return contract.operations.flatMap((operation) => {
    const tooLarge = unread.get(operation.id);
    if (tooLarge !== undefined) return [tellUnread(operation.id, tooLarge)];
    const requirement = successId(operation);
    const isMeant = meant.has(requirement) && asked.isWanted(requirement);
    if (successResponse(operation) === undefined || !isMeant) return [];
    if (settled.has(requirement) || served.has(operation.id)) return [];
    return [{ operation: operation.id, requirement, sentence: explainOne(operation, requirement) }];
  });
}

/** Whether a probe was left out although the user did not ask for it. */
function isHindered(probe: Probe, { kind }: Reason, { record }: Asked): boolean {
  const isForbidden = record.readOnly && probe.writes;
  return (kind === 'nothing-to-send' || kind === 'budget') && !isForbidden;
}

function listUnread(exchanges: readonly Exchange[]): ReadonlyMap<string, readonly string[]> {
  const unread = exchanges.flatMap(({ outcome, request }) =>
    outcome.kind === 'no-response' && outcome.error.reason === 'too-large'
      ? [[request.operation, outcome.error.message] as const]
      : [],
  );
  const groups = Map.groupBy(unread, ([operation]) => operation);
  return new Map([...groups].map(([id, group]) => [id, group.map(([, message]) => message)]));
}

export function listUnreadOperations(exchanges: readonly Exchange[]): readonly Unserved[] {
  return Array.from(listUnread(exchanges), ([id, messages]) => tellUnread(id, messages));
}

function tellUnread(id: string, messages: readonly string[]): Unserved {
  const many = `${messages.length} responses from ${id} were not judged, the first because`;
  const what = messages.length === 1 ? `a response from ${id} was not judged, because` : many;
  return {
    operation: id,
    requirement: requirementId.robustness(id, 'answered'),
    sentence: `${what} ${messages[0] ?? ''}`,
  };
}

/**
 * Whether a run without failures cannot say that a target conforms, for what was not judged, not
 * asked or not served: any operation where the document lists all that it leaves open; else one that
 * was never sent a valid request, or all of them, as others may need identifiers, bodies and rights
 * that no document states.
 */
export function provesTooLittle(
  contract: Contract,
  unserved: readonly Unserved[],
  exchanges: readonly Exchange[],
): boolean {
  if (unserved.length === 0) return false;
  if (listUnread(exchanges).size > 0) return true;
  const asked = new Set(
    exchanges.flatMap(({ request, intent }) =>
      intent.kind === 'valid' ? [request.operation] : [],
    ),
  );
  return (
    unserved.some(({ operation }) => !asked.has(operation)) ||
    contract.openQuestions.length > 0 ||
    listServed(contract, exchanges).size === 0
  );
}

function listServed(contract: Contract, exchanges: readonly Exchange[]): ReadonlySet<string> {
  return new Set(
    readTrace(contract, exchanges).readings.flatMap(({ succeeded, operation, exchange }) =>
      succeeded && isValidFor(exchange, operation) ? [operation.id] : [],
    ),
  );
}

/** `left`: why the first probe was left out that would have sent a valid request. */
function explain(
  operation: Operation,
  { contract, endedEarly }: Asked,
  exchanges: readonly Exchange[],
  left: Reason | undefined,
): string {
  const valid = exchanges.filter(
    (exchange) => isValidFor(exchange, operation) && !isLimited(exchange, contract),
  );
  const statuses = [...new Set(valid.map((each) => statusOf(each) ?? 'nothing'))].join(', ');
  if (valid.length === 0) {
    const why = endedEarly ?? (left && describeReason(left)) ?? 'no item was known';
    return `${operation.id} was never called: ${why}`;
  }
  const said = `${operation.id} returned ${statuses} for ${valid.length === 1 ? 'the only valid request' : `all ${valid.length} valid requests`}`;
  if (statuses === '403')
    return `${said}: use a key that may call it, or leave it out with --skip ${operation.id}`;
  return `${said}: ${adviseReference(valid, contract)}`;
}

function isValidFor({ request, intent }: Exchange, { id }: Operation): boolean {
  return request.operation === id && intent.kind === 'valid';
}

/** The members that may have to name records which exist. */
function adviseReference(valid: readonly Exchange[], contract: Contract): string {
  const refusing = new Set(
    valid.flatMap(({ intent }) => (intent.kind === 'valid' ? intent.mayRefuse : [])),
  );
  const members = contract.openQuestions
    .filter(({ id, kind }) => kind === 'reference' && refusing.has(id))
    .map(openMember);
  const guessed = new Set(
    valid.flatMap(({ intent }) => (intent.kind === 'valid' ? (intent.guessed ?? []) : [])),
  );
  if (guessed.size > 0)
    return `no response showed which values exist: give one with ${[...guessed].map((name) => `--id ${name}=...`).join(' ')}`;
  if (members.length === 0) return 'the report shows its responses';
  return `if \`${members.join('`, `')}\` must refer to an existing record, give one (--category-id)`;
}
