/**
 * A foreign text as it can be shown: what cannot be seen, moves the cursor, turns the direction of
 * writing or is no character at all stands as an escape such as `\u{1b}`. Line breaks and tabs
 * stay.
 */
export function showText(text: string): string {
  return text.replace(
    hidden,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** As `showText`, in one line: line breaks and tabs are escaped too. */
export function showLine(text: string): string {
  return showText(text).replace(/[\n\t]/g, (character) =>
    character === '\n' ? String.raw`\n` : String.raw`\t`,
  );
}

/** Controls but tab and line feed, format, line separators, lone surrogates, private ones. */
const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;
