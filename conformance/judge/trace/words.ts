import { type JsonObject, type JsonValue, renderJson } from '../../../contract/json/value.ts';
import { type ReceivedResponse, headerOf } from '../../transport/exchange.ts';
import { fillCuts } from '../../transport/cut.ts';
import { once } from '../../../contract/memo/once.ts';

/** Longest stretch of a foreign text that is quoted in a sentence. */
const longest = 160;

/** A value for a sentence: as JSON, with control characters escaped, cut where it is long. */
export function quote(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  return typeof value === 'object' && value !== null ? quoted(value) : cut(renderUncut(value));
}

/** Rendered once, because one value is quoted for each of its missing members. */
const quoted = once((value: JsonObject | readonly JsonValue[]) => cut(renderUncut(value)));

function renderUncut(value: JsonValue): string {
  return fillCuts(renderJson(value));
}

/** Cuts a text for a sentence and says how long it was. */
export function cut(text: string): string {
  return text.length <= longest
    ? text
    : `${copy(text.slice(0, longest))}… (${text.length} characters)`;
}

/** Copies a text, so that the longer text that it was cut from can be freed. */
function copy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

/**
 * A response in a few words: `404 {"code":...}`, `204 without a body`. Computed once for each
 * response, because a large one may break many requirements.
 */
export const describeResponse = once((response: ReceivedResponse): string => {
  if (response.body === '') return `${response.status} without a body`;
  const type = headerOf(response, 'content-type') ?? 'no content type';
  const json = /json/i.test(type) ? '' : ` (${type})`;
  return `${response.status}${json} ${cut(response.body.replaceAll(/\s+/g, ' '))}`;
});

export function countItems(count: number): string {
  return count === 1 ? '1 item' : `${count} items`;
}
