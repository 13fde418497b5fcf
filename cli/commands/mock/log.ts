import type { JournalEntry } from '../../../mock/index.ts';
import { showLine } from '../../../view/visible.ts';
import { fitColumns } from '../../../report/text/columns.ts';
import type { TextLayout } from '../../../report/text/layout.ts';
import type { Paint } from '../../../report/text/paint.ts';

/**
 * One request as a line that a person can read: `10:31:04 200   0.4 ms   59 left  alice Free  GET
 * /v1/pets  listPets`, with what else is to be said of it below. Times are UTC. What is of one
 * width stands first, so that columns line up.
 */
export function renderEntry(entry: JournalEntry, { width, paint }: TextLayout): string {
  const { at, status, method, operation, rate, milliseconds } = entry;
  const left = rate === undefined ? '' : `${rate.remaining} left`.padStart(10);
  const facts = `${`${milliseconds.toFixed(1)} ms`.padStart(9)}${left}`;
  const who = shorten(whoOf(entry), width / 4).padEnd(12);
  const room = width - TIME_WIDTH - '000'.length - facts.length - who.length - 4;
  const end = operation === undefined ? '' : `  ${operation}`;
  const request = shorten(`${method} ${printable(entry.target)}`, room - end.length);
  const line = [
    paint.quiet(clockTime(at)),
    ' ',
    paint[toneOf(status)](`${status}`),
    paint.quiet(facts),
    '  ',
    who,
    '  ',
    paint.strong(request),
    paint.quiet(end),
  ].join('');
  const notes = notesOf(entry).flatMap(([name, text]) =>
    wrap(text, width - TIME_WIDTH).map((part) => ' '.repeat(TIME_WIDTH) + paint[name](part)),
  );
  return [line, ...notes].join('\n');
}

/** Columns of a time and the space after it, under which notes stand. */
const TIME_WIDTH = 9;

/**
 * One request as JSON for machines, without line ends; instants are dates (RFC 3339). Members are
 * named as in the journal. The body, and what is read from it, stand in the journal only: they may
 * hold a key.
 */
export function renderEntryJson(entry: JournalEntry): string {
  const { at, rate, preferred, contentLength, isKeyInTarget, ...all } = entry;
  const { content: _content, callbacks: _callbacks, detail: _detail, ...others } = all;
  return JSON.stringify({
    kind: 'request',
    at: new Date(at).toISOString(),
    ...others,
    keyInTarget: isKeyInTarget,
    bodyLength: contentLength,
    preferred: preferred === '' ? undefined : preferred,
    rate:
      rate === undefined ? undefined : { ...rate, resetAt: new Date(rate.resetAt).toISOString() },
  });
}

/** The sandbox, unless it is the common one, and the plan; a dash for callers without a key. */
function whoOf({ sandbox, plan }: JournalEntry): string {
  return `${sandbox === 'main' ? '' : sandbox} ${plan ?? ''}`.trim() || '-';
}

function toneOf(status: number): keyof Paint {
  if (status >= 500) return 'bad';
  return status >= 400 ? 'doubtful' : 'good';
}

/** What came of a request besides the wanted response: a line for each. */
function* notesOf({
  refusal,
  fault,
  preferred,
  event,
}: JournalEntry): Generator<readonly [keyof Paint, string]> {
  if (refusal !== undefined && refusal.reason !== 'injected_fault')
    yield ['doubtful', `${refusal.reason}: ${printable(refusal.message)}`];
  const broken = fault?.breaks === undefined ? '' : `, which breaks the contract: ${fault.breaks}`;
  if (fault !== undefined) yield ['bad', `fault: ${fault.effect}${broken}`];
  if (preferred !== '') yield ['quiet', `preferred: ${printable(preferred)}`];
  if (event !== undefined) yield ['quiet', `event: ${event}`];
}

function clockTime(at: number): string {
  return new Date(at).toISOString().slice(11, 19);
}

/** Nothing that a client sends may move the cursor of a terminal or grow without end. */
function printable(text: string): string {
  return showLine(shorten(text, 300));
}

/** At most so many columns, at least 20, with an ellipsis in the place of the others. */
function shorten(text: string, most: number): string {
  return fitColumns(text, Math.max(20, most));
}

/** Lines of at most so many characters, broken between words, but not within `(at /name)`. */
function wrap(text: string, most: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/ (?!\/)/)) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + word.length < most)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
