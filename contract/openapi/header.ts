import { compileExamples, type NamedExample, schemaOf } from './example.ts';
import type { CompileContext } from './compile-context.ts';
import type { DocumentNode } from '../source/node.ts';
import type { SchemaNode } from '../schema/schema-node.ts';

export interface HeaderContract {
  /** As the document spells it; compare without case (RFC 9110 section 5.1). */
  readonly name: string;
  readonly required: boolean;
  readonly schema: SchemaNode | undefined;
  /** Examples of the header, then of its schema; each fits the schema. */
  readonly examples: readonly NamedExample[];
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
          'is not a header: its name has other characters than a token',
        );
        return [];
      }
      const holder = node.get('schema') === undefined ? contentOf(node) : node;
      const schema = schemaOf(context, holder);
      const examples = compileExamples(context, holder, schema);
      return {
        name,
        required: node.flag('required'),
        schema,
        get examples() {
          return examples();
        },
        pointer: node.pointer,
      };
    });
}

/** The media type of a header that is described by `content`, else the header. */
function contentOf(node: DocumentNode): DocumentNode {
  return node.get('content')?.entries()[0]?.[1] ?? node;
}

/** A name that a header can have: a token (RFC 9110 section 5.1). */
export function isFieldName(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name);
}

/** A text that a header line can carry: visible characters of Latin-1, spaces and tabs. */
export function isFieldValue(text: string): boolean {
  return /^[\t\x20-\x7E\x80-\xFF]*$/.test(text);
}
