import { compileContent, type MediaType } from './media-type.ts';
import type { CompileContext } from './compile-context.ts';
import type { DocumentNode } from '../document/node.ts';

export interface RequestBody {
  readonly required: boolean;
  readonly content: readonly MediaType[];
  readonly pointer: string;
}

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
