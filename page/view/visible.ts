declare const visible: unique symbol;

/**
 * A text that may be printed: no foreign text is in it but through `showLine`. It is made by
 * `showLine`, `showText`, `showJson`, `show` and what puts such texts together, and by nothing else.
 */
export type VisibleText = string & { readonly [visible]: true };

/**
 * A foreign text as it can be shown: what cannot be seen, moves the cursor, turns the direction of
 * writing or is not a character at all is written as an escape such as `\u{1b}`. Line breaks and tabs
 * stay, so it is for markup, where they are no more than space.
 */
export function showText(text: string): string {
  return text.replace(
    hidden,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/**
 * As `showText`, in one line that no CI server takes for a command: line breaks and tabs are escaped
 * too, and the second of two number signs that begin `##[error]`, `##vso[` or `##teamcity[`.
 */
export function showLine(text: string): VisibleText {
  return vouch(
    showText(text)
      .replace(/[\n\t]/g, (character) => (character === '\n' ? String.raw`\n` : String.raw`\t`))
      .replace(/##(?=\w*\[)/g, String.raw`#\u{23}`),
  );
}

/** A value as JSON with what cannot be seen escaped: a JSON reader sees the same value. */
export function showJson(value: unknown, indent?: number): VisibleText {
  return showJsonText(JSON.stringify(value, undefined, indent));
}

/** A JSON text, in which what cannot be seen is escaped: it is valid in strings only. */
export function showJsonText(json: string): VisibleText {
  // Most of a text is plain, and a log is long: the costly classes are asked of the rest alone.
  const shown = json.replace(notPlain, (run) => run.replace(hidden, escapeUnits));
  return vouch(shown.replace(/##(?=\w*\[)/g, String.raw`#\u0023`));
}

function escapeUnits(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** What a template of `show` may contain: visible texts, numbers and constants. */
type Shown<Part> = Part extends VisibleText | number | bigint
  ? Part
  : Part extends string
    ? Constant<Part>
    : never;

/** A text that is written in the program: `never` for one that is known only when it runs. */
export type Constant<Text extends string> = Text extends unknown
  ? Record<string, never> extends Readonly<Record<Text, 1>>
    ? never
    : Text
  : never;

/** A text of the program with visible texts, numbers and constants in it: show`${count} things`. */
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

/** Visible texts with a constant between them. */
export function joinShown<const Between extends string>(
  texts: Iterable<VisibleText>,
  between: Constant<Between>,
): VisibleText {
  return vouch([...texts].join(between));
}

/** A visible text with spaces after it, so that it has so many characters; before it: negative. */
export function padShown(text: VisibleText, length: number): VisibleText {
  return vouch(length < 0 ? text.padStart(-length) : text.padEnd(length));
}

/** So many spaces. */
export function spaces(count: number): VisibleText {
  return vouch(' '.repeat(count));
}

/** A visible text in another form: `change` cuts, moves or colours it, and adds nothing foreign. */
export function reshape(text: VisibleText, change: (text: string) => string): VisibleText {
  return vouch(change(text));
}

function vouch(text: string): VisibleText;
function vouch(text: string): string {
  return text;
}

const notPlain = /[^\n\t\x20-\x7E]+/g;

/** Controls but tab and line feed, format, line separators, lone surrogates, private ones. */
const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;
