import {
  type Contract,
  type JsonObject,
  type JsonValue,
  type Requirement,
  type TypeOf,
  codec,
  families,
} from '../contract/index.ts';
import {
  type Failure,
  type Observation,
  type Report,
  type Verdict,
  commonChoices,
  countVerdicts,
  documentFacts,
  isFailedRun,
  mergeFacts,
  readExchanges,
  reason,
  renderExchange,
  shardFacts,
} from '../conformance/index.ts';
import { renderPieces } from './pieces.ts';
import { causeFact } from './cause/fact.ts';
import { causesIn } from './cause/causes.ts';

const { flag, list, oneOf, openObject, optional, orUndefined, quantity, refine, text, whole } =
  codec;

const count = whole(0);

const waiver = { requirement: text, reason: text, owner: text, expires: text };

/** It is shown with each request: a longer one would make a report too long to be shown. */
const address = refine(
  text,
  (each) => each.length <= 2000,
  'an address of at most 2000 characters',
);

/**
 * `report.json`, without what is rendered and read entry by entry: verdicts and exchanges. Members may
 * be added to the format. `docs/report.schema.json` describes it.
 */
const frame = openObject({
  format: oneOf(['petstore-conformance-report/1']),
  outcome: oneOf(['conforms', 'failed', 'inconclusive']),
  inconclusive: optional(text),
  counts: optional(codec.json),
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
  traffic: optional(
    openObject({
      seen: count,
      judged: count,
      notes: list(openObject({ kind: text, sentence: text, count, example: text })),
      failures: list(openObject({ requirement: text, count })),
    }),
  ),
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
    endedEarly: orUndefined(text),
    times: optional(
      openObject({
        waits: list(
          openObject({ before: count, milliseconds: quantity, reason: oneOf(['limit', 'return']) }),
        ),
        waited: quantity,
        clockMoved: quantity,
      }),
    ),
    tested: optional(count),
    required: optional(count),
    omitted: optional(count),
    shard: optional(shardFacts),
  }),
  merge: optional(mergeFacts),
  verdicts: list(codec.json),
  causes: optional(codec.json),
  waivers: list(
    openObject({ ...waiver, state: oneOf(['used', 'unreached', 'expired', 'needless']) }),
  ),
  leftBehind: list(openObject({ resource: text, id: text })),
  exchanges: codec.json,
});

/** What every entry of `verdicts` has: the requirement and the kind of the verdict. */
const entryHead = openObject({
  id: text,
  family: oneOf(families),
  operation: text,
  level: oneOf(['must', 'should', 'open']),
  sentence: text,
  pointer: text,
  section: text,
  verdict: oneOf(['passed', 'failed', 'waived', 'not-tested', 'open']),
});

/** What a verdict rests on, by its kind. @param exchanges how many there are to be named */
function evidenceFor(exchanges: number) {
  const index = refine(count, (each) => each < exchanges, 'the index of an exchange');
  const mismatch = { exchange: index, others: list(index), expected: text, received: text };
  const failures = list(
    openObject({
      ...mismatch,
      replay: orUndefined(text),
      shrunkFrom: optional(openObject(mismatch)),
    }),
  );
  return {
    passed: openObject({ exchanges: list(index) }),
    failed: openObject({ failures }),
    waived: openObject({ failures, waiver: openObject(waiver) }),
    'not-tested': openObject({ reason: text, because: optional(reason) }),
    open: openObject({
      observations: list(openObject({ choices: list(text), exchange: index, evidence: text })),
    }),
  };
}

/**
 * A report as JSON, indented. It holds the members of the format and no others, so that what the suite
 * keeps for itself does not become part of it. Holds no key.
 */
export function renderJsonReport(report: Report, contract?: Contract): string {
  return [...listJsonPieces(report, contract)].join('');
}

/** The text of `renderJsonReport` in pieces. */
export function listJsonPieces(report: Report, contract?: Contract): Iterable<string> {
  const entries = Iterator.from(report.exchanges).map(renderExchange);
  return renderPieces(describeReport(report, contract), 1, entries);
}

/** The document of `renderJsonReport`, with an empty list in the place of its exchanges. */
export function describeReport(report: Report, contract?: Contract): JsonObject {
  const evidence = evidenceFor(Infinity);
  // Members that are there and undefined are left out, as `optional` does.
  const file: TypeOf<typeof frame> = Object({
    ...report,
    verdicts: report.verdicts.map((verdict) => renderVerdict(verdict, evidence)),
    causes: contract && renderCauses(report, contract),
    waivers: report.waivers.map(({ waiver: given, state }) => ({ ...given, state })),
    exchanges: [],
  });
  return frame.render(file);
}

