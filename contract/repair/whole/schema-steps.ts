import { pointerOfReference } from '../../source/follow-reference.ts';
import { resolvePointer } from '../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { keywords } from '../../schema/keywords.ts';
import type { Repair } from '../base/repair.ts';
import type { Place } from '../base/place.ts';

/** A step from a schema to one that judges the same value. */
export interface Step {
  readonly from: JsonObject;
  /** The keyword that leads there. */
  readonly name: string;
  readonly place: Place | undefined;
  readonly to: JsonValue;
}

const inPlace = keywords.filter(({ isInPlace }) => isInPlace === true).map(({ name }) => name);

/** The steps from a schema, those of its keywords in the order of the table of keywords. */
export function listSteps(
  repair: Repair,
  schema: JsonObject,
  place: Place | undefined,
): readonly Step[] {
  const { $ref: reference } = schema;
  const step = (name: string, to: JsonValue): Step => ({ from: schema, name, place, to });
  if (typeof reference === 'string') {
    const target = targetOf(repair, reference);
    if (target !== undefined)
      return repair.dialect === '3.0'
        ? [step('$ref', target)]
        : [step('$ref', target), ...branches()];
  }
  return branches();

  function branches(): readonly Step[] {
    return inPlace.flatMap((name) => {
      const value = schema[name];
      if (isJsonArray(value)) return value.map((item) => step(name, item));
      if (name === 'dependentSchemas' && isJsonObject(value))
        return Object.values(value).map((item) => step(name, item ?? null));
      return value === undefined || name === '$ref' ? [] : [step(name, value)];
    });
  }
}

function targetOf({ document }: Repair, reference: string): JsonValue | undefined {
  const pointer = pointerOfReference(reference);
  return pointer === undefined ? undefined : resolvePointer(document, pointer);
}
