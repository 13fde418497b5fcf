import { isErrorResponse } from './error-shape.ts';
import type { CompileContext } from './compile-context.ts';
import type { OpenQuestion, Operation } from './contract.ts';

/**
 * Warns of error responses that promise no body where others of the document do. One that
 * `x-unspecified` names is left open on purpose, and a HEAD has no body.
 */
export function warnSilentErrors(
  context: CompileContext,
  parts: {
    readonly operations: readonly Operation[];
    readonly openQuestions: readonly OpenQuestion[];
  },
): void {
  const operations = parts.operations.filter(({ method }) => method !== 'HEAD');
  const errors = operations.flatMap((operation) => operation.responses).filter(isErrorResponse);
  const open = new Set(parts.openQuestions.map(({ at }) => at));
  const silent = errors.filter(
    ({ content, pointer }) => content.length === 0 && !open.has(pointer),
  );
  if (silent.length === errors.length) return;
  for (const { pointer } of silent)
    context.issues.warn(pointer, 'promises no body, though other error responses do');
}
