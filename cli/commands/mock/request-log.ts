import type { Hint, JournalEntry } from '../../../mock/index.ts';
import { fitColumns, wrapText, type Paint, type TextLayout } from '../../../report/text/layout.ts';
import {
  joinShown,
  show,
  showJson,
  showLine,
  spaces,
  type VisibleText,
} from '../../../page/view/visible.ts';
import type { CommandIo } from '../../io/command-io.ts';

/**
 * Prints an event of the mock: with `--log json` its facts as one line of JSON, else its text, if
 * any.
 */
export type Print = (kind: string, facts: () => object, text?: () => VisibleText) => void;

export function createEventPrinter(log: 'text' | 'json', { stdout }: CommandIo): Print {
  return (kind, facts, text) => {
    const at = new Date().toISOString();
    const shown = log === 'json' ? showJson({ kind, at, ...facts() }) : text?.();
    if (shown !== undefined) stdout.write(show`${shown}\n`);
  };
}

/** Columns of a time and the space after it, by which notes are indented. */
const timeWidth = 9;

/**
 * A request in one line: `10:31:04 200 0.4 ms 59 left alice Free GET /v1/pets listPets`, with notes
 * below it. Times are UTC. Fields of fixed width come first, so that columns line up. Lines fit the
 * layout if it has 40 columns or more.
 */
export function renderEntry(
  entry: JournalEntry,
  { width, paint }: TextLayout,
  hints: readonly Hint[] = [],
): VisibleText {
  const { at, status, method, target, operation = '', milliseconds, rate, sandbox, plan } = entry;
  const time = showLine(new Date(at).toISOString().slice(11, 19));
  const tone = status >= 500 ? 'bad' : status >= 400 ? 'doubtful' : 'good';
  const left = rate === undefined ? '' : `${rate.remaining} left`.padStart(10);
  const facts = `${milliseconds.toFixed(1)} ms`.padStart(9) + left;
  // The sandbox, unless it is the main one; a dash for callers without a key.
  const who = `${sandbox === 'main' ? '' : sandbox} ${plan ?? ''}`.trim() || '-';
  const shownWho = fitColumns(who, Math.max(10, Math.floor(width / 5))).padEnd(12);
  const request = `${shownWho}  ${fitColumns(`${method} ${target}`, 500)}  ${operation}`.trimEnd();
  const rest = printable(`${facts}  ${request}`);
  const line = show`${paint.quiet(time)} ${paint[tone](show`${status}`)}${fitColumns(rest, width - timeWidth - 3)}`;
  const notes = notesOf(entry, hints).flatMap(([noteTone, text]) =>
    wrapText(printable(text), width - timeWidth).map(
      (part) => show`${spaces(timeWidth)}${paint[noteTone](part)}`,
    ),
  );
  return joinShown([line, ...notes], '\n');
}

/** What was special about a request, one line each. */
function* notesOf(
  { refusal, fault, stub, preferred, event }: JournalEntry,
  hints: readonly Hint[],
): Generator<readonly [keyof Paint, string]> {
  const isAsked = refusal?.reason === 'injected_fault' || refusal?.reason === 'stubbed';
  if (refusal !== undefined && !isAsked)
    yield ['doubtful', `${refusal.reason}: ${refusal.message}`];
  const broken = fault?.breaks === undefined ? '' : `, which breaks the contract: ${fault.breaks}`;
  if (fault !== undefined) yield ['bad', `fault: ${fault.effect}${broken}`];
  if (stub?.kind === 'applied') yield ['quiet', `stub: ${stub.name ?? stub.id}`];
  if (preferred !== '') yield ['quiet', `preferred: ${preferred}`];
  if (event !== undefined) yield ['quiet', `event: ${event}`];
  for (const { kind, message } of hints) {
    // The refusal already suggests the path.
    if (kind === 'path' && refusal?.message.includes('Did you mean') === true) continue;
    yield ['doubtful', `hint: ${message}`];
  }
}

/** Escapes control characters and limits the length of text from clients. */
function printable(text: string): VisibleText {
  return showLine(fitColumns(text, 1000));
}
