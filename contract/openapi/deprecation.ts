import { listMethods } from './method.ts';
import type { CompileContext } from './compile-context.ts';
import type { DocumentNode } from '../source/node.ts';

export interface Deprecation {
  /** The day the operation goes away, `YYYY-MM-DD` (`x-sunset`); undefined for none. */
  readonly sunset: string | undefined;
  /** The day it was deprecated (`x-deprecated-since`); without one there is no header. */
  readonly since: string | undefined;
  /** Id of the operation that replaces it (`x-successor`). */
  readonly successor: string | undefined;
}

const extensions = ['x-sunset', 'x-deprecated-since', 'x-successor'];

/** Reads `deprecated`, with `x-sunset`, `x-deprecated-since` and `x-successor`. */
export function compileDeprecation(
  context: CompileContext,
  operation: DocumentNode,
): Deprecation | undefined {
  if (!operation.flag('deprecated')) {
    const reason = 'has no meaning on an operation that is not deprecated';
    for (const name of extensions)
      if (operation.get(name) !== undefined) context.issues.warn(operation.at(name), reason);
    return undefined;
  }
  const read = (name: string, isWanted: (text: string) => boolean, wanted: string) => {
    const value = operation.get(name)?.value;
    if (value === undefined) return undefined;
    if (typeof value === 'string' && isWanted(value)) return value;
    context.issues.error(operation.at(name), `must be ${wanted}`);
    return undefined;
  };
  return {
    sunset: read('x-sunset', isDay, 'a day, YYYY-MM-DD'),
    since: read('x-deprecated-since', isDay, 'a day, YYYY-MM-DD'),
    successor: read(
      'x-successor',
      (id) => hasOperation(context.root, id),
      'the operationId of an operation of this document',
    ),
  };
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function hasOperation(root: DocumentNode, id: string): boolean {
  return (root.get('paths')?.entries() ?? []).some(([, item]) =>
    [...listMethods(item).values()].some((operation) => operation.text('operationId') === id),
  );
}
