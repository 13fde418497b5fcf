/** A rewriting of every place of a pattern where a part of its syntax stands. */
type Rule = readonly [part: RegExp, rewrite: (...groups: readonly string[]) => readonly string[]];

const rules: readonly Rule[] = [
  [/^\^/g, () => ['']],
  [/\$$/g, () => ['']],
  [/(?<!\\)\+/g, () => ['*', '']],
  [/(?<![\\(])\*/g, () => ['+']],
  [/(?<![\\(])\?/g, () => ['']],
  [/\\([dsw])/gi, (_part, letter = '') => [`\\${swapCase(letter)}`]],
  [/\\\./g, () => ['.']],
  [/\[\^/g, () => ['[']],
  [/\[(?!\^)/g, () => ['[^']],
  [/\{(\d+),(\d+)\}/g, (_part, least = '', most = '') => rewriteRange(Number(least), Number(most))],
];

function swapCase(letter: string): string {
  return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
}

function rewriteRange(least: number, most: number): readonly string[] {
  return [
    `{${least},${most + 1}}`,
    `{${least},${most - 1}}`,
    `{${least + 1},${most}}`,
    ...(least > 0 ? [`{${least - 1},${most}}`] : []),
  ];
}

/** Other patterns than the one that is written, each changed at one place. */
export function rewritePattern(source: string, flags: string): readonly string[] {
  const sources = rules.flatMap(([part, rewrite]) =>
    [...source.matchAll(part)].flatMap((match) =>
      rewrite(...match).map(
        (other) =>
          source.slice(0, match.index) + other + source.slice(match.index + match[0].length),
      ),
    ),
  );
  const shorter = Array.from(flags).map((flag) => flags.replace(flag, ''));
  return [
    ...sources
      .filter((other) => other !== '' && isPattern(other, flags))
      .map((other) => `/${other}/${flags}`),
    ...shorter.map((other) => `/${source}/${other}`),
  ];
}

function isPattern(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags).source !== '';
  } catch {
    return false;
  }
}
