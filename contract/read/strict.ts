import { convertSwagger, isSwagger } from '../convert/swagger.ts';
import { createOrigins } from '../diagnostic/origin.ts';
import { loadBundle } from './bundle.ts';
import { refuseIssues } from '../document/issue-log.ts';
import { listReferenceIssues } from '../document/reference-issues.ts';
import { readSoundText, renderTextIssue } from '../text/text.ts';
import { validateDocument } from '../document/validation.ts';
import { listVersionIssues } from '../document/version.ts';
import type { DocumentIssue } from '../document/issue.ts';
import type { JsonObject } from '../json/value.ts';
import type { Overlay } from '../overlay/action.ts';
import { applyOverlays } from '../overlay/apply.ts';
import type { DocumentText } from './document.ts';

/** A document as it is written. */
interface StrictDocument {
  readonly document: JsonObject;
  /** Texts of the files that it was bundled from. */
  readonly texts: readonly string[];
  /** Where it breaks the schema of its version. */
  readonly errors: readonly DocumentIssue[];
}

/** Reads OpenAPI 2.0, 3.0 or 3.1 as it is written. Throws a ContractError where it cannot be compiled. */
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
    if (errors.length === 0) convertSwagger(document, createOrigins({ name, locate }));
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
