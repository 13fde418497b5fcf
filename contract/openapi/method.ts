import type { DocumentNode } from '../source/node.ts';
import { isFieldName } from './header.ts';

/** Members of a path item that are operations; all others are in `additionalOperations`. */
const methods: ReadonlySet<string> = new Set(
  'get put post delete options head patch trace query'.split(' '),
);

/** A body of such a request has no meaning (RFC 9110 section 9.3.1): servers may leave it unread. */
export function isContentIgnored(method: string): boolean {
  return ['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method);
}

/** The operations of a path item by method, in its order, then its additional ones. */
export function listMethods(item: DocumentNode): ReadonlyMap<string, DocumentNode> {
  const found = new Map<string, DocumentNode>();
  for (const [name, node] of item.entries())
    if (methods.has(name)) found.set(name.toUpperCase(), node);
  for (const [name, node] of item.get('additionalOperations')?.entries() ?? [])
    if (isFieldName(name) && !found.has(name)) found.set(name, node);
  return found;
}
