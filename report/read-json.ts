import {
  type Contract,
  type JsonValue,
  type Requirement,
  codec,
  families,
} from '../contract/index.ts';
import {
  type Failure,
  type Report,
  type Verdict,
  countVerdicts,
  documentFacts,
  isFailedRun,
  mergeFacts,
  readExchanges,
  reason,
  shardFacts,
} from '../conformance/index.ts';

const { flag, list, oneOf, openObject, optional, orUndefined, quantity, refine, text, whole } =
  codec;

const count = whole(0);

const waiver = { requirement: text, reason: text, owner: text, expires: text };

/** It stands beside each request: a report would become too long to be shown. */
const address = refine(
  text,
  (each) => each.length <= 2000,
  'an address of at most 2000 characters',
);

/** A report as its file has it, without verdicts and exchanges. Members may be added to the format. */
const frame = openObject({
  format: oneOf(['petstore-conformance-report/1']),
  outcome: oneOf(['conforms', 'failed', 'inconclusive']),
  inconclusive: optional(text),
  contract: openObject({
    title: text,
    version: text,
    digest: text,
    source: text,
    leftOut: optional(documentFacts),
  }),
  unserved: list(openObject({ operation: text, requirement: text, sentence: text })),
  target: openObject({ baseUrl: address, plan: orUndefined(text), isKeyless: optional(flag) }),
  client: orUndefined(text),
  run: openObject({
    seed: whole(Number.MIN_SAFE_INTEGER),
    tag: text,
    budget: count,
    requests: count,
    planned: count,
    startedAt: refine(
      text,
      (each) => !Number.isNaN(Date.parse(each)),
      'a time such as 2026-11-21T02:00:00.000Z',
    ),
    milliseconds: quantity,
    times: optional(
      openObject({
        waits: list(
          openObject({ before: count, milliseconds: quantity, reason: oneOf(['limit', 'return']) }),
        ),
        waited: quantity,
        clockMoved: quantity,
      }),
    ),
    endedEarly: orUndefined(text),
    tested: optional(count),
    required: optional(count),
    omitted: optional(count),
    shard: optional(shardFacts),
  }),
  merge: optional(mergeFacts),
  traffic: optional(
    openObject({
      seen: count,
      judged: count,
      notes: list(openObject({ kind: text, sentence: text, count, example: text })),
      failures: list(openObject({ requirement: text, count })),
    }),
  ),
  verdicts: list(codec.jsonObject),
  waivers: list(
    openObject({ ...waiver, state: oneOf(['used', 'unreached', 'expired', 'needless']) }),
  ),
  leftBehind: list(openObject({ resource: text, id: text })),
  exchanges: codec.json,
});

/** The requirement and the verdict of one entry of `verdicts`. */
const facts = openObject({
  id: text,
  family: oneOf(families),
  operation: text,
  level: oneOf(['must', 'should', 'open']),
  sentence: text,
  pointer: text,
  section: text,
  verdict: oneOf(['passed', 'failed', 'waived', 'not-tested', 'open']),
});

type Facts = ReturnType<typeof facts.read>;

/**
 * Reads a `report.json`, as `renderJsonReport` writes it, against the document that is at hand: its
 * requirements are taken from there, those that it does not have from the file. What the file says of
 * itself is not believed where its verdicts say otherwise.
 * @throws {PetstoreError} with code `shape`, for the first thing that is wrong
 */
export function readJsonReport(value: JsonValue, contract: Contract): Report {
  const found = frame.read(value, '');
  const exchanges = readAt('/exchanges', () => readExchanges(found.exchanges));
  const evidence = evidenceOf(exchanges.length);
  const verdicts = found.verdicts.map((entry, index): Verdict => {
    const at = `/verdicts/${index}`;
    const read = facts.read(entry, at);
    const requirement = requirementOf(read, contract, found.client !== undefined);
    return { requirement, ...evidence(read.verdict, entry, at) };
  });
  const waivers = found.waivers.map(({ state, ...each }) => ({ waiver: each, state }));
  const { inconclusive, ...rest } = found;
  return {
    ...rest,
    ...settleRead(found.outcome, inconclusive, isFailedRun(verdicts, waivers)),
    counts: countVerdicts(verdicts),
    verdicts,
    waivers,
    exchanges,
  };
}

/** The outcome that a file says, where its verdicts say nothing else. */
function settleRead(
  outcome: Report['outcome'],
  inconclusive: string | undefined,
  isFailed: boolean,
): Pick<Report, 'outcome' | 'inconclusive'> {
  if (isFailed) return { outcome: 'failed' };
  return outcome === 'inconclusive' && inconclusive !== undefined
    ? { outcome, inconclusive }
    : { outcome };
}

/** Places in a part of the file as places in the whole. */
function readAt<T>(at: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error) throw codec.shapeError(at, `cannot be read: ${error.message}`);
    throw error;
  }
}

/** A document that has changed since may not have it any more; nothing but the text is known then. */
function requirementOf(
  { verdict: _verdict, ...known }: Facts,
  contract: Contract,
  isOfClient: boolean,
): Requirement {
  const subject = isOfClient
    ? ({ kind: 'client', applies: true } as const)
    : ({ kind: 'robustness', facet: 'answered' } as const);
  return contract.requirementOf(known.id) ?? { ...known, subject };
}

/** A verdict without the requirement. */
type Evidence = Verdict extends infer V
  ? V extends Verdict
    ? Omit<V, 'requirement'>
    : never
  : never;

/** Reads what a verdict rests on; it names no exchange that there is not. */
function evidenceOf(
  exchanges: number,
): (kind: Facts['verdict'], entry: JsonValue, at: string) => Evidence {
  const index = refine(count, (each) => each < exchanges, 'the index of an exchange');
  const mismatch = { exchange: index, others: list(index), expected: text, received: text };
  const failure = openObject({
    ...mismatch,
    replay: orUndefined(text),
    shrunkFrom: optional(openObject(mismatch)),
  });
  const failures = { failures: list(failure) };
  const observation = openObject({ choices: list(text), exchange: index, evidence: text });
  const shapes = {
    passed: openObject({ exchanges: list(index) }),
    failed: openObject(failures),
    waived: openObject({ ...failures, waiver: openObject(waiver) }),
    'not-tested': openObject({ reason: text, because: optional(reason) }),
    open: openObject({ observations: list(observation) }),
  };
  return (kind, entry, at) => {
    switch (kind) {
      case 'passed':
        return { kind, ...shapes[kind].read(entry, at) };
      case 'failed':
        return { kind, failures: shapes[kind].read(entry, at).failures.map(failureOf) };
      case 'waived': {
        const read = shapes[kind].read(entry, at);
        return { kind, failures: read.failures.map(failureOf), waiver: read.waiver };
      }
      case 'not-tested':
        return { kind, ...shapes[kind].read(entry, at) };
      case 'open':
        return { kind, ...shapes[kind].read(entry, at) };
    }
  };
}

/** The two members that a failure may do without are left out where there is nothing to say. */
function failureOf({
  replay,
  shrunkFrom,
  ...failure
}: Mismatch & {
  readonly replay: string | undefined;
  readonly shrunkFrom?: Mismatch | undefined;
}): Failure {
  return {
    ...failure,
    ...(replay === undefined ? {} : { replay }),
    ...(shrunkFrom === undefined ? {} : { shrunkFrom }),
  };
}

type Mismatch = Omit<Failure, 'replay' | 'shrunkFrom'>;
