import * as codec from '../../contract/json/codec.ts';
import type { TypeOf } from '../../contract/json/codec.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Requirement } from '../judge/trace/requirement.ts';
import type { Exchange } from '../transport/exchange.ts';
import { mergeFacts, shardFacts } from '../shard/shard.ts';
import { describeLeftOut, documentFacts } from '../outcome/inconclusive.ts';
import type { RunRecord } from './settings.ts';
import { applyWaivers, type Verdict, type WaiverResult } from '../judge/verdict.ts';
import type { Waiver } from '../judge/waiver.ts';

const {
  annotate,
  described,
  flag,
  list,
  oneOf,
  openObject,
  optional,
  orUndefined,
  quantity,
  refine,
  text,
  whole,
} = codec;

const count = whole(0);

/** Facts about the document. */
export const contractFacts = {
  title: text,
  version: text,
  digest: annotate(text, {
    description: "SHA-256 of the document's text.",
    pattern: '^[0-9a-f]{64}$',
  }),
  source: described(text, 'Name of the file.'),
};

/** It is shown with each request, so a longer one would make reports unreadable. */
const address = refine(
  text,
  (each) => each.length <= 2000,
  'an address of at most 2000 characters',
);

export const targetFacts = {
  baseUrl: address,
  plan: described(orUndefined(text), 'Plan of the key as the user gave it.'),
  isKeyless: optional(described(flag, 'The run had no key. Left out if it had one.')),
};

const time = refine(
  annotate(text, { format: 'date-time' }),
  (each) => !Number.isNaN(Date.parse(each)),
  'a time such as 2026-11-21T02:00:00.000Z',
);

export const runFacts = {
  seed: described(whole(Number.MIN_SAFE_INTEGER), 'The same seed sends the same requests.'),
  tag: described(text, 'Begins every text that the run left on the target.'),
  budget: described(count, 'Most requests that could be sent.'),
  requests: described(count, 'Requests that were sent.'),
  planned: described(count, 'Requests in the plan.'),
  startedAt: time,
  milliseconds: described(
    quantity,
    'Time that passed, without that by which a clock was moved ahead.',
  ),
  endedEarly: described(orUndefined(text), 'Why the run ended before its plan.'),
  times: optional(
    described(
      openObject({
        waits: described(
          list(
            openObject({
              before: described(count, 'Index of the exchange that was sent after it.'),
              milliseconds: described(
                quantity,
                'From the endedAt of the previous exchange to the sentAt of this one.',
              ),
              reason: described(
                oneOf(['limit', 'return']),
                '`limit`: the rate limit; `return`: the target was unreachable, or a 503 said when it returns.',
              ),
            }),
          ),
          'Every period in which the suite held requests back, in order.',
        ),
        waited: described(quantity, 'The sum of the waits; 0 if a clock was moved instead.'),
        clockMoved: described(
          quantity,
          'Total time by which the clock of the embedded mock was moved ahead instead of waiting. The times of the exchanges are by that clock.',
        ),
      }),
      'The times of a single run, in milliseconds. Left out for merged reports, clients and traffic.',
    ),
  ),
  tested: optional(
    described(count, 'Planned requests that were tested. Left out if none are planned.'),
  ),
  required: optional(described(count, 'Percentage of the planned requests that must be tested.')),
  omitted: optional(
    described(count, 'Requests of the default plan that a smaller --requests left out.'),
  ),
  shard: optional(
    described(
      shardFacts,
      'The shard of a larger run that this run is. Left out for other runs and for merged reports.',
    ),
  ),
};

export type RunFacts = TypeOf<typeof runCodec>;

const runCodec = openObject(runFacts);

const traffic = openObject({
  seen: described(count, 'Exchanges that were seen.'),
  judged: described(count, 'Those that were judged.'),
  notes: described(
    list(
      openObject({
        kind: described(
          oneOf(['request', 'status', 'outside', 'not-judged']),
          '`request`: a request breaks the document; `status`: a status that the operation does not list; `outside`: no operation of the document; `not-judged`: why an exchange, or a part, is not judged.',
        ),
        sentence: described(text, 'A clause without a full stop.'),
        count,
        example: described(text, 'The first such request: `GET /pets?limit=0`.'),
      }),
    ),
    'What clients did, and what was not judged. Fails no requirement.',
  ),
  failures: described(
    list(openObject({ requirement: text, count })),
    'Number of failures of each requirement that failed more often than the report shows.',
  ),
});

/** A note on traffic. Notes fail no requirement. */
export type TrafficNote = TypeOf<typeof traffic>['notes'][number];

/** An item that the run added and, as far as it knows, has not been removed. */
export type LeftBehind = TypeOf<typeof leftItem>;

const leftItem = openObject({ resource: described(text, 'Path of the collection.'), id: text });

export const leftBehind = described(
  list(leftItem),
  'Items that the run added and that are still there as far as it knows.',
);

