import {
  isJsonArray,
  isJsonObject,
  isTooDeep,
  maximumDepth,
  type JsonValue,
} from '../../../contract/json/value.ts';
import { parsePointer, renderPointer, resolvePointer } from '../../../contract/json/pointer.ts';
import { requirementId } from './requirement.ts';
import type { Issue, SchemaNode } from '../../../contract/schema/schema-node.ts';
import { fillValue, hasCutMember, holdsCut, isCut, redactedKey } from '../../transport/cut.ts';
import { unclear, type Finding } from './finding.ts';
import type { Reading, Trace } from './trace.ts';

/** Why nothing is known about values that the cut-out key was part of. */
export const cutReason = 'the key was cut out of the part of the response that it depends on';

/** Why it is unknown whether a body is JSON; undefined if it is known. */
export function unreadable(reading: Reading): string | undefined {
  if (reading.json !== undefined || !reading.response.utf8) return undefined;
  if (isBodyCut(reading)) return cutReason;
  return isTooDeep(reading.response.body)
    ? `its body is nested more than ${maximumDepth} levels deep`
    : undefined;
}

export function isBodyCut({ response }: Reading): boolean {
  return response.body.includes(redactedKey);
}

/** What would be wrong with a body if another text had been in the place of the key. */
export function otherIssues(reading: Reading, schema: SchemaNode | undefined): readonly Issue[] {
  if (reading.json === undefined || !isBodyCut(reading)) return [];
  return [...fillValue(reading.json)].flatMap((filled) => schema?.validate(filled) ?? []);
}

/** Whether an issue may exist only because the key was cut from a text. */
export function dependsOnCut(json: JsonValue, { at, keyword }: Issue): boolean {
  if (isCut(at)) return true;
  if (keyword === 'type') return false;
  // A missing member is reported at the place where it should be.
  const isMissing = keyword === 'required';
  const owner = renderPointer(parsePointer(at).slice(0, isMissing ? -1 : undefined));
  const value = resolvePointer(json, owner);
  return isMissing ? isJsonObject(value) && hasCutMember(value) : holdsCut(value);
}

/** Filters findings that compare bodies: a body that was cut where it matters proves nothing. */
export function* judgeUncut(findings: Iterable<Finding>, trace: Trace): Generator<Finding> {
  const cut = cutBodies(trace);
  yield* cut.size === 0 ? findings : dismiss(findings, (index) => cut.has(index));
}

/** Filters findings of the rate limit, each of which depends on the headers of all responses. */
export function* judgeUncutLimit(findings: Iterable<Finding>, trace: Trace): Generator<Finding> {
  const first = trace.exchanges.find(({ outcome }) => {
    if (outcome.kind !== 'answered') return false;
    return outcome.response.headers.some(
      ([name, value]) =>
        name.includes(redactedKey) || (value.includes(redactedKey) && isLimitHeader(name, trace)),
    );
  });
  yield* first === undefined ? findings : dismiss(findings, () => true);
}

function isLimitHeader(name: string, { contract }: Trace): boolean {
  const names = Object.values(contract.rateLimit?.headers ?? {});
  return names.some((each) => each?.toLowerCase() === name.toLowerCase());
}

function* dismiss(
  findings: Iterable<Finding>,
  isDoubtful: (index: number) => boolean,
): Generator<Finding> {
  for (const finding of findings) {
    const indexes =
      finding.kind === 'failed' ? [finding.exchange, ...finding.others] : [finding.exchange];
    const at = indexes.find(isDoubtful);
    if (at === undefined || finding.kind === 'passed') yield finding;
    else if (finding.kind === 'failed') yield unclear(finding.requirement, at, cutReason);
    else if (finding.kind === 'open')
      yield unclear(requirementId.open(finding.question), at, cutReason);
    else yield finding;
  }
}

/** The exchanges whose bodies were cut in a part that the document describes. */
export function cutBodies({ contract, readings, limited }: Trace): ReadonlySet<number> {
  const cut = [...readings, ...limited].filter(isBodyCut);
  if (cut.length === 0) return none;
  const described = new Set(
    contract.resources.flatMap(({ shown }) =>
      [...shown.values()].flatMap(({ item }) => [...item.shape().properties.keys()]),
    ),
  );
  const holds = (value: JsonValue | undefined): boolean => {
    if (isJsonArray(value)) return value.some(holds);
    if (!isJsonObject(value)) return typeof value === 'string' && isCut(value);
    if (hasCutMember(value)) return true;
    return Object.entries(value).some(([name, member]) => described.has(name) && holdsCut(member));
  };
  const isDoubtful = ({ json }: Reading): boolean => json === undefined || holds(json);
  return new Set(cut.filter(isDoubtful).map(({ exchange }) => exchange.index));
}

const none: ReadonlySet<number> = new Set();
