import * as fc from 'fast-check';
import { facetOf } from '../../contract/schema/keywords.ts';
import {
  isJsonArray,
  isJsonObject,
  renderJson,
  type JsonObject,
  type JsonValue,
} from '../../contract/json/value.ts';
import { requirementId } from '../../contract/requirement/requirement.ts';
import type { Issue } from '../../contract/schema/schema-node.ts';
import { onlyIssue } from '../generate/invalid-body.ts';
import { memberPath, placesOf, type Place } from '../judge/trace/item.ts';
import type { Probe, Run } from '../probes/probe.ts';
import { longestList } from '../probes/parameter.ts';
import type { Request } from '../transport/session.ts';
import { tagBody, type BodyTemplate } from '../generate/valid-body.ts';
import { drawBodies, tagged } from './body.ts';
import { fuzzProbe, type FuzzTask } from './task.ts';

/** Additions that a random change put outside the contract in one way each, then a list. */
export function invalidProbe(task: FuzzTask): Probe {
  const { resource, size, status = 400 } = task;
  const create = resource.create?.id ?? '';
  return fuzzProbe(task, create, 'invalid', {
    proves: [requirementId.state(create, `not-written.${status}`)],
    run: async (run) => {
      for (const request of invalidAdditions(task, run, size - 1)) await run.session.send(request);
      await run.session.send(longestList(resource));
    },
  });
}

/** Draws additions that break the contract once each; fewer where changes turn out to be valid. */
export function invalidAdditions(task: FuzzTask, run: Run, count: number): readonly Request[] {
  const { template, status } = task;
  if (template === undefined || status === undefined) return [];
  const tries = count * 6;
  const salt = `invalid ${template.operation.id} ${task.round}`;
  const changes = run.random.sample(arbitraryChange, tries, salt);
  const bodies = drawBodies(task, run, tries);
  const references = run.known.references(task.resource);
  const requests = changes.flatMap((change, index) => {
    const base = tagBody(template, bodies[index] ?? {}, 'tag', references);
    return breakOnce(template, tagged(template, base, run.nextTag()), change, status, run) ?? [];
  });
  return requests.slice(0, count);
}

/** Where a body is changed, and into what. */
interface Change {
  /** Picks the place among all places of the body. */
  readonly place: number;
  readonly kind: 'leave-out' | 'replace' | 'stretch';
  readonly value: JsonValue;
}

/** Values that are often taken for another one. */
const strangers = (
  [
    [null, true, false, 0, 1, -1, 1.5],
    ['', '0', '1', 'true', 'null', 'available '],
    [[], {}, [null], ['a'], { a: 1 }],
    [2n ** 63n, -(2n ** 63n) - 1n, 2n ** 64n, 1e300, 'a'.repeat(300)],
  ] satisfies JsonValue[][]
).flat();

const arbitraryChange: fc.Arbitrary<Change> = fc.record({
  place: fc.nat(),
  kind: fc.constantFrom('leave-out', 'replace', 'replace', 'replace', 'stretch'),
  value: fc.oneof(
    fc.constantFrom(...strangers),
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true, noInteger: true }),
    fc.bigInt({ min: 2n ** 63n, max: 2n ** 70n }),
  ),
});

function breakOnce(
  template: BodyTemplate,
  valid: JsonObject,
  change: Change,
  status: number,
  run: Run,
): Request | undefined {
  const places = [...placesOf(valid)];
  const place = places[change.place % places.length];
  if (place === undefined) return undefined;
  const body = renderJson(alter(valid, place, change));
  const issue = onlyIssue(template.node, body);
  const requirement = issue && requirementOf(template, issue, run);
  if (issue === undefined || requirement === undefined) return undefined;
  const way = `${issue.at === '' ? 'the body' : `\`${issue.at}\``} ${issue.message}`;
  return {
    operation: template.operation,
    body,
    intent: { kind: 'invalid', requirement, way, status },
  };
}

function requirementOf(
  { operation }: BodyTemplate,
  { at, keyword }: Issue,
  { contract }: Run,
): string | undefined {
  const facet = facetOf(keyword);
  if (facet === undefined) return undefined;
  return contract.requirementOf(requirementId.requestFacet(operation.id, memberPath(at), facet))
    ?.id;
}

function alter(value: JsonValue, [step, ...rest]: Place, change: Change): JsonValue {
  if (step === undefined) return change.kind === 'stretch' ? stretch(value) : change.value;
  if (isJsonArray(value))
    return value.map((item, index) => (index === step ? alter(item, rest, change) : item));
  if (!isJsonObject(value)) return change.value;
  if (rest.length === 0 && change.kind === 'leave-out')
    return Object.fromEntries(Object.entries(value).filter(([name]) => name !== step));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === step && member !== undefined ? alter(member, rest, change) : member,
    ]),
  );
}

/** The same, longer or larger. */
function stretch(value: JsonValue): JsonValue {
  if (typeof value === 'string')
    return value.length === 0
      ? 'a'.repeat(2000)
      : value.repeat(Math.min(100, 1 + Math.ceil(2000 / value.length)));
  if (typeof value === 'number') return value * 1e6 + 0.5;
  if (typeof value === 'bigint') return value * 2n;
  return isJsonArray(value) ? Array.from({ length: 50 }, () => value[0] ?? 'a') : [value];
}
