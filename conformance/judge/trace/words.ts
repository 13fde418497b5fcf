import type { JsonValue } from '../../../contract/index.ts';
import { renderJson } from '../../../contract/index.ts';
import type { Answer } from '../../transport/exchange.ts';
import { headerOf } from '../../transport/exchange.ts';

/** Longest stretch of a foreign text that is quoted in a sentence. */
const longest = 160;

/** A value for a sentence: as JSON, with control characters escaped, cut where it is long. */
export function quote(value: JsonValue | undefined): string {
  return value === undefined ? 'nothing' : cut(renderJson(value));
}

/** Cuts a text for a sentence and says how long it was. */
export function cut(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`;
}

/** An answer in a few words: `404 {"code":...}`, `204 without a body`. */
export function describeAnswer(answer: Answer): string {
  if (answer.body === '') return `${answer.status} without a body`;
  const type = headerOf(answer, 'content-type') ?? 'no content type';
  const json = /json/i.test(type) ? '' : ` (${type})`;
  return `${answer.status}${json} ${cut(answer.body.replaceAll(/\s+/g, ' '))}`;
}