function renderVerdict(verdict: Verdict, shapes: ReturnType<typeof evidenceFor>): JsonObject {
  const { requirement, kind } = verdict;
  const head = entryHead.render({ ...requirement, verdict: kind });
  switch (kind) {
    case 'passed':
      return { ...head, ...shapes[kind].render(verdict) };
    case 'failed':
      return { ...head, ...shapes[kind].render({ failures: verdict.failures.map(orNoReplay) }) };
    case 'waived':
      return {
        ...head,
        ...shapes[kind].render({ ...verdict, failures: verdict.failures.map(orNoReplay) }),
      };
    case 'not-tested':
      return {
        ...head,
        reason: verdict.reason,
        ...(verdict.because && { because: reason.render(verdict.because) }),
      };
    case 'open':
      return {
        ...head,
        choices: commonChoices(verdict.observations),
        observations: verdict.observations.map((each) => ({
          choice: soleChoice(each),
          choices: each.choices,
          exchange: each.exchange,
          evidence: each.evidence,
        })),
      };
  }
}

type ReadFailure = TypeOf<ReturnType<typeof evidenceFor>['failed']>['failures'][number];

function orNoReplay({ replay, ...failure }: Failure): ReadFailure {
  return { ...failure, replay };
}

/** The choice that an observation fits; null where that is none or several. */
export function soleChoice({ choices: [choice, ...others] }: Observation): string | null {
  return choice !== undefined && others.length === 0 ? choice : null;
}

/** The causes of the failures, the deepest first; failures are named by their exchange. */
function renderCauses(report: Report, contract: Contract): readonly JsonObject[] {
  return causesIn(report, contract).map(({ fact, sentence, exchanges, findings }) => ({
    kind: fact.kind,
    sentence,
    exchanges,
    fact: causeFact.render(fact),
    findings: findings.map(({ requirement, failures }) => ({
      requirement: requirement.id,
      exchanges: failures.map(({ exchange }) => exchange),
    })),
  }));
}

/**
 * Reads a `report.json`, as `renderJsonReport` writes it, against the document that is at hand: its
 * requirements are taken from there, those that it does not have from the file. What the file says of
 * itself is not believed where its verdicts say otherwise.
 * @throws {PetstoreError} with code `shape`, for the first thing that is wrong
 */
export function readJsonReport(value: JsonValue, contract: Contract): Report {
  const { counts: _counts, causes: _causes, ...found } = frame.read(value, '');
  const exchanges = readAt('/exchanges', () => readExchanges(found.exchanges));
  const evidence = evidenceFor(exchanges.length);
  const verdicts = found.verdicts.map((entry, index) => {
    const at = `/verdicts/${index}`;
    const head = entryHead.read(entry, at);
    const requirement = requirementOf(head, contract, found.client !== undefined);
    return readVerdict(requirement, head.verdict, entry, at, evidence);
  });
  const waivers = found.waivers.map(({ state, ...each }) => ({ waiver: each, state }));
  const { outcome, inconclusive, ...rest } = found;
  const isFailed = isFailedRun(verdicts, waivers);
  const isDoubtful = outcome === 'inconclusive' && inconclusive !== undefined && !isFailed;
  return {
    ...rest,
    outcome: isFailed ? 'failed' : outcome,
    ...(isDoubtful ? { inconclusive } : {}),
    counts: countVerdicts(verdicts),
    verdicts,
    waivers,
    exchanges,
  };
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
  { verdict: _verdict, ...known }: TypeOf<typeof entryHead>,
  contract: Contract,
  isOfClient: boolean,
): Requirement {
  const subject = isOfClient
    ? ({ kind: 'client', applies: true } as const)
    : ({ kind: 'robustness', facet: 'answered' } as const);
  return contract.requirementOf(known.id) ?? { ...known, subject };
}

function readVerdict(
  requirement: Requirement,
  kind: Verdict['kind'],
  entry: JsonValue,
  at: string,
  shapes: ReturnType<typeof evidenceFor>,
): Verdict {
  switch (kind) {
    case 'passed':
      return { requirement, kind, ...shapes[kind].read(entry, at) };
    case 'failed':
      return { requirement, kind, failures: shapes[kind].read(entry, at).failures.map(failureOf) };
    case 'waived': {
      const read = shapes[kind].read(entry, at);
      return { requirement, kind, failures: read.failures.map(failureOf), waiver: read.waiver };
    }
    case 'not-tested':
      return { requirement, kind, ...shapes[kind].read(entry, at) };
    case 'open':
      return { requirement, kind, ...shapes[kind].read(entry, at) };
  }
}

function failureOf({ replay, ...failure }: ReadFailure): Failure {
  return replay === undefined ? failure : { ...failure, replay };
}
