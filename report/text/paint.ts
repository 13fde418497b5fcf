import { styleText } from 'node:util';

/**
 * Colours for a terminal: a text that is laid out already, with or without colour. `mark` is for a
 * stretch that differs.
 */
export type Paint = Readonly<Record<Tone, (text: string) => string>>;

type Tone = 'bad' | 'good' | 'doubtful' | 'quiet' | 'strong' | 'mark';

/** For files, pipes and people who want no colour. */
export const plainPaint: Paint = {
  bad: String,
  good: String,
  doubtful: String,
  quiet: String,
  strong: String,
  mark: String,
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

function styled(format: Parameters<typeof styleText>[0]): (text: string) => string {
  return (text) => (text === '' ? '' : styleText(format, text, { validateStream: false }));
}
