declare const visible: unique symbol;

/**
 * A text that is safe to print: foreign text in it has been escaped by `showLine`. Only `showLine`,
 * `showText`, `showJson`, `show` and functions that combine their results create it.
 */
export type VisibleText = string & { readonly [visible]: true };

/**
 * Escapes characters that are invisible, move the cursor or change the writing direction, and
 * non-characters, as in `\u{1b}`. Line breaks and tabs stay, so it is for markup, where they are
 * only white space.
 */
export function showText(text: string): string {
  return text.replace(
    hidden,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/**
 * Like `showText`, but in one line that no CI server executes: also escapes line breaks and tabs,
 * and the second number sign of `##[error]`, `##vso[` or `##teamcity[`.
 */
export function showLine(text: string): VisibleText {
  return vouch(
    showText(text)
      .replace(/[\n\t]/g, (character) => (character === '\n' ? String.raw`\n` : String.raw`\t`))
      .replace(/##(?=\w*\[)/g, String.raw`#\u{23}`),
  );
}

/** A value as JSON with invisible characters escaped. Parsing it gives the same value. */
export function showJson(value: unknown, indent?: number): VisibleText {
  return showJsonText(JSON.stringify(value, undefined, indent));
}

/** A JSON text with invisible characters escaped. They occur only in strings. */
export function showJsonText(json: string): VisibleText {
  // Most of a text is ASCII, and a log is long: test the expensive character classes only on the
  // rest.
  const shown = json.replace(notPlain, (run) => run.replace(hidden, escapeUnits));
  return vouch(shown.replace(/##(?=\w*\[)/g, String.raw`#\u0023`));
}

function escapeUnits(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** Allowed parts of a `show` template: visible texts, numbers and constants. */
type Shown<Part> = Part extends VisibleText | number | bigint
  ? Part
  : Part extends string
    ? Constant<Part>
    : never;

/** A string literal: `never` for a string that is only known at run time. */
export type Constant<Text extends string> = Text extends unknown
  ? Record<string, never> extends Readonly<Record<Text, 1>>
    ? never
    : Text
  : never;

/** A template literal with visible texts, numbers and constants: show`${count} things`. */
export function show<const Parts extends readonly (string | number | bigint)[]>(
  strings: TemplateStringsArray,
  ...parts: { readonly [Index in keyof Parts]: Shown<Parts[Index]> }
): VisibleText;
export function show(
  strings: TemplateStringsArray,
  ...parts: readonly (string | number | bigint)[]
): string {
  return strings.map((text, index) => text + String(parts[index] ?? '')).join('');
}

/** Joins visible texts with a constant. */
export function joinShown<const Between extends string>(
  texts: Iterable<VisibleText>,
  between: Constant<Between>,
): VisibleText {
  return vouch([...texts].join(between));
}

/** Pads a visible text with spaces to a length; a negative length pads at the start. */
export function padShown(text: VisibleText, length: number): VisibleText {
  return vouch(length < 0 ? text.padStart(-length) : text.padEnd(length));
}

export function spaces(count: number): VisibleText {
  return vouch(' '.repeat(count));
}

/** Changes a visible text. `change` may cut, move or colour it, but adds nothing foreign. */
export function reshape(text: VisibleText, change: (text: string) => string): VisibleText {
  return vouch(change(text));
}

function vouch(text: string): VisibleText;
function vouch(text: string): string {
  return text;
}

const notPlain = /[^\n\t\x20-\x7E]+/g;

/**
 * Control characters except tab and line feed, format characters, line separators, lone surrogates
 * and private-use characters.
 */
const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;
