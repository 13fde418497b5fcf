import { type JsonValue, isJsonArray, isJsonObject } from '../../contract/index.ts';
import { type Evidence, isSuccess, readJson } from './evidence.ts';
import { type RuleFinding, type RuleId, failed } from './rule.ts';
import type { ClientEnd } from '../log/log.ts';

/** A rule, the scenario that shows it, and whether a response is one that it is about. */
interface ResponseRule {
  readonly rule: RuleId;
  readonly scenario: string;
  readonly isOdd: (body: JsonValue) => boolean;
}

const responseRules: readonly ResponseRule[] = [
  { rule: 'client/answer.unknown-fields', scenario: 'unknown-fields', isOdd: hasObject },
  { rule: 'client/answer.unknown-value', scenario: 'unknown-value', isOdd: hasObject },
  {
    rule: 'client/answer.empty-page',
    scenario: 'empty-pages',
    isOdd: (body) => isJsonArray(body) && body.length === 0,
  },
  {
    rule: 'client/answer.full-page',
    scenario: 'full-pages',
    isOdd: (body) => isJsonArray(body) && body.length > 0,
  },
];

function hasObject(body: JsonValue): boolean {
  return isJsonObject(body) || (isJsonArray(body) && body.length > 0);
}

/** The client goes on after answers that are out of the ordinary. */
export function* judgeResponses(evidence: Evidence): Generator<RuleFinding> {
  for (const responseRule of responseRules) yield* judgeResponse(responseRule, evidence);
}

function* judgeResponse(
  { rule, scenario, isOdd }: ResponseRule,
  { log, facts, entries }: Evidence,
): Generator<RuleFinding> {
  const notTested = (reason: string): RuleFinding => ({ kind: 'not-tested', rule, reason });
  if (log.source === 'journal')
    return yield notTested('a journal does not show how the client went on');
  const played = facts.scenarios.find(({ id }) => id === scenario);
  if (played === undefined) return;
  const odd = entries.findLast(
    (entry) =>
      entry.intent.scenario === scenario &&
      isSuccess(entry) &&
      isOddBody(entry.response?.body, isOdd),
  );
  if (odd === undefined) return yield notTested('the client asked for no such response');
  if (isGood(played.end)) return yield { kind: 'passed', rule, exchange: odd.index };
  const plain = facts.scenarios.find(({ id }) => id === 'plain');
  if (plain !== undefined && !isGood(plain.end))
    return yield notTested('the command fails where nothing happens as well');
  if (played.end.kind === 'aborted')
    return yield notTested('the command was ended before its time');
  const expected = 'the command ends with exit code 0';
  const received = nameEnd(played.end);
  yield failed(rule, odd.index, [], { expected, received });
}

function isOddBody(text: string | undefined, isOdd: (body: JsonValue) => boolean): boolean {
  const body = readJson(text);
  return body !== undefined && isOdd(body);
}

function isGood(end: ClientEnd): boolean {
  return end.kind === 'exited' && end.code === 0;
}

function nameEnd(end: ClientEnd): string {
  if (end.kind === 'exited') return `it ended with exit code ${end.code}`;
  if (end.kind === 'killed') return `it was killed by ${end.signal}`;
  return end.kind === 'timeout' ? 'it did not end in its time' : 'it was ended';
}
