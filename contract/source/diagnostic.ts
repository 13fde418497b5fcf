import { appendPointer, memberOf, parsePointer } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';

/**
 * `error`: a part of the document is ignored. `warning`: it is read as probably intended. `hint`: it is
 * read as written, but could be written better.
 */
export type DiagnosticLevel = 'error' | 'warning' | 'hint';

/** The kinds of problems, each with its level; explained in docs/lint.md. */
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
  'incomplete-response': 'hint',
  'impossible-value': 'warning',
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

/** The position of the member or item at some tokens, or of its nearest existing parent. */
export type TextLocator = (tokens: readonly string[]) => TextPlace;

/** A problem in a document, its position in the text, and its fix. */
export interface Diagnostic extends TextPlace {
  readonly code: DiagnosticCode;
  readonly level: DiagnosticLevel;
  /** Name of the file or text: `petstore.yaml`. */
  readonly file: string;
  /** JSON pointer into the document, `#/...`. */
  readonly pointer: string;
  readonly message: string;
  /** One sentence: what would correct the document. */
  readonly fix: string;
}

/** The parts of a diagnostic without its place. */
export type Finding = Pick<Diagnostic, 'code' | 'message' | 'fix'>;

/** `locate` finds the position in the text when first needed. */
export function createDiagnostic(
  { code, message, fix }: Finding,
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

/**
 * `petstore.yaml#/paths: line 3, column 5: is null`; without a pointer for the whole file, and without a
 * position at its start.
 */
export function renderRefusal({ file, pointer, line, column, message }: Diagnostic): string {
  const place = line === 1 && column === 1 ? '' : `line ${line}, column ${column}: `;
  return `${file}${pointer === '#' ? '' : pointer}: ${place}${message}`;
}

/**
 * The document cannot be used as a contract. The message has one line per diagnostic; of several for the
 * same line, the last.
 */
export class ContractError extends Error {
  override readonly name = 'ContractError';
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[], options?: ErrorOptions) {
    const byLine = new Map(diagnostics.map((one) => [renderRefusal(one), one]));
    super([...byLine.keys()].join('\n'), options);
    this.diagnostics = [...byLine.values()];
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

/** Throws a ContractError if there is an error or a warning among the diagnostics. */
export function refuseFaults(diagnostics: readonly Diagnostic[]): void {
  const faults = diagnostics.filter(({ level }) => level !== 'hint');
  if (faults.length > 0) throw new ContractError(faults);
}

export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** Most diagnostics that are listed; a last one says that there may be more. */
export const maxDiagnostics = 2_000;

/** Most characters in the messages and pointers of the kept diagnostics. */
export const maxDiagnosticText = 2 * 1024 * 1024;

/** A text from which a document was made. */
export interface SourceText {
  /** Name in messages: `openapi.yaml`. */
  readonly name: string;
  /** Undefined if all problems concern the whole text. */
  readonly locate?: TextLocator;
}

/** The origin of a value in a text. */
export interface Origin {
  readonly source: SourceText;
  /** JSON pointer into the value of that text: `#/paths`. */
  readonly pointer: string;
}

/** Collects the diagnostics of one document, each once, and knows the origins of its values. */
export class DiagnosticLog {
  readonly root: SourceText;
  /** The target of pointers, in its current state: it may be changed in place. */
  readonly document: JsonValue;
  /** Rephrases messages in the terms of the document's version. */
  inTerms: (text: string) => string = (text) => text;
  /** For moved and added values; all others are below the origin of their parent. */
  readonly #origins = new WeakMap<object, Origin>();
  readonly #found = new Map<string, Diagnostic>();
  #hasMore = false;
  #characters = 0;

  constructor(root: SourceText, document: JsonValue) {
    this.root = root;
    this.document = document;
  }

  setOrigin(value: object, origin: Origin): void {
    this.#origins.set(value, origin);
  }

  /** Records the origin of a value, unless another one is known. */
  keepOrigin(value: JsonValue | undefined, pointer: string): void {
    // Nothing more will be reported once the log is full.
    if (this.isFull()) return;
    if (typeof value === 'object' && value !== null && !this.#origins.has(value))
      this.setOrigin(value, this.#trace(pointer));
  }

  /** The origin of the value at a pointer, or of its nearest parent with one. */
  #trace(pointer: string): Origin {
    let value: JsonValue | undefined = this.document;
    let at: Origin = { source: this.root, pointer: '#' };
    for (const token of parsePointer(pointer)) {
      value = memberOf(value, token);
      const known = typeof value === 'object' && value !== null && this.#origins.get(value);
      at = known || { source: at.source, pointer: appendPointer(at.pointer, token) };
    }
    return at;
  }

  /** Reports a problem at a pointer into the document. A hint may be intended. */
  report(
    code: DiagnosticCode,
    pointer: string,
    message: string,
    fix = diagnosticLevels[code] === 'hint'
      ? 'Check whether this is intended.'
      : 'Correct it; until then it is left out.',
  ): void {
    // Positions are not computed for nothing.
    if (this.isFull()) this.#hasMore = true;
    else {
      const finding = { code, message: this.inTerms(message), fix: this.inTerms(fix) };
      this.reportAt(this.#trace(pointer), finding);
    }
  }

  /** Reports an extension `x-...` of this package that is malformed. */
  misuse(pointer: string, message: string): void {
    this.report('invalid-extension', pointer, message);
  }

  /** Reports a problem at a position in a text. */
  reportAt({ source, pointer }: Origin, finding: Finding, place?: TextPlace): void {
    const key = `${source.name} ${pointer} ${finding.message} ${place?.line}`;
    if (this.isFull()) this.#hasMore = true;
    else if (!this.#found.has(key)) {
      this.#characters += pointer.length + finding.message.length;
      const locate = (): TextPlace => place ?? source.locate?.(parsePointer(pointer)) ?? textStart;
      this.#found.set(key, createDiagnostic(finding, source.name, pointer, locate));
    }
  }

  list(): readonly Diagnostic[] {
    const found = [...this.#found.values()];
    if (!this.#hasMore) return found;
    const isCount = found.length === maxDiagnostics;
    const most = isCount ? `${maxDiagnostics}` : `${maxDiagnosticText} characters`;
    const message = `there may be more problems: at most ${most} are listed`;
    const fix = 'Correct those that are listed first.';
    const finding: Finding = { code: 'more-problems', message, fix };
    return [...found, createDiagnostic(finding, this.root.name, '#', () => textStart)];
  }

  /** Whether further problems are no longer listed. */
  isFull(): boolean {
    return this.#found.size >= maxDiagnostics || this.#characters > maxDiagnosticText;
  }
}
