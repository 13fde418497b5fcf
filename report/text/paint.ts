import { styleText } from 'node:util';

/** Colours for a terminal: a text that is laid out already, with or without colour. */
export interface Paint {
  readonly bad: (text: string) => string;
  readonly good: (text: string) => string;
  readonly doubtful: (text: string) => string;
  readonly quiet: (text: string) => string;
  readonly strong: (text: string) => string;
  /** A stretch that differs. */
  readonly mark: (text: string) => string;
}

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
