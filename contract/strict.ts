import { convertSwagger, isSwagger } from './source/swagger/swagger.ts';
import { createOrigins } from './source/origin.ts';
import { loadBundle } from './source/bundle.ts';
import { refuseIssues } from './source/issue-log.ts';
import { listReferenceIssues } from './source/reference-issues.ts';
import { readSoundText, renderTextIssue } from './source/text.ts';
import { validateDocument } from './source/validation.ts';
import { listVersionIssues } from './source/version.ts';
import type { DocumentIssue } from './source/issue.ts';
import type { JsonObject } from './json/value.ts';
import { applyOverlays, type Overlay } from './source/overlay.ts';
import type { DocumentText } from './read.ts';

/** A document as it is written. */
interface StrictDocument {
  readonly document: JsonObject;
  /** Texts of the files that it was bundled from. */
  readonly texts: readonly string[];
  /** Where it breaks the schema of its version. */
  readonly errors: readonly DocumentIssue[];
}

/** Reads OpenAPI 2.0 to 3.2 as it is written. Throws a ContractError where it cannot be compiled. */
export async function readStrictly(
  { text, name, place, overlays }: DocumentText,
  validates: boolean,
): Promise<StrictDocument> {
  const { value: root, locate } = await readSoundText(text, name);
  refuseIssues(listOverlayIssues(root, overlays));
  refuseIssues(listVersionIssues(root, name));
  const { document, parts, issues } = await loadBundle(root, name, place);
  refuseIssues(issues.map((issue) => ({ ...issue, reason: renderTextIssue(issue) })));
  refuseIssues(listReferenceIssues(document, name));
  const errors = validates ? await validateDocument(document, name) : [];
  if (isSwagger(document)) {
    if (errors.length === 0)
      convertSwagger(document, createOrigins({ name, locate }), { report: () => {} });
    else refuseIssues(errors);
  }
  return { document, texts: parts.map((part) => part.text), errors };
}

/** Applies the overlays; strictly, an action without a target is an error. */
function listOverlayIssues(
  root: JsonObject,
  overlays: readonly Overlay[],
): readonly DocumentIssue[] {
  const issues: DocumentIssue[] = [];
  applyOverlays(root, overlays, {
    added: () => {},
    report: ({ source, pointer }, { reason }) =>
      void issues.push({ source: source.name, pointer, reason }),
  });
  return issues;
}
