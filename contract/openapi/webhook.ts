import { type DocumentNode, nodeAt } from '../source/node.ts';
import type { CompileContext } from './compile-context.ts';
import { compileRequestBody, listMethods, type Operation, type RequestBody } from './operation.ts';
import { compileParameters, type Parameter } from './parameter.ts';

/** A request that the service sends: a webhook, or a callback of an operation. */
export interface Webhook {
  /** Its key in the document; where another has that before it, with `-2` after it, and so on. */
  readonly name: string;
  readonly method: string;
  readonly pointer: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody: RequestBody | undefined;
  /** Undefined for a webhook. */
  readonly callback: Callback | undefined;
}

interface Callback {
  /** Id of the operation that it belongs to. */
  readonly operation: string;
  /** The address, with runtime expressions: `{$request.body#/callbackUrl}`. */
  readonly expression: string;
}

/** The webhooks of the document, then the callbacks of its operations, in the document's order. */
export function compileWebhooks(
  context: CompileContext,
  operations: readonly Operation[],
): readonly Webhook[] {
  const { root } = context;
  const names = new Set<string>();
  const compile = (key: string, item: DocumentNode, callback?: Callback): readonly Webhook[] =>
    [...listMethods(item)].map(([method, node]) => {
      let name = key;
      for (let count = 2; names.has(name); count += 1) name = `${key}-${count}`;
      names.add(name);
      return {
        name,
        method,
        pointer: node.pointer,
        summary: node.text('summary') ?? item.text('summary') ?? '',
        parameters: compileParameters(context, item, node),
        requestBody: compileRequestBody(context, node),
        callback,
      };
    });
  const own = (root.get('webhooks')?.entries() ?? []).flatMap(([key, item]) => compile(key, item));
  const called = operations.flatMap(({ id, pointer }) =>
    (nodeAt(root, pointer)?.get('callbacks')?.entries() ?? []).flatMap(([key, paths]) =>
      paths
        .entries()
        .filter(([expression]) => !expression.startsWith('x-'))
        .flatMap(([expression, item]) => compile(key, item, { operation: id, expression })),
    ),
  );
  return [...own, ...called];
}
