import type { JsonValue } from './value.ts';

/** A plain value as a text, for comparing and telling; empty for none, and for what has members. */
export function wordOf(value: JsonValue | undefined): string {
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}
