import { type JsonValue, isJsonArray, isJsonObject } from '../../../contract/json/value.ts';

/** What an entry costs besides its texts: its object, and its places in maps and lists. */
export const entryBytes = 200;

/** What one more place for an item that is kept elsewhere costs. */
export const placeBytes = 80;

/** A shorter text is not looked through: it counts two bytes a character. */
const shortText = 128;

/** The bytes of a text in memory: two a character where one does not hold them all. */
export function textBytes(text: string): number {
  if (text.length < shortText) return 2 * text.length;
  return /[^\0-\xff]/.test(text) ? 2 * text.length : text.length;
}

/** The bytes of a value in memory, about. */
export function valueBytes(value: JsonValue | undefined): number {
  if (typeof value === 'string') return 16 + textBytes(value);
  if (isJsonArray(value)) return value.reduce<number>((sum, one) => sum + 8 + valueBytes(one), 32);
  if (!isJsonObject(value)) return 8;
  let bytes = 48;
  for (const name in value) bytes += 32 + textBytes(name) + valueBytes(value[name]);
  return bytes;
}
