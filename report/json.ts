import * as codec from '../contract/json/codec.ts';
import type { Contract } from '../contract/contract.ts';
import type { JsonObject, JsonValue } from '../contract/json/value.ts';
import type { TypeOf } from '../contract/json/codec.ts';
import {
  requirementsOf,
  type Requirement,
  families,
  type Failure,
  type Observation,
  type Report,
  type Verdict,
  commonChoices,
  countVerdicts,
  documentFacts,
  exchange,
  isFailedRun,
  mergeFacts,
  readExchanges,
  reason,
  renderExchange,
  shardFacts,
} from '../conformance/index.ts';
import { renderPieces } from './pieces.ts';
import { composeSchema, someOf } from './published-schema.ts';
import { causeFact, causeKind, outcome as causeOutcome } from './cause/fact.ts';
import { causesIn } from './cause/causes.ts';

const { annotate, described, flag, list, oneOf, openObject, openVariants, optional, orUndefined } =
  codec;
const { quantity, refine, text, whole } = codec;

const count = whole(0);

const waiver = {
  requirement: text,
  reason: text,
  owner: text,
  expires: annotate(text, {
    description: 'The last day on which it holds (UTC).',
    format: 'date',
  }),
};

/** Of the document that was judged by. */
export const digest = annotate(text, {
  description: "SHA-256 of the document's text.",
  pattern: '^[0-9a-f]{64}$',
});

/** It is shown with each request: a longer one would make a report too long to be shown. */
const address = refine(
  text,
  (each) => each.length <= 2000,
  'an address of at most 2000 characters',
);

export const target = {
  baseUrl: address,
  plan: described(orUndefined(text), 'Plan of the key as the user gave it.'),
};

const time = refine(
  annotate(text, { format: 'date-time' }),
  (each) => !Number.isNaN(Date.parse(each)),
  'a time such as 2026-11-21T02:00:00.000Z',
);

export const run = {
  seed: described(whole(Number.MIN_SAFE_INTEGER), 'The same seed sends the same requests.'),
  tag: described(text, 'Begins every text that the run left on the target.'),
  budget: described(count, 'Most requests that could be sent.'),
  requests: described(count, 'Requests that were sent.'),
  planned: described(count, 'Requests that the plan meant to send.'),
  startedAt: time,
  milliseconds: described(quantity, 'Time that passed, without that by which a clock was moved.'),
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
                'From endedAt of the exchange before that one to its sentAt.',
              ),
              reason: described(
                oneOf(['limit', 'return']),
                'limit: the rate limit; return: a target that went away, or said by a 503 when it is back.',
              ),
            }),
          ),
          'Every stretch for which the suite kept a request back, in their order.',
        ),
        waited: described(quantity, 'The sum of the waits; 0 where a clock was moved instead.'),
        clockMoved: described(
          quantity,
          'By which the clock of the embedded mock was moved instead of waiting, in all. The times of the exchanges are by that clock.',
        ),
      }),
      'The times of a single run, in milliseconds. Left out for a report that was merged, and for clients and traffic.',
    ),
  ),
  tested: optional(
    described(count, 'Requests of the plan that were tested. Left out where none are planned.'),
  ),
  required: optional(described(count, 'Percent of the planned requests that have to be tested.')),
  omitted: optional(
    described(count, 'Requests of a run without --requests that a smaller budget left out.'),
  ),
  shard: optional(
    described(
      shardFacts,
      'Which part of the fuzzing of a larger run this run sent. Left out for a run that is not split, and for a report that was merged.',
    ),
  ),
};

const traffic = openObject({
  seen: described(count, 'Exchanges that were seen.'),
  judged: described(count, 'Those that were judged.'),
  notes: described(
    list(
      openObject({
        kind: described(
          text,
          '`request`: a request breaks the document; `status`: a status that the operation does not list; `outside`: no operation of the document; `not-judged`: why an exchange, or a part, is not judged.',
        ),
        sentence: text,
        count,
        example: described(text, 'The first such request.'),
      }),
    ),
    'What clients did, and what was not judged. It fails nobody.',
  ),
  failures: described(
    list(openObject({ requirement: text, count })),
    'How often requirements failed of which the report does not hold every failure.',
  ),
});

export const requirement = {
  id: described(text, 'Stable: never used for another requirement.'),
  family: oneOf(families),
  operation: described(text, '`*` for a requirement of the whole service.'),
  level: described(
    oneOf(['must', 'should', 'open']),
    '`should` is reported and fails no one; `open`: the document is silent.',
  ),
  sentence: text,
  pointer: annotate(text, { description: 'JSON pointer into the document.', pattern: '^#' }),
  section: described(text, 'Section of the service interface; may be empty.'),
};

export const choice = described(
  orUndefined(text),
  'Id of the choice; null where it is none of those listed, or where several fit.',
);

export const choices = described(
  list(text),
  'Ids of the choices under which a target may do that; empty for something else.',
);

