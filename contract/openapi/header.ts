import { compileExamples, schemaOf } from './example.ts';
import type { CompileContext } from './compile-context.ts';
import type { DocumentNode } from '../document/node.ts';
import type { SchemaNode } from '../schema/schema-node.ts';

export interface HeaderContract {
  /** As the document spells it; compare without case (RFC 9110 section 5.1). */
  readonly name: string;
  readonly required: boolean;
  readonly schema: SchemaNode | undefined;
  readonly pointer: string;
}

/** The headers of a response but `Content-Type`, which OpenAPI has ignored there. */
export function compileHeaders(
  context: CompileContext,
  response: DocumentNode,
): readonly HeaderContract[] {
  return (response.get('headers')?.entries() ?? [])
    .filter(([name]) => name.toLowerCase() !== 'content-type')
    .map(([name, node]) => {
      const schema = schemaOf(context, node);
      // Only what is judged at once is told: nobody asks for these.
      compileExamples(context, node, schema);
      return { name, required: node.flag('required'), schema, pointer: node.pointer };
    });
}
