import { compileContent } from './media-type.ts';
import type { CompileContext } from './compile-context.ts';
import type { RequestBody } from './contract.ts';
import type { DocumentNode } from './document-node.ts';

export function compileRequestBody(
  context: CompileContext,
  operation: DocumentNode,
): RequestBody | undefined {
  const body = operation.get('requestBody');
  if (body === undefined) return undefined;
  return {
    required: body.flag('required'),
    content: compileContent(context, body),
    pointer: body.pointer,
  };
}
