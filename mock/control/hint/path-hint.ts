import { type Contract, type Operation, nearestName } from '../../../contract/index.ts';
import { parsePathTemplate } from '../../http/path-template.ts';
import type { JournalEntry } from '../../sandbox/journal-entry.ts';

/** A path of the document that may have been meant. */
interface Meant {
  readonly operation: Operation;
  /** As it is sent, with the base path. */
  readonly path: string;
  readonly isExact: boolean;
}

/** The path that was meant, where the one that was sent is unknown; undefined where none is near. */
export function explainPath(entry: JournalEntry, contract: Contract): string | undefined {
  if (entry.refusal?.reason !== 'unknown_path' || entry.operation !== undefined) return undefined;
  const [path = ''] = entry.target.split('?');
  const there = contract.operations.filter(({ deprecation }) => {
    const sunset = deprecation?.sunset;
    return sunset === undefined || entry.at < Date.parse(sunset);
  });
  const sent = restsOf(path, contract.basePath);
  const meant = sent.flatMap((segments) =>
    there.flatMap((one) => matchOperation(one, segments, contract.basePath)),
  );
  // There are methods of this path, and the mock was told to hide them.
  if (meant.some((one) => one.path === path)) return undefined;
  const usual = meant.filter(({ operation }) => operation.method === entry.method);
  const best =
    usual.find(({ isExact }) => isExact) ??
    meant.find(({ isExact }) => isExact) ??
    usual[0] ??
    meant[0];
  return best && `Did you mean ${best.operation.method} ${best.path}?`;
}

/**
 * What may stand below the base path, by segments: all of the path; what is left without its first
 * segments where these are the base path or parts that base paths mostly have, such as `/api/v2`.
 */
function restsOf(path: string, basePath: string): readonly (readonly string[])[] {
  const segments = path.split('/').filter((segment) => segment !== '');
  const base = new Set(basePath.split('/').filter((segment) => segment !== ''));
  const first = segments.findIndex(
    (segment) => !base.has(segment.toLowerCase()) && !/^(?:api|v\d+)$/i.test(segment),
  );
  const most = first === -1 ? segments.length : first;
  return Array.from({ length: most + 1 }, (_, index) => segments.slice(most - index));
}

/** An operation whose path has these segments, or nearly has. */
function matchOperation(
  operation: Operation,
  segments: readonly string[],
  basePath: string,
): readonly Meant[] {
  const template = (operation.path.split(/[?#]/)[0] ?? '').split('/').slice(1);
  const wanted = template.at(-1) === '' ? template.slice(0, -1) : template;
  const isNamed = wanted.some((part) => !part.includes('{'));
  if (wanted.length !== segments.length || !isNamed) return [];
  const found = wanted.map((part, index) => matchSegment(part, segments[index] ?? ''));
  if (found.some((part) => part === undefined)) return [];
  const path = `${basePath}/${template.map((_, index) => found[index] ?? '').join('/')}`;
  return [{ operation, path, isExact: found.every((part, index) => part === segments[index]) }];
}

/** The segment that was meant; undefined where another one was. */
function matchSegment(part: string, sent: string): string | undefined {
  if (!part.includes('{')) return part === sent ? sent : nearestName(sent, [part]);
  return parsePathTemplate(`/${part}`).match(`/${sent}`) === undefined ? undefined : sent;
}