/** @param exchanges how many there are to be named */
function verdictWithin(exchanges: number) {
  const index = refine(count, (each) => each < exchanges, 'the index of an exchange');
  const mismatch = {
    exchange: index,
    others: described(list(index), 'Further exchanges that the contradiction needs.'),
    expected: text,
    received: text,
    because: optional(
      described(
        text,
        'Id of the requirement whose failure led to this one. Left out where the log does not show that.',
      ),
    ),
    at: optional(
      described(
        text,
        'JSON pointer to the value that is wrong, in the body of the response. Left out where it is no single one.',
      ),
    ),
    before: optional(
      described(text, 'The same in the response of the first of the others, to the value before.'),
    ),
  };
  const failures = someOf(
    openObject({
      ...mismatch,
      replay: described(
        orUndefined(text),
        'Id that repeats this failure (`--replay`), where few exchanges show it.',
      ),
      shrunkFrom: optional(
        described(
          openObject(mismatch),
          'The failure as it was found first, where this one is a smaller one that was looked for.',
        ),
      ),
    }),
  );
  return openVariants('verdict', requirement, {
    passed: { exchanges: described(someOf(index), 'Exchanges that show that it passed.') },
    failed: { failures },
    waived: { failures, waiver: openObject(waiver) },
    'not-tested': {
      reason: described(text, 'Why the requirement was not tested.'),
      because: optional(reason),
    },
    open: {
      choices: described(
        list(text),
        'Ids of the choices that all observations have: several where they do not show which one it is, none where the target does something else.',
      ),
      observations: someOf(openObject({ choice, choices, exchange: index, evidence: text })),
    },
  });
}

const cause = openObject({
  kind: described(
    causeKind,
    'What explains the failures, such as `crash`; `requirement` where nothing but the requirement does.',
  ),
  sentence: described(text, 'The fact, for people.'),
  exchanges: described(list(count), 'The exchanges of the fact.'),
  fact: described(causeFact, 'What is wrong, as facts that the log confirms.'),
  findings: described(
    someOf(
      openObject({
        requirement: text,
        exchanges: described(
          someOf(count),
          'The exchange of each failure of the requirement that this cause explains.',
        ),
      }),
    ),
    'The requirement that carries the cause, then its effects.',
  ),
});

/** `report.json`: what writes it, reads it, and is published as `docs/report.schema.json`. */
function reportFile(exchanges = Infinity) {
  return openObject({
    format: oneOf(['petstore-conformance-report/1']),
    outcome: described(
      oneOf(['conforms', 'failed', 'inconclusive']),
      '`failed` where a requirement of level `must` failed, or where a waiver is out of date or needless; `inconclusive` where nothing failed, but too little was tested to say that the target conforms.',
    ),
    inconclusive: optional(
      described(text, 'Why the outcome is inconclusive. Left out where it is not.'),
    ),
    counts: described(
      openObject({ passed: count, failed: count, waived: count, 'not-tested': count, open: count }),
      'Verdicts of each kind, at every level. `not-tested` counts requirements only: an open question that was not asked is not one.',
    ),
    contract: described(
      openObject({
        title: text,
        version: text,
        digest,
        source: described(text, 'Name of the file.'),
        leftOut: optional(
          described(
            documentFacts,
            'What of the document could not be read. Left out where all of it was.',
          ),
        ),
      }),
      'The document that was judged by.',
    ),
    unserved: described(
      list(openObject({ operation: text, requirement: text, sentence: text })),
      'For each operation that served no valid request, though it was asked: why, and what to do.',
    ),
    target: openObject({
      ...target,
      isKeyless: optional(described(flag, 'The run had no key. Left out where it had one.')),
    }),
    client: described(
      orUndefined(text),
      'The client that was judged by what it sent to the target; null where the target itself was judged.',
    ),
    traffic: optional(
      described(
        traffic,
        'Of traffic of others that was judged (petstore proxy, petstore judge): what the verdicts do not say. Left out in a report of the suite. `exchanges` holds a part of the traffic.',
      ),
    ),
    run: described(
      openObject(run),
      'In a report on a client the time for which it was watched; seed, tag and budget mean nothing there.',
    ),
    merge: optional(
      described(
        mergeFacts,
        'What a report that petstore merge made says of its shards. Left out for a report of one run. `exchanges` are those of the shards one after the other; `run` sums them up, with every tag.',
      ),
    ),
    verdicts: described(
      list(verdictWithin(exchanges)),
      "One for each requirement, in the contract's order.",
    ),
    causes: optional(
      described(
        list(cause),
        'The failures grouped by what explains them: crashes first, then what writing operations do wrong. Each failure that no waiver covers is in one cause.',
      ),
    ),
    waivers: described(
      list(
        openObject({
          ...waiver,
          state: described(
            oneOf(['used', 'unreached', 'expired', 'needless']),
            '`expired` and `needless` (the requirement passed) fail the run.',
          ),
        }),
      ),
      'Every waiver that was given, and what became of it.',
    ),
    leftBehind: described(
      list(openObject({ resource: described(text, 'Path of the collection.'), id: text })),
      'Items that the run added and that are still there as far as it knows.',
    ),
    exchanges: described(
      list(exchange),
      'Every request that was sent, in order, with what came back. Keys are not in it.',
    ),
  });
}

