import * as codec from '../contract/json/codec.ts';
import type { TypeOf } from '../contract/json/codec.ts';
import type { Contract } from '../contract/contract.ts';
import type { JsonObject } from '../contract/json/value.ts';
import {
  type Comparison,
  type Observation,
  type Report,
  type Verdict,
  contractFacts,
  credentialUse,
  runFacts,
  targetFacts,
} from '../conformance/index.ts';
import { showJson } from '../page/view/visible.ts';
import { choice, choices, requirement, soleChoice } from './json.ts';
import { viewFailure } from './model/failure.ts';
import { composeSchema, someOf } from './published-schema.ts';

const { described, list, oneOf, openObject, openVariants, orUndefined, text, whole } = codec;

const count = whole(0);

const { tag, budget, requests, startedAt, milliseconds, endedEarly } = runFacts;
const { baseUrl, plan } = targetFacts;

const runOfSide = openObject({
  baseUrl,
  plan,
  tag,
  budget,
  requests,
  startedAt,
  milliseconds,
  endedEarly,
});

const step = openObject({
  operation: text,
  method: text,
  target: described(text, 'Path and query relative to the base address.'),
  credential: described(credentialUse, '`valid` is the key; the key itself is not in it.'),
  body: orUndefined(text),
  status: described(orUndefined(whole(100, 999)), 'Null where no response came.'),
  curl: described(
    orUndefined(text),
    'Sends the request again, with the key of PETSTORE_API_KEY; null where it has no address.',
  ),
});

const side = openVariants(
  'verdict',
  {},
  {
    failed: {
      expected: text,
      received: text,
      more: described(count, 'How often it was seen besides this.'),
      steps: described(list(step), 'What was exchanged; the last step shows the failure.'),
      replay: described(orUndefined(text), 'The line that repeats it.'),
    },
    passed: {},
    'not-tested': { reason: text },
  },
);

const observations = someOf(openObject({ choice, choices, evidence: text }));

const shown = openObject({
  shown: described(text, 'The status, or for a member `as sent`, `left out` or its value.'),
  exchange: described(count, 'Position in the log of that side, from 0.'),
});

const { level, sentence, pointer, section } = requirement;

/** What `diff --json` prints. This codec writes it, and docs/diff.schema.json is made from it. */
const comparisonFile = openObject({
  format: oneOf(['petstore-comparison/1']),
  outcome: described(
    oneOf(['same', 'different']),
    '`same` where `failures`, `choices` and `responses` are empty.',
  ),
  compared: described(
    openObject({ requirements: count, questions: count }),
    'What both sides showed.',
  ),
  contract: described(openObject(contractFacts), 'The document that was compared by.'),
  seed: runFacts.seed,
  a: runOfSide,
  b: runOfSide,
  failures: described(
    list(
      openObject({
        requirement: described(text, 'Stable id.'),
        level,
        sentence,
        pointer,
        section,
        a: side,
        b: side,
      }),
    ),
    "Requirements that one side fails, or both differently, in the contract's order.",
  ),
  choices: described(
    list(openObject({ question: text, sentence, a: observations, b: observations })),
    "Open questions with other choices, in the contract's order.",
  ),
  responses: described(
    list(
      openObject({
        requirement: described(text, 'Id of the requirement that the operation is served.'),
        member: described(
          orUndefined(text),
          'Member of an item that the run added; null where the statuses differ.',
        ),
        a: shown,
        b: shown,
      }),
    ),
    'Requests that both sides responded to differently though neither response breaks the contract, the first of each kind.',
  ),
  oneSided: described(
    list(
      openObject({
        requirement: described(
          text,
          'Id of the requirement; `*/open.` and the id of an open question.',
        ),
        level,
        shownBy: oneOf(['a', 'b']),
        reason: described(text, 'Why the other side did not.'),
      }),
    ),
    'What only one side showed: no difference of behaviour.',
  ),
});

export function composeComparisonSchema(): JsonObject {
  return composeSchema(
    {
      $id: 'urn:petstore-contract:comparison:1',
      title: 'Petstore comparison, format 1',
      description:
        'What differs between two targets. Members may be added within format 1; none is removed and none changes its meaning.',
    },
    comparisonFile,
    { run: runOfSide, side, step, observations, shown },
  );
}

/** A comparison as indented JSON. Contains only the members of the format, and no key. */
export function renderJsonComparison(comparison: Comparison, contract: Contract): string {
  const { reports, failures, responses, oneSided } = comparison;
  const document: TypeOf<typeof comparisonFile> = {
    ...comparison,
    format: 'petstore-comparison/1',
    contract: reports.a.contract,
    seed: reports.a.run.seed,
    a: { ...reports.a.target, ...reports.a.run },
    b: { ...reports.b.target, ...reports.b.run },
    failures: failures.map(({ requirement: about, verdicts }) => ({
      ...about,
      requirement: about.id,
      a: describeSide(verdicts.a, reports.a, contract),
      b: describeSide(verdicts.b, reports.b, contract),
    })),
    choices: comparison.choices.map(({ question, requirement: about, observations: seen }) => ({
      question,
      sentence: about.sentence,
      a: seen.a.map(describeObservation),
      b: seen.b.map(describeObservation),
    })),
    responses: responses.map(({ requirement: { id }, member, shown: both, exchanges }) => ({
      requirement: id,
      member,
      a: { shown: both.a, exchange: exchanges.a },
      b: { shown: both.b, exchange: exchanges.b },
    })),
    oneSided: oneSided.map(({ requirement: about, shownBy, reason }) => ({
      requirement: about.id,
      level: about.level,
      shownBy,
      reason,
    })),
  };
  return `${showJson(comparisonFile.render(document), 2)}\n`;
}

function describeSide(verdict: Verdict, report: Report, contract: Contract): TypeOf<typeof side> {
  const [failure] = viewFailure(verdict, report, contract);
  if (failure !== undefined)
    return {
      ...failure,
      verdict: 'failed',
      steps: failure.steps.map(({ exchange: { request, outcome }, curl }) => ({
        ...request,
        status: outcome.kind === 'answered' ? outcome.response.status : undefined,
        curl,
      })),
    };
  return verdict.kind === 'not-tested'
    ? { verdict: 'not-tested', reason: verdict.reason }
    : { verdict: 'passed' };
}

function describeObservation(observation: Observation) {
  return { ...observation, choice: soleChoice(observation) };
}
