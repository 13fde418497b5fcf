import { hash } from 'node:crypto';
import { codec, renderCanonicalJson, type JsonObject, type TypeOf } from '../../contract/index.ts';
import { digest } from './digest.ts';
import { type CertificateFinding, breaks } from './finding.ts';

/** What was seen, in order, each entry chained to the one before it. */
export type ChainedLog = TypeOf<typeof chainedLog>;

export const chainedLog = codec.object({
  /** The link of the last entry: it stands for the whole log. */
  head: digest,
  length: codec.whole(0),
  entries: codec.list(
    codec.object({
      /** SHA-256 of the link before, a line feed, and the entry in canonical JSON. */
      link: digest,
      entry: codec.jsonObject,
    }),
  ),
});

/** What stands in the place of a link before the first. */
const firstLink = '0'.repeat(64);

/** Chains entries. Throws TypeError for an entry with a number that no double holds. */
export function chainLog(entries: readonly JsonObject[]): ChainedLog {
  let head = firstLink;
  const chained = entries.map((entry) => {
    head = linkOf(head, entry);
    return { link: head, entry };
  });
  return { head, length: chained.length, entries: chained };
}

/** The link of an entry after another link. */
export function linkOf(before: string, entry: JsonObject): string {
  return hash('sha256', `${before}\n${renderCanonicalJson(entry)}`);
}

/** Checks every link. One finding for the first that is wrong: those behind it hang on it. */
export function checkChain({ head, length, entries }: ChainedLog): readonly CertificateFinding[] {
  const miscounted = `The log should have ${length} entries, but has ${entries.length}.`;
  if (length !== entries.length) return [breaks('chain', 'log', miscounted)];
  let before = firstLink;
  for (const [index, { link, entry }] of entries.entries()) {
    const edited = `Entry ${index} of the log does not follow from the entries before it: it was edited, or an entry was dropped, added or moved.`;
    if (tryLink(before, entry) !== link) return [breaks('chain', `log[${index}]`, edited)];
    before = link;
  }
  const cut = 'The last link of the log is not its head: entries were removed or added at its end.';
  return before === head ? [] : [breaks('chain', 'log.head', cut)];
}

function tryLink(before: string, entry: JsonObject): string | undefined {
  try {
    return linkOf(before, entry);
  } catch {
    return undefined;
  }
}
