import { type JsonValue, isJsonArray, isJsonObject } from '../../contract/json/value.ts';
import { type Evidence, isSuccess, readJson } from './evidence.ts';
import { type RuleFinding, type RuleId, failed, notTested } from './rule.ts';
import { type ClientEnd, isGoodEnd } from '../log/log.ts';

type Body = JsonValue | undefined;

/** A rule, the scenario that shows it, and whether a response is one that it is about. */
type ResponseRule = readonly [rule: RuleId, scenario: string, isOdd: (body: Body) => boolean];

const responseRules: readonly ResponseRule[] = [
  ['client/response.unknown-fields', 'unknown-fields', hasObject],
  ['client/response.unknown-value', 'unknown-value', hasObject],
  ['client/response.empty-page', 'empty-pages', (body) => isJsonArray(body) && body.length === 0],
  ['client/response.full-page', 'full-pages', (body) => isJsonArray(body) && body.length > 0],
];

function hasObject(body: Body): boolean {
  return isJsonObject(body) || (isJsonArray(body) && body.length > 0);
}

/** The client goes on after answers that are out of the ordinary. */
export function* judgeResponses(evidence: Evidence): Generator<RuleFinding> {
  for (const responseRule of responseRules) yield* judgeResponse(responseRule, evidence);
}

function* judgeResponse(
  [rule, scenario, isOdd]: ResponseRule,
  { log, facts, entries }: Evidence,
): Generator<RuleFinding> {
  if (log.source === 'journal')
    return yield notTested(rule, 'a journal does not show how the client went on');
  const played = facts.scenarios.find(({ id }) => id === scenario);
  if (played === undefined) return;
  const odd = entries.findLast(
    (entry) =>
      entry.intent.scenario === scenario &&
      isSuccess(entry) &&
      isOdd(readJson(entry.response?.body)),
  );
  if (odd === undefined)
    return yield notTested(rule, 'the client sent no request that gets such a response');
  if (isGoodEnd(played.end)) return yield { kind: 'passed', rule, exchange: odd.index };
  const plain = facts.scenarios.find(({ id }) => id === 'plain');
  if (plain !== undefined && !isGoodEnd(plain.end))
    return yield notTested(rule, 'the command also fails in the scenario `plain`');
  if (played.end.kind === 'aborted') return yield notTested(rule, 'the command was stopped early');
  const expected = 'the command ends with exit code 0';
  const received = nameEnd(played.end);
  yield failed(rule, odd.index, [], { expected, received });
}

function nameEnd(end: ClientEnd): string {
  if (end.kind === 'exited') return `it ended with exit code ${end.code}`;
  if (end.kind === 'killed') return `it was killed by ${end.signal}`;
  return end.kind === 'timeout' ? 'it did not end in time' : 'it was stopped';
}
