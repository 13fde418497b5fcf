import * as codec from '../contract/json/codec.ts';
import type { Contract } from '../contract/contract.ts';
import type { JsonObject, JsonValue } from '../contract/json/value.ts';
import type { TypeOf } from '../contract/json/codec.ts';
import {
  requirementsOf,
  type Requirement,
  families,
  type Observation,
  type Report,
  type Verdict,
  commonChoices,
  countVerdicts,
  exchange,
  isFailedRun,
  leftBehind,
  exchangeLog,
  reason,
  reportFacts,
  waiverMembers,
} from '../conformance/index.ts';
import { renderPieces } from './pieces.ts';
import { composeSchema, someOf } from './published-schema.ts';
import { causeFact, causeKind, outcome as causeOutcome } from './cause/fact.ts';
import { causesIn } from './cause/causes.ts';

const { annotate, described, list, oneOf, openObject, openVariants, optional, orUndefined } = codec;
const { refine, text, whole } = codec;

const count = whole(0);

export const requirement = {
  id: described(text, 'Stable: never used for another requirement.'),
  family: oneOf(families),
  operation: described(text, '`*` for a requirement of the whole service.'),
  level: described(
    oneOf(['must', 'should', 'open']),
    '`should` is reported but does not fail the run; `open`: the document leaves it open.',
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

/**
 * The members of each kind of verdict, besides its requirement.
 *
 * @param exchanges number of exchanges that indexes may refer to
 */
function evidenceWithin(exchanges: number) {
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
        'JSON pointer to the wrong value in the body of the response. Left out if there is no single one.',
      ),
    ),
    before: optional(
      described(
        text,
        'The same for the previous value, in the response of the first of the others.',
      ),
    ),
    rule: optional(
      described(text, 'JSON pointer in the document of the schema keyword that the value breaks.'),
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
          'The original failure, if this one is a reduced counterexample.',
        ),
      ),
    }),
  );
  return {
    passed: { exchanges: described(someOf(index), 'Exchanges that show that it passed.') },
    failed: { failures },
    waived: { failures, waiver: openObject(waiverMembers) },
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
  };
}

const cause = openObject({
  kind: described(
    causeKind,
    'What explains the failures, such as `crash`; `requirement` if nothing beyond the requirement does.',
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

/** `report.json`. This codec writes and reads it, and docs/report.schema.json is made from it. */
function reportFile(exchanges = Infinity) {
  return openObject({
    format: oneOf(['petstore-conformance-report/1']),
    ...reportFacts,
    verdicts: described(
      list(openVariants('verdict', requirement, evidenceWithin(exchanges))),
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
          ...waiverMembers,
          state: described(
            oneOf(['used', 'unreached', 'expired', 'needless']),
            '`expired` and `needless` (the requirement passed) fail the run.',
          ),
        }),
      ),
      'Every waiver that was given, and what became of it.',
    ),
    leftBehind,
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
 * A report as indented JSON. Contains only the members of the format, so that internal members of
 * the suite do not become part of it. Contains no key.
 */
export function renderJsonReport(report: Report, contract?: Contract): string {
  return [...listJsonPieces(report, contract)].join('');
}

export function listJsonPieces(report: Report, contract?: Contract): Iterable<string> {
  const entries = Iterator.from(report.exchanges).map((each) => exchange.render(each));
  return renderPieces(describeReport(report, contract), 1, entries);
}

type ReportFile = TypeOf<ReturnType<typeof reportFile>>;

/** The report as `renderJsonReport` writes it, with an empty list in place of its exchanges. */
export function describeReport(report: Report, contract?: Contract): JsonObject {
  // Undefined members are removed, as `optional` does.
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

/** The single choice that an observation fits; undefined for none or several. */
export function soleChoice({ choices: [first, ...others] }: Observation): string | undefined {
  return others.length === 0 ? first : undefined;
}

/** The causes of the failures, the deepest first. Failures are given by their exchange. */
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
 * Reads a `report.json` written by `renderJsonReport`. Takes requirements from the given document,
 * and those that it does not have from the file. Verdicts take precedence over summaries in the
 * file that contradict them.
 *
 * @throws {PetstoreError} with code `shape`, for the first error
 */
export function readJsonReport(value: JsonValue, contract: Contract): Report {
  const given = codec.jsonObject.read(value, '');
  // A file that is not a report at all is rejected by its first members.
  if (given['exchanges'] === undefined) reportFile().read({ ...given, exchanges: [] }, '');
  const exchanges = exchangeLog.read(given['exchanges'] ?? null, '/exchanges');
  const { causes: _causes, ...found } = reportFile(exchanges.length).read(
    { ...given, exchanges: [] },
    '',
  );
  const isOfClient = found.client !== undefined;
  const evidence = openVariants('kind', {}, evidenceWithin(exchanges.length));
  const entries = list(codec.jsonObject).read(given['verdicts'] ?? null, '/verdicts');
  const verdicts = found.verdicts.map((entry, at): Verdict => ({
    requirement: requirementOf(entry, contract, isOfClient),
    ...evidence.read({ ...entries[at], kind: entry.verdict }, ''),
  }));
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

/** A newer document may no longer have the requirement; then only its text is known. */
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
