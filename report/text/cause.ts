import type { CauseView, EffectView } from '../cause/cause-view.ts';
import { countOf } from '../../page/view/count.ts';
import { fitColumns, wrapWords } from './columns.ts';
import { label, renderProof, renderSentence, room } from './failure.ts';
import type { TextLayout } from './layout.ts';
import { type VisibleText, joinShown, show, showLine } from '../../page/view/visible.ts';

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
    ...seen.map((line, index) => label(index === 0 ? show`seen` : show``, line, layout)),
    ...effects.flatMap((effect, index) => renderEffect(effect, index === 0, layout)),
  ];
  return joinShown(lines, '\n');
}

function renderEffect(
  { requirement, expected, received, count }: EffectView,
  isFirst: boolean,
  layout: TextLayout,
): readonly VisibleText[] {
  const { paint } = layout;
  const advice = requirement.level === 'should' ? ', advised' : '';
  const times = count === 1 && advice === '' ? show`` : show` (${countOf(count, 'time')}${advice})`;
  const contrast = fitColumns(show`expected ${expected}, received ${received}`, room(layout));
  return [
    label(
      isFirst ? show`effects` : show``,
      show`${showLine(requirement.id)}${paint.quiet(times)}`,
      layout,
    ),
    label(show``, paint.quiet(contrast), layout),
  ];
}
