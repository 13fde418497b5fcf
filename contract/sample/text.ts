import { maxSampleText } from '../limits/index.ts';
import { type MergedSchema, namesOf } from '../schema/keyword/merged-schema.ts';
import { anyText, formatText, memberText } from './meaning.ts';
import { listPatternTexts } from './pattern-text.ts';
import { createDraw, type Draw } from './random.ts';

/** A text of more characters is long. */
const longText = 4096;

/** Characters of a long text that count as one step. */
const charactersInStep = 1024;

/** Most texts of one pattern that are tried. */
const maxOfPattern = 400;

/** Texts of one pattern that are tried as a part of texts of a format. */
const maxParts = 3;

/**
 * Texts that may fit the schemas, those with a meaning first. `draw` varies them. Long ones take steps;
 * if few are left, texts are short.
 */
export function* listTexts(
  schemas: MergedSchema,
  name: string,
  draw: Draw | undefined,
  budget: { stepsLeft: number },
): Generator<string> {
  // By the name alone, so that an item is the same in all responses that show it.
  const series = draw ?? createDraw(name);
  for (const text of listCandidates(schemas, name, series, budget.stepsLeft * charactersInStep)) {
    if (text.length > longText) budget.stepsLeft -= Math.floor(text.length / charactersInStep);
    yield text;
    if (budget.stepsLeft < 0) return;
  }
}

function* listCandidates(
  { parts, minLength = 0, maxLength: max = Infinity }: MergedSchema,
  name: string,
  draw: Draw,
  characters: number,
): Generator<string> {
  const least = Math.min(minLength, maxSampleText);
  const min = least > longText && least > characters ? 0 : least;
  const meant = memberText(name, draw);
  const formats = parts.flatMap(({ schema }) => [schema.format, schema.contentEncoding]);
  const formatted = formats
    .flatMap(namesOf)
    .flatMap((format) => formatText(format, name, draw) ?? []);
  for (const text of formatted) yield* withLength(text, min, max);
  const patterns = parts.flatMap(({ schema }) => namesOf(schema.pattern));
  if (patterns.length === 0) {
    if (meant !== undefined) yield fitLength(meant, min, max);
    yield fitLength(anyText(draw), min, max);
  }
  for (const pattern of patterns) {
    if (meant !== undefined) yield meant;
    let tried = 0;
    for (const text of listPatternTexts(pattern, min, max, draw).take(maxOfPattern)) {
      yield text;
      tried += 1;
      for (const whole of tried > maxParts ? [] : formatted) yield* withPart(whole, text);
    }
  }
  for (const text of ['a', '0', 'A', '', ' ', '/']) yield fitLength(text, min, max);
}

/** A text with a part at its start, at its end or within it: `@a.org` in `jade@example.org`. */
function* withPart(text: string, part: string): Generator<string> {
  for (let at = text.length; at >= 0; at -= 1) {
    const start = text.slice(0, at);
    yield start + part;
    yield part + text.slice(at);
    yield start + part + text.slice(at + part.length);
  }
}

/** The shortest texts of some formats, for a small `maxLength`. */
const shortTexts = ['a@b.de', 'a@b.d', 'https://a.io', 'a:b', '/', 'YWFh', 'P1D', 'PT1H', '::1'];

/** A text of a format, then candidates of the required length; the caller checks them. */
function* withLength(text: string, min: number, max: number): Generator<string> {
  if (text.length >= min && text.length <= max) yield text;
  const missing = Math.max(0, min - text.length);
  // For most formats, then for host names and base64, email addresses, durations, and times.
  yield text + 'a'.repeat(missing);
  yield text.repeat(Math.ceil(min / text.length));
  yield 'a'.repeat(missing) + text;
  yield text.charAt(0) + '1'.repeat(missing) + text.slice(1);
  yield text.replace('Z', `.${'0'.repeat(Math.max(1, missing - 1))}Z`);
  for (const short of shortTexts) if (short.length <= max) yield short.padEnd(min, 'a');
}

/** Cuts or fills a text to a length in code points, as JSON Schema counts. */
function fitLength(text: string, min: number, max: number): string {
  const filler = text || 'a';
  if (text.length >= min && text.length <= max) return text;
  const points = Array.from(text);
  if (points.length > max) return points.slice(0, max).join('').trimEnd().padEnd(min, 'a');
  const missing = Math.max(0, min - points.length);
  return text + filler.repeat(Math.ceil(missing / filler.length)).slice(0, missing);
}
