import { countColumns, fitColumns, takeColumns, wrapWords } from './columns.ts';
import { splitAt, type Stretch } from '../model/difference.ts';
import { describeOutcome, describeRequest } from '../model/exchange-line.ts';
import type { FailureStep, FailureView } from '../model/failure.ts';
import type { TextLayout } from './layout.ts';

/** Columns before what a line says: two of indent, then the label. */
const labelled = 13;

/** The headline of a failure, what is required, and where. */
export function renderRequirement(
  { requirement, source, more, words }: FailureView,
  headline: string,
  layout: TextLayout,
): readonly string[] {
  const { paint } = layout;
  const again = more === 0 ? '' : paint.quiet(` (and ${more} more)`);
  return [
    `${paint.bad(headline)}  ${paint.strong(requirement.id)}${again}`,
    ...renderSentence(requirement, source, words, layout),
  ];
}

/** What is required, and where. */
export function renderSentence(
  { sentence }: FailureView['requirement'],
  source: string,
  words: FailureView['words'],
  layout: TextLayout,
): readonly string[] {
  return [
    ...wrapWords(sentence, room(layout)).map((line, index) =>
      label(index === 0 ? words.required : '', line, layout),
    ),
    ...wrapWords(source, room(layout)).map((line) => label('', layout.paint.quiet(line), layout)),
  ];
}

/** What was sent and expected, what came back, and how to see it again. */
export function renderProof(
  { expected, received, words, difference, steps, replay }: FailureView,
  layout: TextLayout,
): readonly string[] {
  return [
    ...steps.map((step, index) => {
      const text = describeStep(step, index === steps.length - 1);
      return label(index === 0 ? 'sent' : 'then', fitColumns(text, room(layout)), layout);
    }),
    ...renderMarked('expected', expected, difference?.expected, layout),
    ...renderMarked(words.received, received, difference?.received, layout),
    ...steps.flatMap(({ curl }, index) =>
      curl === undefined ? [] : [renderCommand(index === 0 ? 'curl' : '', curl, layout)],
    ),
    ...(replay === undefined ? [] : [renderCommand('replay', replay, layout)]),
  ];
}

/** A failure of `should` in a few lines. */
export function renderTextAdvice(
  { requirement, expected, received, words }: FailureView,
  layout: TextLayout,
): string {
  return [
    `  ${requirement.id}`,
    ...renderMarked('expected', expected, undefined, layout),
    ...renderMarked(words.received, received, undefined, layout),
  ].join('\n');
}

export function room({ width }: TextLayout): number {
  return Math.max(20, width - labelled);
}

/** A line that says what it is about, in the column of the labels. */
export function label(name: string, text: string, { paint }: TextLayout): string {
  return `  ${paint.quiet(name.padEnd(labelled - 2))}${text}`;
}

/** The last response is told by what came back; those before it by their status. */
function describeStep({ exchange }: FailureStep, isLast: boolean): string {
  const request = describeRequest(exchange.request);
  return isLast ? request : `${request} -> ${describeOutcome(exchange.outcome)}`;
}

/** The stretch that differs is marked by carets below it; a long text is cut around it. */
function renderMarked(
  name: string,
  text: string,
  stretch: Stretch | undefined,
  layout: TextLayout,
): readonly string[] {
  if (stretch === undefined) return [label(name, fitColumns(text, room(layout)), layout)];
  const [before, within, after] = cutAround(splitAt(text, stretch), room(layout));
  const line = label(name, `${before}${layout.paint.mark(within)}${after}`, layout);
  if (within === '') return [line];
  const carets = `${' '.repeat(labelled + countColumns(before))}${layout.paint.bad('^'.repeat(countColumns(within)))}`;
  return [line, carets];
}

type Parts = readonly [before: string, within: string, after: string];

function cutAround([before, within, after]: Parts, most: number): Parts {
  if (countColumns(before + within + after) <= most) return [before, within, after];
  const shown =
    countColumns(before) > most / 2 ? `…${lastColumns(before, Math.floor(most / 3))}` : before;
  if (within === '') return [fitColumns(shown + after, most), '', ''];
  const marked = fitColumns(within, most - countColumns(shown));
  const left = most - countColumns(shown + marked);
  return [shown, marked, left > 0 ? fitColumns(after, left) : ''];
}

function lastColumns(text: string, most: number): string {
  return Array.from(takeColumns(Array.from(text).toReversed().join(''), most)[0])
    .toReversed()
    .join('');
}

/** A command for the shell, whole up to a length at which nobody copies it any more. */
function renderCommand(name: string, command: string, layout: TextLayout): string {
  if (command.length <= longestCommand) return label(name, command, layout);
  const size = `(${command.length} characters, whole in the report's files)`;
  return label(name, `${command.slice(0, longestCommand)}… ${size}`, layout);
}

/** Beyond this a command is no longer read or copied from a terminal. */
const longestCommand = 1500;
