import { convertSwagger, inSwaggerTerms, isSwagger } from './source/swagger/swagger.ts';
import type { Diagnostic } from './source/diagnostic.ts';
import { createDiagnosticLog, type DiagnosticLog, type Finding } from './source/diagnostic-log.ts';
import { copyOrigins, createOrigins, type Origins, type SourceText } from './source/origin.ts';
import { boundValue } from './source/bounds.ts';
import type { Bundle } from './source/bundle.ts';
import { documentError, messageOf } from './source/contract-error.ts';
import type { IssueListener } from './source/issue-log.ts';
import type { DocumentPlace } from './source/reference-target.ts';
import type { ReadText, TextIssue } from './source/place.ts';
import { readText, renderTextIssue } from './source/text.ts';
import { isJsonObject, type JsonObject } from './json/value.ts';
import { repairDocument } from './repair/repair.ts';
import type { Overlay } from './source/overlay.ts';

/** The text of a document, and where its references lead. */
export interface DocumentText {
  readonly text: string;
  /** The name of the document in messages. */
  readonly name: string;
  /** Undefined: references to other files lead nowhere. */
  readonly place: DocumentPlace | undefined;
  /** Applied to what the text says before anything else is. */
  readonly overlays: readonly Overlay[];
}

/** A document that can be compiled, whatever was wrong with its text. */
export interface ReadDocument {
  readonly document: JsonObject;
  /** The document before conversion and repair, its references local; only if it was asked for. */
  readonly written: JsonObject | undefined;
  /** Texts of the files that it was bundled from. */
  readonly texts: readonly string[];
  readonly tolerance: {
    readonly tell: IssueListener;
    readonly diagnostics: () => readonly Diagnostic[];
  };
}

/** Reads a document as far as it can be read. Throws ContractError for what is no document. */
export async function readDocument(
  { text, name, place, overlays }: DocumentText,
  keepsWritten = false,
): Promise<ReadDocument> {
  const read = await readText(text, name);
  const root = documentOf(read, name);
  const source: SourceText = { name, locate: read.locate };
  const origins = createOrigins(source);
  const log = createDiagnosticLog(origins, source);
  for (const issue of read.issues)
    log.reportAt({ source, pointer: issue.pointer ?? '#' }, findingOf(issue), issue.place);
  const refersOut = bound(root, source, (pointer, finding) =>
    log.reportAt({ source, pointer }, finding),
  );
  if (overlays.length > 0) {
    const { applyOverlays } = await import('./source/overlay.ts');
    applyOverlays(root, overlays, { added: origins.set, report: log.reportAt });
  }
  // Most documents are one file.
  const bundle: Bundle =
    refersOut || overlays.length > 0
      ? await (await import('./source/bundle.ts')).loadBundle(root, name, place)
      : { document: root, parts: [], issues: [], closed: new Map() };
  if (overlays.length > 0) copyOrigins(origins, root, bundle.document);
  reportBundle(bundle, source, origins, log);
  const { document } = bundle;
  const written = keepsWritten ? structuredClone(document) : undefined;
  const isConverted = isSwagger(document);
  const report: DiagnosticLog['report'] = (at, pointer, finding) =>
    log.report(at, pointer, isConverted ? inOldTerms(finding) : finding);
  if (isConverted) convertSwagger(document, origins, { report });
  repairDocument(document, origins, { ...log, report }, bundle.closed);
  return {
    document,
    written,
    texts: bundle.parts.map((part) => part.text),
    tolerance: {
      tell: (pointer, finding) => report(document, pointer, finding),
      diagnostics: log.list,
    },
  };
}

function inOldTerms(finding: Finding): Finding {
  const { reason, remedy } = finding;
  return { ...finding, reason: inSwaggerTerms(reason), remedy: inSwaggerTerms(remedy) };
}

const textRemedy = 'Correct the text; everything else is read.';

function bound(value: JsonObject, { name }: SourceText, tell: Tell): boolean {
  try {
    return boundValue(value, (pointer, reason) => tell(pointer, findingOf({ reason, pointer })));
  } catch (cause) {
    throw documentError(name, messageOf(cause));
  }
}

type Tell = (pointer: string, finding: Finding) => void;

const leftOutFinding = {
  level: 'error',
  remedy: 'Make it smaller; until then it is left out.',
} as const;

const cutFinding = {
  level: 'error',
  remedy: 'Correct or complete the text; what follows is ignored.',
  isCut: true,
} as const;

function findingOf({ reason, pointer, isCut, isWarning }: Omit<TextIssue, 'place'>): Finding {
  if (isCut === true) return { ...cutFinding, reason };
  if (pointer !== undefined) return { ...leftOutFinding, reason };
  return { level: isWarning === true ? 'warning' : 'error', reason, remedy: textRemedy };
}

/** The members that tell an OpenAPI document. */
const marks = ['openapi', 'swagger', 'paths', 'webhooks', 'components'];

function documentOf({ value, issues }: ReadText, name: string): JsonObject {
  const [issue] = issues;
  if (value === undefined)
    throw documentError(name, issue === undefined ? 'it is empty' : renderTextIssue(issue));
  if (!isJsonObject(value)) throw documentError(name, 'the document is not an object');
  if (!marks.some((mark) => Object.hasOwn(value, mark)))
    throw documentError(name, 'not an OpenAPI document, because it has no `openapi` member');
  return value;
}

function reportBundle(
  { parts, issues }: Bundle,
  root: SourceText,
  origins: Origins,
  log: DiagnosticLog,
): void {
  const sources = new Map([[root.name, root]]);
  for (const { name, value, locate } of parts) {
    const source = { name, locate };
    sources.set(name, source);
    if (typeof value === 'object' && value !== null) origins.set(value, { source, pointer: '#' });
  }
  for (const { source, pointer, reason, place } of issues) {
    // Told where the reference stands in the document, for each place.
    if (pointer.endsWith('/$ref')) continue;
    const known = sources.get(source) ?? root;
    log.reportAt(
      { source: known, pointer },
      {
        level: 'error',
        reason,
        remedy: 'Correct the reference; until then what it stands for is left open.',
      },
      place,
    );
  }
}
