import type { Control, Hint, JournalEntry } from '../../../mock/index.ts';
import {
  countColumns,
  fitColumns,
  wrapText,
  type Paint,
  type TextLayout,
} from '../../../report/text/layout.ts';
import {
  joinShown,
  padShown,
  show,
  showJson,
  showLine,
  spaces,
  type VisibleText,
} from '../../../page/view/visible.ts';
import { type CommandIo, layoutFor } from '../../io/command-io.ts';

/** Prints what happens in a mock: with `--log json` the facts as a line of JSON, else the text, if any. */
export type Print = (kind: string, facts: () => object, text?: () => VisibleText) => void;

export function createPrint(log: 'text' | 'json', { stdout }: CommandIo): Print {
  return (kind, facts, text) => {
    const at = new Date().toISOString();
    const shown = log === 'json' ? showJson({ kind, at, ...facts() }) : text?.();
    if (shown !== undefined) stdout.write(show`${shown}\n`);
  };
}

/** Prints a line for each request, in order. */
export interface RequestLog {
  readonly onEntry: (entry: JournalEntry) => void;
  /** Resolved when all that was answered is printed. */
  readonly end: () => Promise<void>;
}

/** `openControl` loads what explains a request: with the first one, which keeps the start quick. */
export function createRequestLog(
  openControl: () => Promise<Control>,
  print: Print,
  io: CommandIo,
): RequestLog {
  // Without a terminal each request is one line, for other programs.
  const layout = layoutFor(io, Infinity);
  const write = async (entry: JournalEntry): Promise<void> => {
    const control = await openControl();
    print(
      'request',
      // What clients send in bodies stays in the journal: it may hold a key of another service.
      () => ({ ...control.present(entry), body: undefined, callbacks: undefined }),
      () => renderEntry(entry, layout, control.hints(entry)),
    );
  };
  let written = Promise.resolve();
  return {
    onEntry(entry) {
      written = written.then(() => write(entry));
    },
    end: () => written,
  };
}

/**
 * One request as a line that a person can read: `10:31:04 200   0.4 ms   59 left  alice Free  GET
 * /v1/pets  listPets`, with what else is to be said of it below. Times are UTC. What is of one
 * width is first, so that columns line up. No line is wider than the layout, from 40 columns.
 */
export function renderEntry(
  entry: JournalEntry,
  { width, paint }: TextLayout,
  hints: readonly Hint[] = [],
): VisibleText {
  const { at, status, operation } = entry;
  const time = clockTime(at);
  const facts = width < NARROW ? show`` : factsOf(entry);
  const most = Math.max(10, Math.floor(width / 5));
  const who = padShown(fitColumns(printable(whoOf(entry)), most), 12);
  const room = width - countColumns(show`${time} ${status}${facts}  ${who}  `);
  const wanted = printable(`${entry.method} ${entry.target}`);
  const name = fitColumns(printable(operation ?? ''), Math.max(8, room / 2));
  const isNamed =
    name !== '' && countColumns(name) + 2 + Math.min(20, countColumns(wanted)) <= room;
  const end = isNamed ? show`  ${name}` : show``;
  const head = show`${paint.quiet(time)} ${paint[toneOf(status)](show`${status}`)}`;
  const shown = paint.strong(fitColumns(wanted, room - countColumns(end)));
  const line = show`${head}${paint.quiet(facts)}  ${who}  ${shown}${paint.quiet(end)}`;
  const notes = notesOf(entry, hints).flatMap(([tone, text]) =>
    wrapText(printable(text), width - TIME_WIDTH).map(
      (part) => show`${spaces(TIME_WIDTH)}${paint[tone](part)}`,
    ),
  );
  return joinShown([line, ...notes], '\n');
}

/** Columns of a time and the space after it: the indent of notes. */
const TIME_WIDTH = 9;

/** On narrower terminals a line has no time in the mock and no quota. */
const NARROW = 64;

function factsOf({ milliseconds, rate }: JournalEntry): VisibleText {
  const left = rate === undefined ? '' : ` ${shortCount(rate.remaining)} left`.padStart(10);
  return showLine(`${` ${milliseconds.toFixed(1)} ms`.padStart(9)}${left}`);
}

/** At most seven characters. */
function shortCount(count: number): string {
  return count < 1_000_000 ? `${count}` : count.toExponential(1).replace('+', '');
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
    // The refusal has already said which path was meant.
    if (kind === 'path' && refusal?.message.includes('Did you mean') === true) continue;
    yield ['doubtful', `hint: ${message}`];
  }
}

function clockTime(at: number): VisibleText {
  return showLine(new Date(at).toISOString().slice(11, 19));
}

/** Nothing that a client sends may move the cursor of a terminal or grow without end. */
function printable(text: string): VisibleText {
  return showLine(fitColumns(text, 500));
}
