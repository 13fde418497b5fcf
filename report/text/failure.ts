import { countColumns, fitColumns, wrapWords } from './columns.ts';
import type { Side } from '../model/contrast.ts';
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
  { expected, received, words, contrast, steps, replay }: FailureView,
  layout: TextLayout,
): readonly string[] {
  return [
    ...steps.map((step, index) => {
      const text = describeStep(step, index === steps.length - 1);
      return label(index === 0 ? 'sent' : 'then', fitColumns(text, room(layout)), layout);
    }),
    renderMarked('expected', expected, contrast.expected, layout),
    renderMarked(words.received, received, contrast.received, layout),
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
    renderMarked('expected', expected, undefined, layout),
    renderMarked(words.received, received, undefined, layout),
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

/** The value that differs is marked where there is colour; a long text is cut around it. */
function renderMarked(
  name: string,
  text: string,
  side: Side | undefined,
  layout: TextLayout,
): string {
  const start = side === undefined || side.value === '' ? -1 : text.lastIndexOf(side.text);
  if (side === undefined || start < 0 || countColumns(text.slice(0, start)) > room(layout) / 2)
    return label(name, fitColumns(text, room(layout)), layout);
  const end = start + side.value.length;
  const marked = fitColumns(side.value, room(layout) - countColumns(text.slice(0, start)));
  const left = room(layout) - countColumns(text.slice(0, start) + marked);
  const after = left > 0 ? fitColumns(text.slice(end), left) : '';
  return label(name, `${text.slice(0, start)}${layout.paint.mark(marked)}${after}`, layout);
}

/** A command for the shell, whole up to a length at which nobody copies it any more. */
function renderCommand(name: string, command: string, layout: TextLayout): string {
  if (command.length <= longestCommand) return label(name, command, layout);
  const size = `(${command.length} characters, whole in the report's files)`;
  return label(name, `${command.slice(0, longestCommand)}… ${size}`, layout);
}

/** Beyond this a command is no longer read or copied from a terminal. */
const longestCommand = 1500;
