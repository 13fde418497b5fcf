import type { CompileContext } from './compile-context.ts';

import type { DocumentNode } from '../document/node.ts';

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
    const idle = extensions.filter((name) => operation.get(name) !== undefined);
    for (const name of idle)
      context.issues.warn(
        operation.at(name),
        'has no meaning on an operation that is not deprecated',
      );
    return undefined;
  }
  return {
    sunset: readDay(context, operation, 'x-sunset'),
    since: readDay(context, operation, 'x-deprecated-since'),
    successor: readSuccessor(context, operation),
  };
}

function readDay(
  context: CompileContext,
  operation: DocumentNode,
  name: string,
): string | undefined {
  const value = operation.get(name)?.value;
  if (value === undefined) return undefined;
  if (typeof value === 'string' && isDay(value)) return value;
  context.issues.error(operation.at(name), 'must be a day, YYYY-MM-DD');
  return undefined;
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function readSuccessor(context: CompileContext, operation: DocumentNode): string | undefined {
  const value = operation.get('x-successor')?.value;
  if (value === undefined) return undefined;
  if (typeof value === 'string' && hasOperation(context, value)) return value;
  context.issues.error(
    operation.at('x-successor'),
    'must be the operationId of an operation of this document',
  );
  return undefined;
}

function hasOperation(context: CompileContext, id: string): boolean {
  const items = context.root.get('paths')?.entries() ?? [];
  return items.some(([, item]) =>
    item.entries().some(([, operation]) => operation.text('operationId') === id),
  );
}
