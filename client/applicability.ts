import { type JsonValue, isJsonArray, isJsonObject } from '../contract/json/value.ts';
import { isGoodEnd } from './log/log.ts';
import { readTexts, readValue } from './rules/argument.ts';
import { type Entry, type Evidence, entriesByKey, knows, readJson } from './rules/evidence.ts';
import type { ClientRule, RuleId } from './rules/rule.ts';

/** The scenario in which a rule would show, and whether a client does nothing that it is about. */
type Exemption = readonly [scenario: string, isSpared: (evidence: Evidence) => boolean];

const exemptions: ReadonlyMap<RuleId, Exemption> = new Map<RuleId, Exemption>([
  ['client/rate-limit.back-off', ['repeated-429', givesUp]],
  ['client/request.refused-again', ['refused-body', sendsNothingRefusable]],
  ['client/request.repeated', ['lost-response', onlyRepeatable]],
  ['client/integer.exact', ['large-ids', sendsOwnIntegersOnly]],
  ['client/response.unknown-fields', ['unknown-fields', doesItsWork('unknown-fields')]],
  ['client/response.unknown-value', ['unknown-value', doesItsWork('unknown-value')]],
  ['client/response.empty-page', ['empty-pages', doesItsWork('empty-pages')]],
  ['client/response.full-page', ['full-pages', doesItsWork('full-pages')]],
]);

/** It comes to a good end where it would get such a response, and gets none. */
function doesItsWork(scenario: string): Exemption[1] {
  return ({ facts }) => facts.scenarios.some(({ id, end }) => id === scenario && isGoodEnd(end));
}

/** Whether a rule that nothing speaks of is not applicable to the client of some scenarios. */
export function isSpared({ id, spares }: ClientRule, evidence: Evidence): boolean {
  const [scenario, isExempt] = exemptions.get(id) ?? [];
  return spares !== undefined && isPlayed(evidence, scenario) && isExempt?.(evidence) === true;
}

/** Ended by itself: what was aborted might have done more. */
function isPlayed({ facts }: Evidence, scenario: string | undefined): boolean {
  return facts.scenarios.some(({ id, end }) => id === scenario && end.kind === 'exited');
}

function givesUp(evidence: Evidence): boolean {
  const status = evidence.contract.rateLimit?.status;
  return entriesByKey(evidence).every((entries) =>
    entries.every(
      (entry, at) =>
        entry.response?.status !== status ||
        entries.slice(at + 1).every((later) => !knows(later, entry)),
    ),
  );
}

function sendsNothingRefusable({ entries }: Evidence): boolean {
  return entries.every(({ operation }) =>
    (operation?.responses ?? []).every(({ status }) => status !== '400'),
  );
}

function onlyRepeatable({ entries }: Evidence): boolean {
  return entries.every(({ request }) => !['POST', 'PATCH'].includes(request.method));
}

/** What it sends where integers are large, it sends where they are not, too: it is its own. */
function sendsOwnIntegersOnly(evidence: Evidence): boolean {
  const sentIn = (scenario: string): readonly bigint[] =>
    evidence.entries
      .filter(({ intent }) => intent.scenario === scenario)
      .flatMap((entry) => listSentIntegers(entry));
  const usual = new Set(sentIn('plain'));
  return isPlayed(evidence, 'plain') && sentIn('large-ids').every((sent) => usual.has(sent));
}

function listSentIntegers(entry: Entry): readonly bigint[] {
  const values = (entry.operation?.parameters ?? []).map((parameter) =>
    readValue(readTexts(entry, parameter), parameter),
  );
  return [...values, readJson(entry.request.body)].flatMap(listIntegers);
}

function listIntegers(value: JsonValue | undefined): readonly bigint[] {
  if (typeof value === 'bigint') return [value];
  if (typeof value === 'number') return Number.isInteger(value) ? [BigInt(value)] : [];
  if (isJsonArray(value)) return value.flatMap(listIntegers);
  return isJsonObject(value) ? Object.values(value).flatMap(listIntegers) : [];
}
