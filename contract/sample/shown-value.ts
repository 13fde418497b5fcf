import { appendPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { listOf, memberPointers, type Part, requiredOf } from './view/part.ts';
import type { Place, Workshop } from './place.ts';
import { rotate } from './scalar/random.ts';

/**
 * What schemas show of a value themselves, by examples and defaults, as far as the sample may have
 * it: with what is wanted, and where values are drawn with ids and dates of its own.
 */
export function listShown(
  parts: readonly Part[],
  place: Place,
  workshop: Workshop,
): readonly JsonValue[] {
  const draw = workshop.draw(place);
  const shown = parts.flatMap(({ schema: { example, examples, default: usual } }) =>
    [example, ...listOf(examples), usual].filter((value) => value !== undefined),
  );
  const ordered = draw === undefined ? shown : rotate(shown, draw);
  return ordered.flatMap((value): readonly JsonValue[] => {
    if (!isJsonObject(value)) return [value];
    const kept = { ...keepRequired(value), ...listWanted() };
    return draw === undefined ? [kept] : [{ ...kept, ...drawVaried(kept) }, kept];
  });

  function keepRequired(value: JsonObject): JsonObject {
    if (workshop.members === 'all') return value;
    const required = requiredOf(parts);
    return Object.fromEntries(Object.entries(value).filter(([name]) => required.has(name)));
  }

  function listWanted(): JsonObject {
    const declared = [...workshop.wanted].filter(
      ([name]) => place.pointer === '' && parts.some((part) => part.member(name).length > 0),
    );
    return Object.fromEntries(
      declared.filter(([name, value]) =>
        workshop.view.fits(memberPointers(parts, name) ?? [], value),
      ),
    );
  }

  function drawVaried(value: JsonObject): JsonObject {
    const names = Object.keys(value).filter((name) => !workshop.wanted.has(name));
    return Object.fromEntries(
      names.flatMap((name) => {
        const pointers = memberPointers(parts, name) ?? [];
        const members = workshop.view.parts(pointers);
        const isText = typeof value[name] === 'string' || typeof value[name] === 'number';
        if (members === undefined || !isText || !isVaried(members, name)) return [];
        const pointer = appendPointer(place.pointer, name);
        const made = workshop.build(pointers, { ...place, pointer, name });
        return made?.isSound === true ? [[name, made.value] as const] : [];
      }),
    );
  }
}

const variedFormats = ['uuid', 'guid', 'date', 'date-time', 'email', 'ipv4', 'ipv6'];

/** Whether a value is one that differs from item to item: an id, a name, an address, a date. */
export function isVaried(parts: readonly Part[], name: string): boolean {
  const schemas = parts.map(({ schema }) => schema);
  if (schemas.some(({ enum: values, const: only }) => values !== undefined || only !== undefined))
    return false;
  return (
    schemas.some(({ format }) => typeof format === 'string' && variedFormats.includes(format)) ||
    /(^|_)(id|key|code|sku|slug|name|title|email)$|(Id|ID|Name|Key|Code)$/.test(name)
  );
}