export function composeReportSchema(): JsonObject {
  return composeSchema(
    {
      $id: 'urn:petstore-contract:report:1',
      title: 'Petstore conformance report, format 1',
      description:
        'What a run of the suite found. Members may be added within format 1; none is removed and none changes its meaning.',
    },
    reportFile(),
    { outcome: causeOutcome, reason, exchange },
  );
}

/**
 * A report as JSON, indented. It holds the members of the format and no others, so that what the suite
 * keeps for itself does not become part of it. Holds no key.
 */
export function renderJsonReport(report: Report, contract?: Contract): string {
  return [...listJsonPieces(report, contract)].join('');
}

export function listJsonPieces(report: Report, contract?: Contract): Iterable<string> {
  const entries = Iterator.from(report.exchanges).map(renderExchange);
  return renderPieces(describeReport(report, contract), 1, entries);
}

type ReportFile = TypeOf<ReturnType<typeof reportFile>>;

/** The document of `renderJsonReport`, with an empty list in the place of its exchanges. */
export function describeReport(report: Report, contract?: Contract): JsonObject {
  // Members that are there and undefined are left out, as `optional` does.
  const file: ReportFile = Object({
    ...report,
    verdicts: report.verdicts.map(describeVerdict),
    causes: contract && describeCauses(report, contract),
    waivers: report.waivers.map(({ waiver: given, state }) => ({ ...given, state })),
    exchanges: [],
  });
  return reportFile().render(file);
}

function describeVerdict({ requirement: about, kind, ...evidence }: Verdict): object {
  const entry = { ...about, verdict: kind, ...evidence };
  if (!('observations' in evidence)) return entry;
  const { observations } = evidence;
  return {
    ...entry,
    choices: commonChoices(observations),
    observations: observations.map((each) => ({ ...each, choice: soleChoice(each) })),
  };
}

/** The choice that an observation fits; undefined where that is none or several. */
export function soleChoice({ choices: [first, ...others] }: Observation): string | undefined {
  return others.length === 0 ? first : undefined;
}

/** The causes of the failures, the deepest first; failures are named by their exchange. */
function describeCauses(report: Report, contract: Contract): ReportFile['causes'] {
  return causesIn(report, contract).map(({ kind, fact, sentence, exchanges, findings }) => ({
    kind,
    sentence,
    exchanges,
    fact,
    findings: findings.map(({ requirement: { id }, failures }) => ({
      requirement: id,
      exchanges: failures.map((each) => each.exchange),
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
  const given = codec.jsonObject.read(value, '');
  // What is not a report at all is refused by its first members.
  if (given['exchanges'] === undefined) reportFile().read({ ...given, exchanges: [] }, '');
  const exchanges = readExchanges(given['exchanges'] ?? null, '/exchanges');
  const { causes: _causes, ...found } = reportFile(exchanges.length).read(
    { ...given, exchanges: [] },
    '',
  );
  const isOfClient = found.client !== undefined;
  const verdicts = found.verdicts.map((entry) =>
    verdictOf(entry, requirementOf(entry, contract, isOfClient)),
  );
  const waivers = found.waivers.map(({ state, ...each }) => ({ waiver: each, state }));
  const { outcome: said, inconclusive, ...rest } = found;
  const isFailed = isFailedRun(verdicts, waivers);
  const isDoubtful = said === 'inconclusive' && inconclusive !== undefined && !isFailed;
  return {
    ...rest,
    outcome: isFailed ? 'failed' : said,
    ...(isDoubtful ? { inconclusive } : {}),
    counts: countVerdicts(verdicts),
    verdicts,
    waivers,
    exchanges,
  };
}

type Entry = ReportFile['verdicts'][number];

/** A document that has changed since may not have it any more; nothing but the text is known then. */
function requirementOf(
  { id, family, operation, level, sentence, pointer, section }: Entry,
  contract: Contract,
  isOfClient: boolean,
): Requirement {
  const subject = isOfClient
    ? ({ kind: 'client', applies: true } as const)
    : ({ kind: 'robustness', facet: 'answered' } as const);
  const known = { id, family, operation, level, sentence, pointer, section };
  return requirementsOf(contract).get(id) ?? { ...known, subject };
}

function verdictOf(entry: Entry, about: Requirement): Verdict {
  switch (entry.verdict) {
    case 'passed':
      return { requirement: about, kind: 'passed', exchanges: entry.exchanges };
    case 'failed':
      return { requirement: about, kind: 'failed', failures: entry.failures.map(failureOf) };
    case 'waived': {
      const failures = entry.failures.map(failureOf);
      return { requirement: about, kind: 'waived', failures, waiver: entry.waiver };
    }
    case 'not-tested': {
      const { reason: why, because } = entry;
      return { requirement: about, kind: 'not-tested', reason: why, because };
    }
    case 'open': {
      const observations = entry.observations.map(({ choice: _choice, ...each }) => each);
      return { requirement: about, kind: 'open', observations };
    }
  }
}

type ReadFailure = Extract<Entry, { readonly verdict: 'failed' }>['failures'][number];

function failureOf({ replay, ...failure }: ReadFailure): Failure {
  return replay === undefined ? failure : { ...failure, replay };
}
