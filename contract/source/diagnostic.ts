/**
 * `error`: a part of the document is set aside. `warning`: it is read as it was probably meant.
 * `hint`: it is read as written, and could be written better.
 */
export type DiagnosticLevel = 'error' | 'warning' | 'hint';

/** The kinds of problems, each with its level; docs/lint.md explains them. */
export const diagnosticLevels = {
  'ambiguous-path': 'warning',
  'closed-schema': 'warning',
  'converted-value': 'warning',
  'cut-text': 'error',
  'duplicate-id': 'warning',
  'duplicate-key': 'error',
  'duplicate-operation': 'error',
  'empty-value': 'warning',
  'endless-reference': 'error',
  'ignored-member': 'hint',
  'impossible-value': 'warning',
  'incomplete-response': 'hint',
  'invalid-content': 'warning',
  'invalid-default': 'warning',
  'invalid-example': 'warning',
  'invalid-extension': 'error',
  'invalid-keyword': 'error',
  'invalid-name': 'error',
  'invalid-overlay': 'error',
  'invalid-parameter': 'warning',
  'invalid-pattern': 'error',
  'invalid-schema': 'error',
  'invalid-security-scheme': 'warning',
  'invalid-server': 'error',
  'invalid-syntax': 'error',
  'missing-member': 'warning',
  'missing-paths': 'error',
  'misspelled-name': 'warning',
  'more-problems': 'warning',
  'not-a-document': 'error',
  'official-schema': 'error',
  'other-version': 'warning',
  'too-large': 'error',
  'translated-pattern': 'warning',
  'undescribed-parameter': 'warning',
  'unknown-reference': 'error',
  'unknown-security-scheme': 'error',
  'unknown-version': 'warning',
  'unknown-yaml': 'warning',
  'unreachable-operation': 'warning',
  'unreadable-file': 'error',
  'unsupported-security': 'hint',
  'unsupported-version': 'error',
  'unused-action': 'warning',
  'unused-parameter': 'warning',
  'unusual-reference': 'hint',
  'unvalidated-version': 'hint',
  'wrong-type': 'error',
} as const satisfies Record<string, DiagnosticLevel>;

export type DiagnosticCode = keyof typeof diagnosticLevels;

/** A place in a text. */
export interface TextPlace {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
}

/** One problem of a document, its place in the text, and what to do about it. */
export interface Diagnostic extends TextPlace {
  readonly code: DiagnosticCode;
  readonly level: DiagnosticLevel;
  /** Name of the file, or of a text: `petstore.yaml`. */
  readonly file: string;
  /** JSON pointer into the document, `#/...`. */
  readonly pointer: string;
  readonly message: string;
  /** One sentence: what would put the document right. */
  readonly fix: string;
}

/** `locate` finds the place in the text when it is first asked for. */
export function createDiagnostic(
  { code, message, fix }: Pick<Diagnostic, 'code' | 'message' | 'fix'>,
  file: string,
  pointer: string,
  locate: () => TextPlace,
): Diagnostic {
  let place: TextPlace | undefined;
  return {
    code,
    level: diagnosticLevels[code],
    file,
    get line() {
      return (place ??= locate()).line;
    },
    get column() {
      return (place ??= locate()).column;
    },
    pointer,
    message,
    fix,
  };
}

/** One line: `petstore.yaml:3:5 warning #/info: title is missing. Add a title. [missing-member]` */
export function renderDiagnostic(diagnostic: Diagnostic): string {
  const { code, level, file, line, column, pointer, message, fix } = diagnostic;
  const stop = /[.!?]$/.test(message) ? '' : '.';
  const rendered = `${file}:${line}:${column} ${level} ${pointer}: ${message}${stop} ${fix} [${code}]`;
  return rendered.replaceAll(/\p{Cc}/gu, (control) => JSON.stringify(control).slice(1, -1));
}

/** `petstore.yaml#/paths: line 3, column 5: is null`; no pointer for the whole file, no first place. */
export function renderRefusal({ file, pointer, line, column, message }: Diagnostic): string {
  const place = line === 1 && column === 1 ? '' : `line ${line}, column ${column}: `;
  return `${file}${pointer === '#' ? '' : pointer}: ${place}${message}`;
}

/** The document cannot be used as a contract. Its message has one line for each diagnostic. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[], options?: ErrorOptions) {
    super(diagnostics.map(renderRefusal).join('\n'), options);
    this.diagnostics = diagnostics;
  }
}

/** The start of a text. */
export const textStart: TextPlace = { line: 1, column: 1 };

/** The error of one diagnostic, by default about the whole file. */
export function documentError(
  code: DiagnosticCode,
  file: string,
  message: string,
  {
    pointer = '#',
    place = textStart,
    cause,
  }: { pointer?: string; place?: TextPlace | undefined; cause?: unknown } = {},
): ContractError {
  const finding = { code, message, fix: 'Correct it.' };
  return new ContractError([createDiagnostic(finding, file, pointer, () => place)], { cause });
}

/** Throws a ContractError where there is an error or a warning among the diagnostics. */
export function refuseFaults(diagnostics: readonly Diagnostic[]): void {
  const faults = diagnostics.filter(({ level }) => level !== 'hint');
  const distinct = new Map(faults.map((fault) => [renderRefusal(fault), fault]));
  if (faults.length > 0) throw new ContractError([...distinct.values()]);
}

export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
