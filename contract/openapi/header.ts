import { compileExamples, schemaOf } from './example.ts';
import type { CompileContext } from './compile-context.ts';
import type { DocumentNode } from '../source/node.ts';
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
    .flatMap(([name, node]) => {
      if (!isFieldName(name)) {
        context.issues.error(
          node.pointer,
          'is no header: its name has other characters than a token',
        );
        return [];
      }
      const schema = schemaOf(context, node);
      // Only what is judged at once is told: nobody asks for these.
      compileExamples(context, node, schema);
      return { name, required: node.flag('required'), schema, pointer: node.pointer };
    });
}

/** A name that a header can have: a token (RFC 9110 section 5.1). */
export function isFieldName(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name);
}

/** A text that a header line can carry: visible characters of Latin-1, spaces and tabs. */
export function isFieldValue(text: string): boolean {
  return /^[\t\x20-\x7E\x80-\xFF]*$/.test(text);
}
