/**
 * Colours for a terminal. Each takes a text that is laid out already and returns it with or without
 * colour.
 */
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
  bad: same,
  good: same,
  doubtful: same,
  quiet: same,
  strong: same,
  mark: same,
};

/**
 * Select Graphic Rendition of ECMA-48 (section 8.3.117), in the terminal's own colours so that they
 * fit its background.
 */
export const ansiPaint: Paint = {
  bad: (text) => sgr('1;31', text),
  good: (text) => sgr('32', text),
  doubtful: (text) => sgr('33', text),
  quiet: (text) => sgr('2', text),
  strong: (text) => sgr('1', text),
  mark: (text) => sgr('7;31', text),
};

function same(text: string): string {
  return text;
}

function sgr(code: string, text: string): string {
  return text === '' ? '' : `\u001B[${code}m${text}\u001B[0m`;
}
