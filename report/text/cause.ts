import type { CauseView, EffectView } from '../cause/cause-view.ts';
import { countOf } from '../../view/count.ts';
import { fitColumns, wrapWords } from './columns.ts';
import { label, renderProof, renderSentence, room } from './failure.ts';
import type { TextLayout } from './layout.ts';

/** Under the word that begins a cause. */
const indent = '        ';

/** A cause: what is wrong, an exchange that shows it and how to see it again, and its effects. */
export function renderTextCause(cause: CauseView, layout: TextLayout): string {
  const { sentence, failure, seen, effects } = cause;
  const { paint } = layout;
  const { requirement, source, words } = failure;
  const headline = sentence ?? requirement.id;
  const [first = '', ...rest] = wrapWords(headline, layout.width - indent.length);
  return [
    `${paint.bad('FAILED')}  ${paint.strong(first)}`,
    ...rest.map((line) => `${indent}${paint.strong(line)}`),
    ...(sentence === undefined ? [] : [label('breaks', paint.strong(requirement.id), layout)]),
    ...renderSentence(requirement, source, words, layout),
    ...renderProof(failure, layout),
    ...seen.map((line, index) => label(index === 0 ? 'in all' : '', line, layout)),
    ...effects.flatMap((effect, index) => renderEffect(effect, index === 0, layout)),
  ].join('\n');
}

function renderEffect(
  { requirement, expected, received, count }: EffectView,
  isFirst: boolean,
  layout: TextLayout,
): readonly string[] {
  const { paint } = layout;
  const advice = requirement.level === 'should' ? ', advised' : '';
  const times = count === 1 && advice === '' ? '' : ` (${countOf(count, 'time')}${advice})`;
  const contrast = fitColumns(`expected ${expected}, received ${received}`, room(layout));
  return [
    label(isFirst ? 'effects' : '', `${requirement.id}${paint.quiet(times)}`, layout),
    label('', paint.quiet(contrast), layout),
  ];
}
