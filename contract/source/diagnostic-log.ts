import { appendPointer, parsePointer } from '../json/pointer.ts';
import { isJsonArray, isJsonObject, ownMember, type JsonValue } from '../json/value.ts';
import type { Diagnostic, DiagnosticLevel, DocumentIssue } from './diagnostic.ts';
import type { TextLocator, TextPlace } from './place.ts';

/** Diagnostics that are kept; the others are counted. */
export const mostDiagnostics = 2_000;

/** Characters of the reasons and places of the diagnostics that are kept. */
export const mostDiagnosticText = 2 * 1024 * 1024;

/** A text that a document was made from. */
export interface SourceText {
  /** Name in messages: `openapi.yaml`. */
  readonly name: string;
  readonly locate: TextLocator;
}

/** A place in the text that a value came from. */
export interface Origin {
  readonly source: SourceText;
  /** JSON pointer into the value of that text: `#/paths`. */
  readonly pointer: string;
}

/** What a diagnostic says about a place. */
export interface Finding {
  readonly level: DiagnosticLevel;
  readonly reason: string;
  readonly remedy: string;
  readonly isCut?: boolean;
}

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
    if (typeof value === 'object' && value !== null && !this.#origins.has(value))
      this.setOrigin(value, this.#trace(pointer));
  }

  /** The place of what a pointer into the document leads to, or of the nearest above it. */
  #trace(pointer: string): Origin {
    let value: JsonValue | undefined = this.document;
    let at: Origin = { source: this.root, pointer: '#' };
    for (const token of parsePointer(pointer)) {
      if (isJsonArray(value)) value = value[Number(token)];
      else value = isJsonObject(value) ? ownMember(value, token) : undefined;
      const known = typeof value === 'object' && value !== null && this.#origins.get(value);
      at = known || { source: at.source, pointer: appendPointer(at.pointer, token) };
    }
    return at;
  }

  /** A part of the document is left out. */
  error(pointer: string, reason: string, remedy = 'Correct it; until then it is left out.'): void {
    this.report(pointer, { level: 'error', reason, remedy });
  }

  /** Without a remedy it may well be intended, and is a hint. */
  warn(pointer: string, reason: string, remedy?: string): void {
    const hint = 'Look whether it is meant so.';
    const level = remedy === undefined ? 'hint' : 'warning';
    this.report(pointer, { level, reason, remedy: remedy ?? hint });
  }

  /** Takes over errors that were thrown. */
  addErrors(errors: readonly DocumentIssue[]): void {
    for (const { pointer, reason } of errors) this.error(pointer, reason);
  }

  /** Reports about a pointer into the document. */
  report(pointer: string, finding: Finding): void {
    // The place is not looked up in vain.
    if (this.#isFull()) this.#further += 1;
    else {
      const reason = this.inTerms(finding.reason);
      const remedy = this.inTerms(finding.remedy);
      this.reportAt(this.#trace(pointer), { ...finding, reason, remedy });
    }
  }

  /** Reports about a place in a text. */
  reportAt({ source, pointer }: Origin, finding: Finding, place?: TextPlace): void {
    const key = `${source.name} ${pointer} ${finding.reason} ${place?.line}`;
    if (this.#isFull()) this.#further += 1;
    else if (!this.#found.has(key)) {
      this.#characters += pointer.length + finding.reason.length;
      this.#found.set(key, createDiagnostic(source, pointer, finding, place));
    }
  }

  list(): readonly Diagnostic[] {
    const found = [...this.#found.values()];
    if (this.#further === 0) return found;
    const isCount = found.length === mostDiagnostics;
    const most = isCount ? `${mostDiagnostics}` : `${mostDiagnosticText} characters`;
    // Some of them may be among those that are listed.
    const reason = `up to ${this.#further} more problems are not listed: at most ${most} are`;
    const finding = { reason, remedy: 'Correct those that are listed first.' };
    return [...found, createDiagnostic(this.root, '#', { level: 'warning', ...finding })];
  }

  #isFull(): boolean {
    return this.#found.size >= mostDiagnostics || this.#characters > mostDiagnosticText;
  }
}

function createDiagnostic(
  source: SourceText,
  pointer: string,
  { level, reason, remedy, isCut = false }: Finding,
  place?: TextPlace,
): Diagnostic {
  let known = place;
  const find = (): TextPlace => (known ??= source.locate(parsePointer(pointer)));
  return {
    source: source.name,
    pointer,
    reason,
    level,
    remedy,
    isCut,
    get line() {
      return find().line;
    },
    get column() {
      return find().column;
    },
  };
}
