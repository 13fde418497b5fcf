import * as codec from '../../contract/json/codec.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Diagnostic } from '../../contract/source/diagnostic.ts';
import type { TypeOf } from '../../contract/json/codec.ts';

const { described, list, object, text, whole } = codec;

/** So many parts are named; all of them are counted. */
const mostNamed = 50;

/** What of a document could not be read, and so was not judged. */
export const documentFacts = object({
  count: described(whole(1), 'Errors of the document: `petstore lint` lists them.'),
  operations: described(
    whole(0),
    'Operations that could not be read, or paths, where nobody can say how many those have.',
  ),
  parts: described(
    list(object({ place: text, pointer: text, reason: text })),
    'The first of them. `place`: `api.yaml:9:5`.',
  ),
});

export type DocumentFacts = TypeOf<typeof documentFacts>;

export function describeLeftOut({ leftOut }: Contract): DocumentFacts | undefined {
  if (leftOut.length === 0) return undefined;
  return {
    count: leftOut.length,
    operations: countUnread(leftOut),
    parts: leftOut.slice(0, mostNamed).map(({ file, line, column, pointer, message }) => ({
      place: `${file}:${line}:${column}`,
      pointer,
      reason: message,
    })),
  };
}

/** A path item, what it refers to, or one of its operations. */
const unread =
  /^#\/paths(\/[^/]+(\/(\$ref|get|put|post|delete|options|head|patch|trace|query))?)?$/;

function countUnread(leftOut: readonly Diagnostic[]): number {
  const places = leftOut.filter(({ pointer }) => unread.test(pointer));
  return new Set(places.map(({ file, pointer }) => `${file} ${pointer}`)).size;
}

/** Why nobody can say what the document demands, without a full stop; undefined where it is whole. */
export function explainCut({ leftOut, operations }: Contract): string | undefined {
  const cut = leftOut.find(({ code }) => code === 'cut-text');
  if (cut !== undefined)
    return `the document could not be read to the end: ${cut.file}:${cut.line}:${cut.column}: ${cut.message}`;
  return operations.length === 0 ? 'the document has no operation that can be sent' : undefined;
}

/** A sentence without its full stop; undefined where all operations were read. */
export function explainUnread(facts: DocumentFacts | undefined): string | undefined {
  const [first] = facts?.parts.filter(({ pointer }) => unread.test(pointer)) ?? [];
  if (facts === undefined || facts.operations === 0) return undefined;
  const which = first === undefined ? '' : `, the first at ${first.place}: ${first.reason}`;
  return facts.operations === 1
    ? `an operation of the document could not be read${which}`
    : `${facts.operations} operations of the document could not be read${which}`;
}

/**
 * Operations that could not be read count as not tested: the percentage of all operations that was
 * read.
 */
export function readShare({ operations }: Contract, facts: DocumentFacts | undefined): number {
  const left = facts?.operations ?? 0;
  return left === 0 ? 100 : (100 * operations.length) / (operations.length + left);
}
