import { maxLength, minLength } from '../schema/keyword/count.ts';
import type { Place } from './place.ts';
import type { Part, SampleBudget } from './schema-view.ts';
import { anyText, formatText, memberText } from './meaning.ts';
import { listPatternTexts } from './pattern-text.ts';
import { createDraw, type Draw } from './random.ts';
import { mostSampleText } from '../limits/index.ts';

/** Characters from which a text is a long one. */
const longText = 4096;

/** Characters of a long text that count as one step. */
const charactersInStep = 1024;

/** Texts of one pattern that are tried. */
const mostOfPattern = 400;

/**
 * Texts that may fit the parts, the most telling first. With `draw`, others. Long ones cost steps;
 * where few are left, texts are short.
 */
export function* listTexts(
  parts: readonly Part[],
  place: Place,
  draw: Draw | undefined,
  budget: SampleBudget,
): Generator<string> {
  for (const text of listLengthened(parts, place, draw, budget.left * charactersInStep)) {
    if (text.length > longText) budget.left -= Math.floor(text.length / charactersInStep);
    yield text;
    if (budget.left < 0) return;
  }
}

function* listLengthened(
  parts: readonly Part[],
  { name }: Place,
  draw: Draw | undefined,
  characters: number,
): Generator<string> {
  const schemas = parts.map(({ schema }) => schema);
  const least = Math.min(minLength.limit(schemas)?.value ?? 0, mostSampleText);
  const min = least > longText && least > characters ? 0 : least;
  const max = maxLength.limit(schemas)?.value ?? Infinity;
  const formats = schemas.flatMap(({ format, contentEncoding }) =>
    [format, contentEncoding].filter((one) => typeof one === 'string'),
  );
  const patterns = schemas.map(({ pattern }) => pattern).filter((one) => typeof one === 'string');
  // By the name alone, so that an item is the same in all responses that show it.
  const series = draw ?? createDraw(name);
  const meant = memberText(name, series);
  for (const format of formats) {
    const text = formatText(format, draw);
    if (text !== undefined) yield* withLength(format, text, min, max);
  }
  if (patterns.length === 0)
    for (const text of [meant, anyText(series)])
      if (text !== undefined) yield fitLength(text, min, max);
  for (const pattern of patterns) {
    for (const text of [meant, ...formats.map((one) => formatText(one, series))])
      if (text !== undefined) yield text;
    yield* listPatternTexts(pattern, { min, max }, series).take(mostOfPattern);
  }
  for (const format of formats) yield formatText(format, series) ?? '';
  for (const text of ['a', '0', 'A', '', ' ', '/']) yield fitLength(text, min, max);
}
/** Texts of a format that have so many characters, for the formats that can be stretched. */
function* withLength(format: string, text: string, min: number, max: number): Generator<string> {
  if (text.length >= min && text.length <= max) yield text;
  const missing = Math.max(0, min - text.length);
  const [start = '', ...rest] = text.split('@');
  if (/email/.test(format)) {
    yield `${'a'.repeat(Math.min(missing, 64 - start.length))}${start}@${rest.join('@')}`;
    yield 'a@b.de'.slice(0, Math.max(5, Math.min(6, max)));
  }
  if (/^(ur[il]|iri)/.test(format)) {
    yield text + 'a'.repeat(missing);
    yield 'https://a.io'.slice(0, Math.max(9, Math.min(12, max)));
    yield 'a:b';
  }
  if (/hostname/.test(format)) {
    yield `${'a'.repeat(50)}.`.repeat(Math.floor(missing / 51)) + text;
    yield 'a'.repeat(Math.max(1, Math.min(max, 60, min)));
  }
  if (/json-pointer|reference/.test(format)) yield fitLength('/', min, max, 'a');
  if (/byte|base64/.test(format)) yield 'YWFh'.repeat(Math.ceil(min / 4));
  if (/date-time|^time/.test(format))
    yield text.replace('Z', `.${'0'.repeat(Math.max(1, missing - 1))}Z`);
  if (format === 'date-time' || format === 'time') yield text.replace('Z', '+00:00');
  if (format === 'duration') yield `P${'1'.repeat(Math.max(1, min - 2))}D`;
  yield fitLength(text, min, max);
}

/** Cut or filled to a length in code points, which JSON Schema counts in. */
function fitLength(text: string, min: number, max: number, filler = text): string {
  if (text.length >= min && text.length <= max) return text;
  const points = Array.from(text);
  if (points.length > max) return points.slice(0, max).join('').trimEnd().padEnd(min, 'a');
  const missing = Math.max(0, min - points.length);
  const more = filler === '' ? 'a' : filler;
  return text + more.repeat(Math.ceil(missing / more.length)).slice(0, missing);
}
