import { parsePointer } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import type { Diagnostic, DiagnosticLevel } from './diagnostic.ts';
import type { Origin, Origins, SourceText } from './origin.ts';
import type { TextPlace } from './place.ts';
import { mostDiagnosticText, mostDiagnostics } from './bounds.ts';

/** What is said of a place. */
export interface Finding {
  readonly level: DiagnosticLevel;
  readonly reason: string;
  readonly remedy: string;
  readonly isCut?: boolean;
}

/** Collects the diagnostics of one document, each once. */
export interface DiagnosticLog {
  readonly list: () => readonly Diagnostic[];
  /** A fault at a pointer into the document as it is now. */
  readonly report: (document: JsonValue, pointer: string, finding: Finding) => void;
  /** A fault at a place of a text. */
  readonly reportAt: (origin: Origin, finding: Finding, place?: TextPlace) => void;
}

export function createDiagnosticLog(origins: Origins, root: SourceText): DiagnosticLog {
  const found = new Map<string, Diagnostic>();
  let further = 0;
  let length = 0;
  const isFull = (): boolean => found.size >= mostDiagnostics || length > mostDiagnosticText;
  const reportAt: DiagnosticLog['reportAt'] = ({ source, pointer }, finding, place) => {
    if (isFull()) {
      further += 1;
      return;
    }
    const key = `${source.name} ${pointer} ${finding.reason} ${place?.line}`;
    if (found.has(key)) return;
    length += pointer.length + finding.reason.length;
    found.set(key, createDiagnostic(source, pointer, finding, place));
  };
  return {
    list: () => [...found.values(), ...(further === 0 ? [] : [tellFurther()])],
    report: (document, pointer, finding) => {
      // Where it stands is not looked for in vain.
      if (isFull()) further += 1;
      else reportAt(origins.trace(document, pointer), finding);
    },
    reportAt,
  };

  /** Some of them may be of what is told already. */
  function tellFurther(): Diagnostic {
    const told =
      found.size < mostDiagnostics ? `${mostDiagnosticText} characters` : `${mostDiagnostics}`;
    const reason = `up to ${further} more faults are not told, as at most ${told} are`;
    const remedy = 'Correct those that are told first.';
    return createDiagnostic(root, '#', { level: 'warning', reason, remedy }, undefined);
  }
}

function createDiagnostic(
  source: SourceText,
  pointer: string,
  { level, reason, remedy, isCut = false }: Finding,
  place: TextPlace | undefined,
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
