import { styleText } from 'node:util';
import { type VisibleText, reshape } from '../../page/view/visible.ts';

/**
 * Colours for a terminal: a text that is laid out already, with or without colour. `mark` is for a
 * stretch that differs.
 */
export type Paint = Readonly<Record<Tone, (text: VisibleText) => VisibleText>>;

type Tone = 'bad' | 'good' | 'doubtful' | 'quiet' | 'strong' | 'mark';

/** For files, pipes and people who want no colour. */
export const plainPaint: Paint = {
  bad: plain,
  good: plain,
  doubtful: plain,
  quiet: plain,
  strong: plain,
  mark: plain,
};

/** In the terminal's own colours, so that they fit its background. */
export const ansiPaint: Paint = {
  bad: styled(['bold', 'red']),
  good: styled(['green']),
  doubtful: styled(['yellow']),
  quiet: styled(['dim']),
  strong: styled(['bold']),
  mark: styled(['inverse', 'red']),
};

/** A text as it is. */
export function plain(text: VisibleText): VisibleText {
  return text;
}

function styled(format: Parameters<typeof styleText>[0]): (text: VisibleText) => VisibleText {
  return (text) =>
    text === ''
      ? text
      : reshape(text, (shown) => styleText(format, shown, { validateStream: false }));
}
