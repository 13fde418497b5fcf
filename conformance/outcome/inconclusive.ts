import * as codec from '../../contract/json/codec.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Diagnostic } from '../../contract/source/diagnostic.ts';
import type { TypeOf } from '../../contract/json/codec.ts';
import type { Probe } from '../probes/probe.ts';
import type { Reason } from '../judge/reason/reason.ts';
import { type Exchange, hasResponded, statusOf } from '../transport/exchange.ts';
import { isLimited } from '../transport/pacing.ts';
import { openMember } from '../../contract/openapi/open-question.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import { readTrace } from '../family/read-trace.ts';
import { successId } from '../judge/trace/trace.ts';
import type { Verdict } from '../judge/verdict.ts';

const { described, list, object, text, whole } = codec;

/** How many unread parts are listed; all are counted. */
const maxNamed = 50;

/** The parts of a document that could not be read, and so were not tested. */
export const documentFacts = object({
  count: described(whole(1), 'Errors of the document: `petstore lint` lists them.'),
  operations: described(
    whole(0),
    'Operations that could not be read, or paths whose number of operations is unknown.',
  ),
  parts: described(
    list(object({ place: text, pointer: text, reason: text })),
    'The first of them. `place`: `api.yaml:9:5`.',
  ),
});

export type DocumentFacts = TypeOf<typeof documentFacts>;

export function describeLeftOut({ leftOut }: Contract): DocumentFacts | undefined {
  if (leftOut.length === 0) return undefined;
  return {
    count: leftOut.length,
    operations: countUnread(leftOut),
    parts: leftOut.slice(0, maxNamed).map(({ file, line, column, pointer, message }) => ({
      place: `${file}:${line}:${column}`,
      pointer,
      reason: message,
    })),
  };
}

/** The pointer of a path item, of what it refers to, or of one of its operations. */
const unread =
  /^#\/paths(\/[^/]+(\/(\$ref|get|put|post|delete|options|head|patch|trace|query))?)?$/;

function countUnread(leftOut: readonly Diagnostic[]): number {
  const places = leftOut.filter(({ pointer }) => unread.test(pointer));
  return new Set(places.map(({ file, pointer }) => `${file} ${pointer}`)).size;
}

/** Why the document is incomplete, without a full stop; undefined if it is complete. */
export function explainCut({ leftOut, operations }: Contract): string | undefined {
  const cut = leftOut.find(({ code }) => code === 'cut-text');
  if (cut !== undefined)
    return `the document could not be read to the end: ${cut.file}:${cut.line}:${cut.column}: ${cut.message}`;
  return operations.length === 0 ? 'the document has no operation that can be sent' : undefined;
}

/** A sentence without its full stop; undefined if all operations were read. */
export function explainUnread(facts: DocumentFacts | undefined): string | undefined {
  const [first] = facts?.parts.filter(({ pointer }) => unread.test(pointer)) ?? [];
  if (facts === undefined || facts.operations === 0) return undefined;
  const which = first === undefined ? '' : `, the first at ${first.place}: ${first.reason}`;
  return facts.operations === 1
    ? `an operation of the document could not be read${which}`
    : `${facts.operations} operations of the document could not be read${which}`;
}

/** Percentage of the operations that could be read. The others count as not tested. */
export function readShare({ operations }: Contract, facts: DocumentFacts | undefined): number {
  const left = facts?.operations ?? 0;
  return left === 0 ? 100 : (100 * operations.length) / (operations.length + left);
}

/** The results of the probes of a plan. */
export interface ProbeOutcome {
  /** Why the run ended before its plan was done; undefined if it did not. */
  readonly endedEarly: Extract<Reason, { readonly kind: 'ended-early' }> | undefined;
  /**
   * Why probes were not sent or not completed: left out of the plan, nothing to send, or still in
   * progress or waiting when the run ended early.
   */
  readonly unsent: ReadonlyMap<Probe, Reason>;
}

/** How much of the plan was tested, in requests. */
export interface TestedShare {
  readonly planned: number;
  readonly tested: number;
  /** Requests of the default plan that a smaller budget left out. */
  readonly omitted: number;
  readonly required: number;
  /** Percentage of the document's operations that could be read. The others count as not tested. */
  readonly read: number;
  /** What kept the rest from being tested; undefined if nothing did. */
  readonly cause: string | undefined;
}

/** Default percentage of the planned requests that must be tested. */
export const requiredShare = 90;

/**
 * Counts the planned requests that were tested. A probe was tested if it completed and the last
 * response to each of its requests is not a 429. Probes that had nothing to send because of the
 * target's items do not count as planned.
 */
