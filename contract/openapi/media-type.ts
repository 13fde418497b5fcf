import { compileExamples, type NamedExample, schemaOf } from './example.ts';
import type { CompileContext } from './compile-context.ts';
import { isFieldValue } from './header.ts';
import type { DocumentNode } from '../source/node.ts';
import type { SchemaNode } from '../schema/schema-node.ts';

export interface MediaType {
  /** As the document writes it: `application/json; version=1`. */
  readonly name: string;
  /** Lower case, without parameters: `application/json`. */
  readonly mediaType: string;
  readonly schema: SchemaNode | undefined;
  readonly examples: readonly NamedExample[];
  readonly pointer: string;
}

/** The `content` of a request body or a response, in the document's order. */
export function compileContent(
  context: CompileContext,
  holder: DocumentNode,
): readonly MediaType[] {
  return (holder.get('content')?.entries() ?? []).flatMap(([written, node]) => {
    const name = written.trim();
    if (!isFieldValue(name)) {
      context.issues.error(node.pointer, 'is no media type: no header field can carry its name');
      return [];
    }
    const schema = schemaOf(context, node);
    const examples = compileExamples(context, node, schema);
    return new DescribedContent(name, schema, node.pointer, examples);
  });
}

/** A class, since there are tens of thousands of a large document. */
class DescribedContent implements MediaType {
  readonly name: string;
  readonly mediaType: string;
  readonly schema: SchemaNode | undefined;
  readonly pointer: string;
  readonly #examples: () => readonly NamedExample[];

  constructor(
    name: string,
    schema: SchemaNode | undefined,
    pointer: string,
    examples: () => readonly NamedExample[],
  ) {
    this.name = name;
    this.mediaType = (name.split(';', 1)[0] ?? name).trim().toLowerCase();
    this.schema = schema;
    this.pointer = pointer;
    this.#examples = examples;
  }

  get examples(): readonly NamedExample[] {
    return this.#examples();
  }
}

/** `application/json`, `text/json`, or a type with the suffix `+json` (RFC 6839 section 3.1). */
export function isJsonMediaType(mediaType: string): boolean {
  return (
    mediaType === 'application/json' || mediaType === 'text/json' || mediaType.endsWith('+json')
  );
}

/** The content that carries JSON, one with a schema first; else a wildcard, which takes it as well. */
export function jsonContent(content: readonly MediaType[]): MediaType | undefined {
  const json = content.filter(({ mediaType }) => isJsonMediaType(mediaType));
  const any = content.filter(({ mediaType }) => /^(\*|application)\/\*$/.test(mediaType));
  return [...json, ...any].find(({ schema }) => schema !== undefined) ?? json[0] ?? any[0];
}
