import { parsePointer } from '../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';

/** The section of the interface: the nearest `x-source` at or above a place; empty for none. */
export function sectionOf(document: JsonObject, pointer: string): string {
  let here: JsonValue | undefined = document;
  let section = '';
  const visit = (value: JsonValue | undefined): void => {
    here = value;
    const source = isJsonObject(value) ? value['x-source'] : undefined;
    if (typeof source === 'string') section = source;
  };
  visit(document);
  for (const token of parsePointer(pointer)) {
    if (isJsonObject(here)) visit(Object.hasOwn(here, token) ? here[token] : undefined);
    else visit(isJsonArray(here) ? here[Number(token)] : undefined);
  }
  return section;
}
