import {
  isJsonObject,
  isTooDeep,
  maximumDepth,
  type JsonValue,
} from '../../../contract/json/value.ts';
import { parsePointer, renderPointer } from '../../../contract/json/pointer.ts';
import type { Issue, SchemaNode } from '../../../contract/schema/schema-node.ts';
import { fillValue, hasCutMember, holdsCut, isCut } from '../../transport/response/cut.ts';
import { valueAt } from '../trace/item.ts';
import type { Reading } from '../trace/trace.ts';

/** Why nothing can be said of what depends on a text without the key. */
export const cutReason = 'the key was cut out of the part of the response that it depends on';

/** Why a body cannot be told to be JSON or not; undefined where it can. */
export function unreadable(reading: Reading): string | undefined {
  if (reading.json !== undefined || !reading.response.utf8) return undefined;
  if (isBodyCut(reading)) return cutReason;
  return isTooDeep(reading.response.body)
    ? `its body is nested more than ${maximumDepth} levels deep`
    : undefined;
}

/** Whether the key was cut from a body. */
export function isBodyCut({ response }: Reading): boolean {
  return (response.cuts?.body.length ?? 0) > 0;
}

/** What would be wrong with a body that was cut, had another text been in the place of the key. */
export function otherIssues(reading: Reading, schema: SchemaNode | undefined): readonly Issue[] {
  if (reading.json === undefined || !isBodyCut(reading)) return [];
  return [...fillValue(reading.json)].flatMap((filled) => schema?.validate(filled) ?? []);
}

/** Whether an issue may be one of a text only for the key that was cut from it. */
export function dependsOnCut(json: JsonValue, { at, keyword }: Issue): boolean {
  if (isCut(at)) return true;
  if (keyword === 'type') return false;
  // The place of a member that is missing is where it should be.
  const isMissing = keyword === 'required';
  const owner = renderPointer(parsePointer(at).slice(0, isMissing ? -1 : undefined));
  const value = valueAt(json, owner);
  return isMissing ? isJsonObject(value) && hasCutMember(value) : holdsCut(value);
}