export function countTested(
  contract: Contract,
  { probes, omitted }: { readonly probes: readonly Probe[]; readonly omitted: number },
  { endedEarly, unsent }: ProbeOutcome,
  exchanges: readonly Exchange[],
  required = requiredShare,
): TestedShare {
  const facts = describeLeftOut(contract);
  const turnedAway = listTurnedAway(contract, exchanges);
  const sent = Map.groupBy(exchanges, ({ probe }) => probe);
  const isHindered = (probe: Probe): boolean =>
    unsent.get(probe)?.kind === 'ended-early' ||
    (probe.phase !== 'exhaust' && turnedAway.has(probe.id));
  const isRunHindered = probes.some(isHindered);
  let [planned, tested] = [0, 0];
  for (const probe of probes) {
    const isIdle = unsent.get(probe)?.kind === 'nothing-to-send';
    // If the run was hindered, it is unknown what these probes would have sent.
    if (isIdle && !isRunHindered) continue;
    if (isIdle || isHindered(probe)) planned += probe.requests;
    else {
      // A completed probe needed only what it sent, which may be less than expected.
      const needed = Math.min(probe.requests, sent.get(probe.id)?.length ?? 0);
      planned += needed;
      tested += needed;
    }
  }
  const hindrance = endedEarly?.text ?? [...turnedAway.values()][0];
  return {
    planned,
    tested,
    omitted,
    required,
    read: readShare(contract, facts),
    cause: isRunHindered ? hindrance : explainUnread(facts),
  };
}

/** Why a run is below its required share, without a full stop; undefined if it is not. */
function explainShare({
  planned,
  omitted,
  tested,
  required,
  read,
  cause,
}: TestedShare): string | undefined {
  const all = planned + omitted;
  if (tested * read >= all * required) return undefined;
  const percent = Math.floor((read * tested) / Math.max(1, all));
  const which = omitted === 0 ? 'planned requests' : 'requests that a run has by default';
  const unread =
    read === 100 ? '' : ` of the ${Math.floor(read)} % of the operations that could be read`;
  const share = `${tested} of ${all} ${which}${unread} were tested, ${percent} %${unread === '' ? '' : ' of the whole'}, and ${required} % have to be`;
  const budget = omitted === 0 ? undefined : `--requests leaves ${omitted} of them out`;
  return [cause, share, budget].filter((part) => part !== undefined).join('; ');
}

/** By probe, why one of its requests was never tested: the result of its last repetition. */
function listTurnedAway(
  contract: Contract,
  exchanges: readonly Exchange[],
): ReadonlyMap<string, string> {
  const latest = new Map<string, Exchange>();
  for (const exchange of exchanges) {
    const { method, target, credential, body = '' } = exchange.request;
    if (exchange.intent.kind === 'beyond') continue;
    latest.set(JSON.stringify([exchange.probe, method, target, credential, body]), exchange);
  }
  return new Map(
    [...latest.values()].flatMap((exchange) => {
      const cause = explainLast(exchange, contract);
      return cause === undefined ? [] : [[exchange.probe, cause] as const];
    }),
  );
}

function explainLast(exchange: Exchange, contract: Contract): string | undefined {
  const { method, target } = exchange.request;
  if (isLimited(exchange, contract)) return `rate limit: ${method} ${target} got a 429 every time`;
  if (exchange.outcome.kind === 'answered') return undefined;
  const { message } = exchange.outcome.error;
  return hasResponded(exchange)
    ? `the response to ${method} ${target} cannot be judged: ${message}`
    : `target: ${method} ${target} had no response (${message})`;
}

/**
 * An operation that accepted no valid request, or whose responses are over a limit of the suite.
 */
export interface Unserved {
  readonly operation: string;
  /** The requirement that valid requests to it succeed, or that it responds. */
  readonly requirement: string;
  /** Why, and what to do: a sentence without its full stop. */
  readonly sentence: string;
}

/**
 * A sentence for each planned operation that accepted no valid request although no requirement
 * failed for that: what it responded, or why it was never called, and what to do.
 */
export function listUnserved(
  contract: Contract,
  verdicts: readonly Verdict[],
  exchanges: readonly Exchange[],
): readonly Unserved[] {
  const byId = new Map(verdicts.map((verdict) => [verdict.requirement.id, verdict]));
  const served = listServed(contract, exchanges);
  const unread = listUnread(exchanges);
  const valid = Map.groupBy(
    exchanges.filter(({ intent }) => intent.kind === 'valid'),
    ({ request }) => request.operation,
  );
  return contract.operations.flatMap((operation) => {
    const { id } = operation;
    const tooLarge = unread.get(id);
    if (tooLarge !== undefined) return [tooLarge];
    const requirement = successId(operation);
    const verdict = byId.get(requirement);
    if (verdict?.kind !== 'not-tested' || served.has(id)) return [];
    const { because, reason } = verdict;
    // The user excluded it.
    if (because?.kind === 'not-selected' || because?.kind === 'read-only') return [];
    const asked = valid.get(id)?.filter((each) => !isLimited(each, contract)) ?? [];
    const isImpossible = because?.kind === 'nothing-to-send';
    const advice = isImpossible ? `; leave it out with --skip ${id}` : '';
    const why = because?.kind === 'not-shown' ? 'no item was known' : `${reason}${advice}`;
    const sentence =
      asked.length === 0 ? `${id} was never called: ${why}` : explainRefusals(id, asked, contract);
    return [{ operation: id, requirement, sentence }];
  });
}

