import { countOf } from '../../page/view/count.ts';
import type { CauseView, EffectView } from '../cause/cause-view.ts';
import { countColumns, fitColumns, wrapWords } from './columns.ts';
import type { Side } from '../model/contrast.ts';
import { describeOutcome, describeRequest } from '../model/exchange-line.ts';
import type { FailureStep, FailureView } from '../model/failure.ts';
import type { TextLayout } from './layout.ts';
import {
  type VisibleText,
  joinShown,
  padShown,
  reshape,
  show,
  showLine,
} from '../../page/view/visible.ts';

/** Columns before what a line says: two of indent, then the label. */
const labelled = 13;

export function renderRequirement(
  { requirement, source, more, words }: FailureView,
  headline: VisibleText,
  layout: TextLayout,
): readonly VisibleText[] {
  const { paint } = layout;
  const again = more === 0 ? '' : paint.quiet(show` (and ${more} more)`);
  return [
    show`${paint.bad(headline)}  ${paint.strong(showLine(requirement.id))}${again}`,
    ...renderSentence(requirement, source, words, layout),
  ];
}

function renderSentence(
  { sentence }: FailureView['requirement'],
  source: VisibleText,
  words: FailureView['words'],
  layout: TextLayout,
): readonly VisibleText[] {
  return [
    ...wrapWords(showLine(sentence), room(layout)).map((line, index) =>
      label(index === 0 ? words.required : show``, line, layout),
    ),
    ...wrapWords(source, room(layout)).map((line) =>
      label(show``, layout.paint.quiet(line), layout),
    ),
  ];
}

/** What was sent and expected, what came back, and how to see it again. */
export function renderProof(
  { expected, received, words, contrast, steps, replay }: FailureView,
  layout: TextLayout,
): readonly VisibleText[] {
  return [
    ...steps.map((step, index) => {
      const text = describeStep(step, index === steps.length - 1);
      return label(index === 0 ? show`sent` : show`then`, fitColumns(text, room(layout)), layout);
    }),
    renderMarked(show`expected`, expected, contrast.expected, layout),
    renderMarked(words.received, received, contrast.received, layout),
    ...steps.flatMap(({ curl }, index) =>
      curl === undefined ? [] : [renderCommand(index === 0 ? show`curl` : show``, curl, layout)],
    ),
    ...(replay === undefined ? [] : [renderCommand(show`replay`, replay, layout)]),
  ];
}

export function renderTextAdvice(
  { requirement, expected, received, words }: FailureView,
  layout: TextLayout,
): VisibleText {
  const lines = [
    show`  ${showLine(requirement.id)}`,
    renderMarked(show`expected`, expected, undefined, layout),
    renderMarked(words.received, received, undefined, layout),
  ];
  return joinShown(lines, '\n');
}

function room({ width }: TextLayout): number {
  return Math.max(20, width - labelled);
}

/** A line that says what it is about, in the column of the labels. */
export function label(name: VisibleText, text: VisibleText, { paint }: TextLayout): VisibleText {
  return show`  ${paint.quiet(padShown(name, labelled - 2))}${text}`;
}

/** The last response is shown in full, those before it by their status. */
function describeStep({ exchange }: FailureStep, isLast: boolean): VisibleText {
  const request = describeRequest(exchange.request);
  return isLast ? request : show`${request} -> ${describeOutcome(exchange.outcome)}`;
}

/** The value that differs is marked where there is colour; a long text is cut around it. */
function renderMarked(
  name: VisibleText,
  text: VisibleText,
  side: Side | undefined,
  layout: TextLayout,
): VisibleText {
  const start = side === undefined || side.value === '' ? -1 : text.lastIndexOf(side.text);
  if (side === undefined || start < 0 || countColumns(text.slice(0, start)) > room(layout) / 2)
    return label(name, fitColumns(text, room(layout)), layout);
  const part = (from: number, to?: number): VisibleText =>
    reshape(text, (whole) => whole.slice(from, to));
  const end = start + side.value.length;
  const before = part(0, start);
  const marked = fitColumns(part(start, end), room(layout) - countColumns(before));
  const left = room(layout) - countColumns(before + marked);
  const after = left > 0 ? fitColumns(part(end), left) : '';
  return label(name, show`${before}${layout.paint.mark(marked)}${after}`, layout);
}

/** A command for the shell, whole up to a length at which nobody copies it any more. */
function renderCommand(name: VisibleText, command: VisibleText, layout: TextLayout): VisibleText {
  if (command.length <= longestCommand) return label(name, command, layout);
  // A part would open a quote for the shell that it is pasted into, and not close it.
  const size = show`${command.length} characters`;
  return label(name, show`a line of ${size}; see the report files (--report)`, layout);
}

/** Beyond this a command is no longer read or copied from a terminal. */
const longestCommand = 1500;

/** Under the word that begins a cause. */
const indent = '        ';

/** A cause: what is wrong, an exchange that shows it and how to see it again, and its effects. */
export function renderTextCause(cause: CauseView, layout: TextLayout): VisibleText {
  const { sentence, failure, seen, effects } = cause;
  const { paint } = layout;
  const { requirement, source, words } = failure;
  const id = showLine(requirement.id);
  const headline = sentence ?? id;
  const [first = show``, ...rest] = wrapWords(headline, layout.width - indent.length);
  const lines = [
    show`${paint.bad(show`FAILED`)}  ${paint.strong(first)}`,
    ...rest.map((line) => show`${indent}${paint.strong(line)}`),
    ...(sentence === undefined ? [] : [label(show`breaks`, paint.strong(id), layout)]),
    ...renderSentence(requirement, source, words, layout),
    ...renderProof(failure, layout),
    ...(seen === undefined ? [] : [label(show`seen`, seen, layout)]),
    ...renderEffects(effects, layout),
  ];
  return joinShown(lines, '\n');
}

/** Effects that are shown with what was expected and received; further ones are only named. */
const mostEffects = 2;

function renderEffects(effects: readonly EffectView[], layout: TextLayout): readonly VisibleText[] {
  const { paint } = layout;
  const lines = effects
    .slice(0, mostEffects)
    .flatMap(({ requirement, expected, received, count }) => {
      const advice = requirement.level === 'should' ? ', advised' : '';
      const times =
        count === 1 && advice === '' ? show`` : show` (${countOf(count, 'time')}${advice})`;
      const contrast = show`expected ${expected}, received ${received}`;
      return [
        show`${showLine(requirement.id)}${paint.quiet(times)}`,
        paint.quiet(fitColumns(contrast, room(layout))),
      ];
    });
  const rest = effects.slice(mostEffects).map(({ requirement }) => showLine(requirement.id));
  const named = rest.length === 0 ? [] : wrapWords(joinShown(rest, ', '), room(layout));
  return [...lines, ...named].map((line, index) =>
    label(index === 0 ? show`effects` : show``, line, layout),
  );
}
