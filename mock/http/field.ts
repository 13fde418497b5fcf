import { coversType, essence, parametersOf } from '../../contract/openapi/media-type.ts';

/** Characters of a header that lists what the document has: header names, ways to authenticate. */
export const mostHeaderList = 2304;

/** A text as a header line can carry it: visible characters of Latin-1, spaces and tabs. */
export function fieldText(text: string): string {
  return /[^\t\x20-\x7E\x80-\xFF]/.test(text)
    ? text.replace(/[\r\n]+/g, ' ').replace(/[^\t\x20-\x7E\x80-\xFF]/g, '?')
    : text;
}

/**
 * The members of a list, separated by commas outside quotes (RFC 9110 section 5.6.1); empty ones are left out.
 * Takes time in proportion to the text, also if quotes are left open.
 */
export function splitList(text: string): readonly string[] {
  return text.match(/(?:[^",]|"(?:[^"\\]|\\[^])*(?:"|\\?$))+/g) ?? [];
}

/** A list as one value of a header that leaves the others their room, as clients bound all together. */
export function joinWithin(items: readonly string[]): string {
  let text = '';
  for (const item of items) {
    const longer = text === '' ? item : `${text}, ${item}`;
    if (longer.length <= mostHeaderList) text = longer;
  }
  return text;
}

/** The first instant of the year 10000, which HTTP dates cannot name (RFC 9110 section 5.6.7). */
export const endOfDates = Date.UTC(10_000, 0);

function dateOf(milliseconds: number): Date {
  return new Date(Math.min(milliseconds, endOfDates - 1));
}

/** Milliseconds since 1970 as a date and time (RFC 3339), in the years up to 9999. */
export function renderInstant(milliseconds: number): string {
  return dateOf(milliseconds).toISOString();
}

/** Milliseconds since 1970 as IMF-fixdate (RFC 9110 section 5.6.7). */
export function renderHttpDate(milliseconds: number): string {
  return dateOf(milliseconds).toUTCString();
}

/** How much `Accept` likes a type with its parameters, or a range of the document, from 0 to 1. */
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
