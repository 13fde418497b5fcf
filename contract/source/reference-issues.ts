import { listReferences } from './references.ts';
import { appendPointer, resolvePointer } from '../json/pointer.ts';
import { pointerOfReference, referenceOf } from './follow-reference.ts';
import type { DocumentIssue } from './issue.ts';
import type { JsonObject } from '../json/value.ts';

/** The references of a bundled document that lead nowhere, or back to themselves. */
export function listReferenceIssues(
  document: JsonObject,
  source: string,
): readonly DocumentIssue[] {
  return listReferences(document).flatMap(({ reference, pointer }) => {
    const reason = reasonAgainst(document, reference);
    const at = appendPointer(pointer, '$ref');
    return reason === undefined ? [] : [{ source, pointer: at, reason }];
  });
}

function reasonAgainst(document: JsonObject, start: string): string | undefined {
  const seen = new Set<string>();
  for (let reference: string | undefined = start; reference !== undefined;) {
    const pointer = pointerOfReference(reference);
    if (pointer === undefined) return `${reference} is no JSON pointer into the document`;
    const value = resolvePointer(document, pointer);
    if (value === undefined) return `${reference} does not exist`;
    if (seen.has(pointer)) return `${reference} leads back to itself`;
    seen.add(pointer);
    reference = referenceOf(value);
  }
  return undefined;
}