/** The facts of a report besides its verdicts, waivers and exchanges. */
export const reportFacts = {
  outcome: described(
    oneOf(['conforms', 'failed', 'inconclusive']),
    '`failed` if a requirement of level `must` failed, or if a waiver is expired or unnecessary; `inconclusive` if nothing failed, but too little was tested to say that the target conforms.',
  ),
  inconclusive: optional(
    described(text, 'Why the outcome is inconclusive. Left out if it is not.'),
  ),
  counts: described(
    openObject({ passed: count, failed: count, waived: count, 'not-tested': count, open: count }),
    'Verdicts of each kind, at every level. `not-tested` counts only requirements, not open questions that were not asked.',
  ),
  contract: described(
    openObject({
      ...contractFacts,
      leftOut: optional(
        described(
          documentFacts,
          'The parts of the document that could not be read. Left out if there are none.',
        ),
      ),
    }),
    'The document that was judged against.',
  ),
  unserved: described(
    list(openObject({ operation: text, requirement: text, sentence: text })),
    'For each operation that accepted no valid request: why, and what to do.',
  ),
  target: openObject(targetFacts),
  client: described(
    orUndefined(text),
    'The client whose requests to the target were judged; null if the target itself was judged.',
  ),
  traffic: optional(
    described(
      traffic,
      'For judged traffic (petstore proxy, petstore judge): what the verdicts do not say. Left out in reports of the suite. `exchanges` has only a part of the traffic.',
    ),
  ),
  run: described(
    runCodec,
    'In a report on a client, the period in which it was observed; seed, tag and budget mean nothing there.',
  ),
  merge: optional(
    described(
      mergeFacts,
      'The shards of a report that petstore merge made. Left out for a single run. `exchanges` has those of all shards, one shard after the other; `run` has their sums and all tags.',
    ),
  ),
};

const factsCodec = openObject(reportFacts);

/** The result of judging; every output is rendered from it. Never contains the key. */
export interface Report extends TypeOf<typeof factsCodec> {
  readonly format: 'petstore-conformance-report/1';
  /** One for each requirement, in the contract's order. */
  readonly verdicts: readonly Verdict[];
  /** Every given waiver, with its result. */
  readonly waivers: readonly WaiverResult[];
  readonly leftBehind: readonly LeftBehind[];
  readonly exchanges: readonly Exchange[];
}

/** The report of a run of the suite. */
export interface RunReport extends Report {
  /**
   * Everything that decided the run, so that it can be run again with its log. Not part of any
   * output.
   */
  readonly record: RunRecord;
}

/** The part of a verdict that counting needs. */
interface Counted {
  readonly kind: Verdict['kind'];
  readonly requirement: Pick<Requirement, 'level'>;
}

/**
 * Counts verdicts of each kind, for every output. Open questions that were not asked are not
 * counted.
 */
export function countVerdicts(verdicts: readonly Counted[]): Report['counts'] {
  const counts = { passed: 0, failed: 0, waived: 0, 'not-tested': 0, open: 0 };
  for (const verdict of verdicts)
    if (verdict.kind !== 'not-tested' || isNotTested(verdict)) counts[verdict.kind] += 1;
  return counts;
}

/** Whether a requirement was not tested. Open questions are not requirements. */
export function isNotTested<V extends Counted>(
  verdict: V,
): verdict is Extract<V, { readonly kind: 'not-tested' }> {
  return verdict.kind === 'not-tested' && verdict.requirement.level !== 'open';
}

/** Whether a verdict fails the target: `should` requirements are reported only. */
export function isFailure(verdict: Verdict): boolean {
  return verdict.kind === 'failed' && verdict.requirement.level === 'must';
}

/** Whether a run fails: because of a requirement, or a waiver that is expired or unnecessary. */
export function isFailedRun(
  verdicts: readonly Verdict[],
  waivers: readonly WaiverResult[],
): boolean {
  return (
    verdicts.some(isFailure) ||
    waivers.some(({ state }) => state === 'expired' || state === 'needless')
  );
}

/** The parts from which a report is assembled. */
interface ReportParts
  extends
    Pick<Report, 'target' | 'run' | 'exchanges'>,
    Partial<Pick<Report, 'client' | 'unserved' | 'leftBehind' | 'traffic' | 'merge'>> {
  readonly judged: readonly Verdict[];
  readonly waivers?: readonly Waiver[];
  /** The time at which waivers must be valid, in milliseconds since the Unix epoch. */
  readonly now: number;
  /** Explains why the run is inconclusive; not called if something failed. */
  readonly explainInconclusive: (verdicts: readonly Verdict[]) => string | undefined;
}

/** The facts of a run in which others sent the requests. Times in milliseconds since 1970. */
export function watchedRun(requests: number, from: number, to: number): RunFacts {
  return {
    seed: 0,
    tag: '',
    budget: requests,
    requests,
    planned: requests,
    startedAt: new Date(from).toISOString(),
    milliseconds: Math.max(0, to - from),
    endedEarly: undefined,
  };
}

/** Applies waivers, counts and settles the outcome. */
export function assembleReport(
  contract: Contract,
  { judged, waivers = [], now, explainInconclusive, ...parts }: ReportParts,
): Report {
  const { verdicts, results } = applyWaivers(judged, waivers, now);
  // Another shard may show the failure.
  const settled = results.map((each) =>
    parts.run.shard !== undefined && each.state === 'needless'
      ? { ...each, state: 'unreached' as const }
      : each,
  );
  const isFailed = isFailedRun(verdicts, settled);
  const inconclusive = isFailed ? undefined : explainInconclusive(verdicts);
  return {
    format: 'petstore-conformance-report/1',
    contract: describeContract(contract),
    client: undefined,
    unserved: [],
    leftBehind: [],
    ...parts,
    outcome: isFailed ? 'failed' : inconclusive === undefined ? 'conforms' : 'inconclusive',
    ...(inconclusive !== undefined && { inconclusive }),
    counts: countVerdicts(verdicts),
    verdicts,
    waivers: settled,
  };
}

/** The facts of a contract that a report names. */
function describeContract(contract: Contract): Report['contract'] {
  const { title, version, digest, source } = contract;
  const leftOut = describeLeftOut(contract);
  return { title, version, digest, source, ...(leftOut === undefined ? {} : { leftOut }) };
}
