import { appendPointer, memberOf, parsePointer } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import {
  createDiagnostic,
  type Diagnostic,
  type DiagnosticCode,
  diagnosticLevels,
  type TextPlace,
  textStart,
} from './diagnostic.ts';
import type { TextLocator } from './tree.ts';

/** Diagnostics that are kept; the others are counted. */
export const mostDiagnostics = 2_000;

/** Characters of the messages and places of the diagnostics that are kept. */
export const mostDiagnosticText = 2 * 1024 * 1024;

/** A text that a document was made from. */
export interface SourceText {
  /** Name in messages: `openapi.yaml`. */
  readonly name: string;
  /** Absent where all that is reported is about the whole. */
  readonly locate?: TextLocator;
}

/** A place in the text that a value came from. */
export interface Origin {
  readonly source: SourceText;
  /** JSON pointer into the value of that text: `#/paths`. */
  readonly pointer: string;
}

/** What a diagnostic says about a place. */
export type Finding = Pick<Diagnostic, 'code' | 'message' | 'fix'>;

/** Collects the diagnostics of one document, each once, and knows where its values came from. */
export class DiagnosticLog {
  readonly root: SourceText;
  /** What pointers lead into, as it is now: it may be changed in place. */
  readonly document: JsonValue;
  /** Rewrites texts in the terms of the document's version. */
  inTerms: (text: string) => string = (text) => text;
  /** Of values that were moved or added; all others are below the place of what holds them. */
  readonly #origins = new WeakMap<object, Origin>();
  readonly #found = new Map<string, Diagnostic>();
  #further = 0;
  #characters = 0;

  constructor(root: SourceText, document: JsonValue) {
    this.root = root;
    this.document = document;
  }

  setOrigin(value: object, origin: Origin): void {
    this.#origins.set(value, origin);
  }

  /** Remembers that a value comes from a place, unless it is known to come from another. */
  keepOrigin(value: JsonValue | undefined, pointer: string): void {
    // Nothing more will be reported once the log is full.
    if (this.#isFull()) return;
    if (typeof value === 'object' && value !== null && !this.#origins.has(value))
      this.setOrigin(value, this.#trace(pointer));
  }

  /** The place of what a pointer into the document leads to, or of the nearest above it. */
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

  /** Reports about a pointer into the document. A hint may well be intended. */
  report(
    code: DiagnosticCode,
    pointer: string,
    message: string,
    fix = diagnosticLevels[code] === 'hint'
      ? 'Look whether it is meant so.'
      : 'Correct it; until then it is left out.',
  ): void {
    // The place is not looked up in vain.
    if (this.#isFull()) this.#further += 1;
    else {
      const finding = { code, message: this.inTerms(message), fix: this.inTerms(fix) };
      this.reportAt(this.#trace(pointer), finding);
    }
  }

  /** Reports a member `x-...` of this package that is not as its documentation says. */
  misuse(pointer: string, message: string): void {
    this.report('invalid-extension', pointer, message);
  }

  /** Reports about a place in a text. */
  reportAt({ source, pointer }: Origin, finding: Finding, place?: TextPlace): void {
    const key = `${source.name} ${pointer} ${finding.message} ${place?.line}`;
    if (this.#isFull()) this.#further += 1;
    else if (!this.#found.has(key)) {
      this.#characters += pointer.length + finding.message.length;
      const locate = (): TextPlace => place ?? source.locate?.(parsePointer(pointer)) ?? textStart;
      this.#found.set(key, createDiagnostic(finding, source.name, pointer, locate));
    }
  }

  list(): readonly Diagnostic[] {
    const found = [...this.#found.values()];
    if (this.#further === 0) return found;
    const isCount = found.length === mostDiagnostics;
    const most = isCount ? `${mostDiagnostics}` : `${mostDiagnosticText} characters`;
    // Some of them may be among those that are listed.
    const message = `up to ${this.#further} more problems are not listed: at most ${most} are`;
    const fix = 'Correct those that are listed first.';
    const finding: Finding = { code: 'more-problems', message, fix };
    return [...found, createDiagnostic(finding, this.root.name, '#', () => textStart)];
  }

  #isFull(): boolean {
    return this.#found.size >= mostDiagnostics || this.#characters > mostDiagnosticText;
  }
}
