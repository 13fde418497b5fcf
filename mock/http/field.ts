import { coversType, essence, parametersOf } from '../../contract/openapi/media-type.ts';

/** Most characters of a generated list header: header names, authentication challenges. */
export const maxHeaderList = 2304;

/** Makes a text valid as a header value: visible Latin-1 characters, spaces and tabs. */
export function fieldText(text: string): string {
  return /[^\t\x20-\x7E\x80-\xFF]/.test(text)
    ? text.replace(/[\r\n]+/g, ' ').replace(/[^\t\x20-\x7E\x80-\xFF]/g, '?')
    : text;
}

/**
 * The members of a list, separated by commas outside quotes (RFC 9110 section 5.6.1), without empty
 * ones. Takes linear time, also for unclosed quotes.
 */
export function splitList(text: string): readonly string[] {
  return text.match(/(?:[^",]|"(?:[^"\\]|\\[^])*(?:"|\\?$))+/g) ?? [];
}

/**
 * A list as one header value. Items for which there is no room are left out, so that all headers of a
 * response together stay within the limits of clients.
 */
export function joinWithin(items: readonly string[]): string {
  let text = '';
  for (const item of items) {
    const longer = text === '' ? item : `${text}, ${item}`;
    if (longer.length <= maxHeaderList) text = longer;
  }
  return text;
}

/**
 * The first instant of the year 10000, which HTTP dates cannot represent (RFC 9110 section 5.6.7).
 */
export const endOfDates = Date.UTC(10_000, 0);

function dateOf(milliseconds: number): Date {
  return new Date(Math.min(milliseconds, endOfDates - 1));
}

/** Milliseconds since 1970 as a date and time (RFC 3339), up to the year 9999. */
export function renderInstant(milliseconds: number): string {
  return dateOf(milliseconds).toISOString();
}

/** Milliseconds since 1970 as IMF-fixdate (RFC 9110 section 5.6.7). */
export function renderHttpDate(milliseconds: number): string {
  return dateOf(milliseconds).toUTCString();
}

/**
 * The quality that `Accept` gives to a type with its parameters, or to a range of the document,
 * from 0 to 1.
 */
export function qualityOf(accept: string, name: string): number {
  const type = essence(name);
  const parameters = withoutQuality(name);
  const covering = accept.split(',').filter((range) => {
    const isOther =
      parameters.length > 0 && withoutQuality(range).some((one) => !parameters.includes(one));
    return !isOther && (coversType(essence(range), type) || coversType(type, essence(range)));
  });
  const [decisive] = covering.toSorted((a, b) => specificity(b) - specificity(a));
  if (decisive === undefined) return 0;
  const quality = Number(/;\s*q\s*=\s*([\d.]+)/i.exec(decisive)?.[1] ?? 1);
  return Number.isNaN(quality) ? 1 : quality;
}

function specificity(range: string): number {
  const type = essence(range);
  if (type === '*/*') return 0;
  return type.endsWith('/*') ? 1 : 2 + withoutQuality(range).length;
}

function withoutQuality(range: string): readonly string[] {
  return parametersOf(range.toLowerCase()).filter((parameter) => !parameter.startsWith('q='));
}
