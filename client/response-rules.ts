import { readJson } from '../conformance/index.ts';
import type { Contract } from '../contract/contract.ts';
import { type JsonValue, isJsonArray, isJsonObject } from '../contract/json/value.ts';
import type { SchemaNode } from '../contract/schema/schema-node.ts';
import { isSuccess } from './evidence.ts';
import { type ClientEnd, type ClientFacts, isGoodEnd } from './log.ts';
import { type RuleDraft, failed, findNode, notTested, passed } from './rule.ts';

/** Rules about unusual responses, after which a client must continue. */
export function* responseRules({ resources }: Contract): Generator<RuleDraft> {
  const resource = resources.find(({ parents }) => parents.length === 0);
  if (resource === undefined) return;
  const { item, list, limit } = resource;
  const measure =
    'A command that got such a response and does not end with exit code 0, unless it fails in the scenario `plain` too.';
  const of = { family: 'robustness', level: 'must', measure } as const;
  const listing =
    list.responses.find(({ status }) => /^2\d\d$/.test(status))?.pointer ?? list.pointer;
  yield {
    ...of,
    id: 'client/response.unknown-fields',
    pointer: item.pointer,
    sentence:
      'The client keeps working when objects in responses have fields that the document does not define.',
    unreached: unplayed('responses have fields that the document does not define'),
    needs: 'request items',
    ...shownIn('unknown-fields', hasObject, 'a client whose usual work gets no item'),
  };
  const [member] = resources.flatMap((each) => findNode(each.item, isListed) ?? []);
  if (member !== undefined)
    yield {
      ...of,
      id: 'client/response.unknown-value',
      level: 'should',
      pointer: member.pointer,
      sentence:
        'The client keeps working when a response has a value that the document does not list.',
      measure: `${measure} A recommendation, because such a response breaks the contract.`,
      unreached: unplayed('responses have a value that the document does not list'),
      needs: 'request items',
      ...shownIn('unknown-value', hasObject, 'a client whose usual work gets no item'),
    };
  yield {
    ...of,
    id: 'client/response.empty-page',
    pointer: listing,
    sentence: 'The client keeps working when a list is empty.',
    unreached: unplayed('lists are empty'),
    needs: 'request a list',
    ...shownIn(
      'empty-pages',
      (body) => isJsonArray(body) && body.length === 0,
      'a client whose usual work gets no empty list',
    ),
  };
  yield {
    ...of,
    id: 'client/response.full-page',
    pointer: limit?.parameter.pointer ?? listing,
    sentence: 'The client keeps working when a list has the maximum length.',
    unreached: unplayed('lists are full'),
    needs: 'request a list',
    ...shownIn(
      'full-pages',
      (body) => isJsonArray(body) && body.length > 0,
      'a client whose usual work gets no list with items',
    ),
  };
}

function unplayed(shown: string): string {
  return `no scenario ran in which ${shown}`;
}

/** Whether a schema has `enum` or `const` for strings. */
function isListed(node: SchemaNode): boolean {
  return node.shape().values?.every((value) => typeof value === 'string') ?? false;
}

type Body = JsonValue | undefined;

function hasObject(body: Body): boolean {
  return isJsonObject(body) || (isJsonArray(body) && body.length > 0);
}

/**
 * Judges a rule by how the command ended in the scenario that shows it. Exempts clients that
 * succeed there although they get no such response.
 *
 * @param isOdd whether the body of a successful response is one that the rule is about
 */
function shownIn(
  scenario: string,
  isOdd: (body: Body) => boolean,
  client: string,
): Pick<RuleDraft, 'judge' | 'exemption'> {
  return {
    judge: ({ log, facts, entries }) => {
      if (log.source === 'journal')
        return [notTested('a journal does not show how the client went on')];
      const [end, plain] = [scenario, 'plain'].map((each) => endIn(each, facts));
      if (end === undefined) return [];
      const odd = entries.findLast(
        (entry) =>
          entry.intent.scenario === scenario &&
          isSuccess(entry) &&
          isOdd(readJson(entry.response?.body)),
      );
      if (odd === undefined)
        return [notTested('the client sent no request that gets such a response')];
      if (isGoodEnd(end)) return [passed(odd.index)];
      if (plain !== undefined && !isGoodEnd(plain))
        return [notTested('the command also fails in the scenario `plain`')];
      if (end.kind === 'aborted') return [notTested('the command was stopped early')];
      return [failed(odd.index, [], 'the command ends with exit code 0', nameEnd(end))];
    },
    exemption: {
      client,
      scenario,
      isExempt: ({ facts }) => isGoodEnd(endIn(scenario, facts)),
    },
  };
}

function endIn(scenario: string, { scenarios }: ClientFacts): ClientEnd | undefined {
  return scenarios.find(({ id }) => id === scenario)?.end;
}

function nameEnd(end: ClientEnd): string {
  if (end.kind === 'exited') return `it ended with exit code ${end.code}`;
  return end.kind === 'killed' ? `it was killed by ${end.signal}` : 'it did not end in time';
}