/** By operation, those whose responses were over a limit of the suite. */
function listUnread(exchanges: readonly Exchange[]): ReadonlyMap<string, Unserved> {
  const unread = exchanges.flatMap(({ outcome, request }) =>
    outcome.kind === 'no-response' && outcome.error.reason === 'too-large'
      ? [{ operation: request.operation, message: outcome.error.message }]
      : [],
  );
  const groups = Map.groupBy(unread, ({ operation }) => operation);
  return new Map(
    Array.from(groups, ([operation, [first, ...others]]) => {
      const what =
        others.length === 0
          ? `a response from ${operation} was not judged, because`
          : `${others.length + 1} responses from ${operation} were not judged, the first because`;
      const requirement = requirementId.robustness(operation, 'answered');
      return [operation, { operation, requirement, sentence: `${what} ${first?.message ?? ''}` }];
    }),
  );
}

/**
 * Whether a run without failures proves too little to say that a target conforms, because of what
 * was not judged, called or accepted. If the document lists everything that it leaves open, one
 * such operation is enough. Otherwise it takes an operation that was never sent a valid request, or
 * all operations, because others may need ids, bodies and permissions that the document does not
 * state.
 */
function provesTooLittle(
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
      succeeded && exchange.intent.kind === 'valid' ? [operation.id] : [],
    ),
  );
}

function explainRefusals(id: string, valid: readonly Exchange[], contract: Contract): string {
  const statuses = [...new Set(valid.map((each) => statusOf(each) ?? 'nothing'))].join(', ');
  const said = `${id} returned ${statuses} for ${valid.length === 1 ? 'the only valid request' : `all ${valid.length} valid requests`}`;
  if (statuses === '403')
    return `${said}: use a key that may call it, or leave it out with --skip ${id}`;
  return `${said}: ${adviseReference(valid, contract)}`;
}

/** The members that may have to refer to existing records. */
function adviseReference(valid: readonly Exchange[], { openQuestions }: Contract): string {
  const intents = valid.flatMap(({ intent }) => (intent.kind === 'valid' ? [intent] : []));
  const guessed = new Set(intents.flatMap((intent) => intent.guessed ?? []));
  if (guessed.size > 0)
    return `no response showed which values exist: give one with ${[...guessed].map((name) => `--id ${name}=...`).join(' ')}`;
  const refusing = new Set(intents.flatMap(({ mayRefuse }) => mayRefuse));
  const members = openQuestions
    .filter(({ id, kind }) => kind === 'reference' && refusing.has(id))
    .map(openMember);
  if (members.length === 0) return 'the report shows its responses';
  return `if \`${members.join('`, `')}\` must refer to an existing record, give one (--category-id)`;
}

export interface Evidence {
  readonly contract: Contract;
  readonly share: TestedShare;
  readonly unserved: readonly Unserved[];
  readonly verdicts: readonly Verdict[];
  readonly exchanges: readonly Exchange[];
}

/** Why a run without failures is inconclusive, without a full stop; undefined if it is not. */
export function explainInconclusive({
  contract,
  share,
  unserved,
  verdicts,
  exchanges,
}: Evidence): string | undefined {
  const why = explainCut(contract) ?? explainShare(share);
  if (why !== undefined) return why;
  const [first, ...others] = unserved;
  if (first !== undefined && provesTooLittle(contract, unserved, exchanges))
    return others.length === 0
      ? first.sentence
      : `${first.sentence}; the same applies to ${others.length} more operations`;
  return explainUndecided(verdicts) ?? explainNothing(verdicts);
}

/**
 * The requirement that may be broken by values whose judging did not finish, without a full stop;
 * undefined if there is none.
 */
export function explainUndecided(verdicts: readonly Verdict[]): string | undefined {
  for (const verdict of verdicts)
    if (verdict.kind === 'not-tested' && verdict.isUndecided === true)
      return `it is not known whether ${verdict.requirement.id} holds: ${verdict.reason}`;
  return undefined;
}

/** Why nothing at all was tested; undefined if something was. */
export function explainNothing(verdicts: readonly Verdict[]): string | undefined {
  const reasons = verdicts.flatMap((each) => (each.kind === 'not-tested' ? [each.reason] : []));
  if (reasons.length < verdicts.length) return undefined;
  const [most] = [...Map.groupBy(reasons, String)].toSorted(([, a], [, b]) => b.length - a.length);
  const nothing = 'no requirement was tested';
  return most === undefined ? nothing : `${nothing}: ${most[0]}`;
}
