import { type CompileContext, type Described, Description } from './compile-context.ts';
import type { DocumentNode } from '../source/node.ts';

export interface HeaderContract extends Described {
  /** As spelled in the document; compare case-insensitively (RFC 9110 section 5.1). */
  readonly name: string;
  readonly required: boolean;
}

/** Headers of the connection, which intermediaries remove (RFC 9110 section 7.6.1). */
const ofConnection = /^(?:connection|keep-alive|trailer|transfer-encoding|upgrade)$/i;

/** The headers of a response except `Content-Type`, which OpenAPI ignores there. */
export function compileHeaders(
  context: CompileContext,
  response: DocumentNode,
): readonly HeaderContract[] {
  const headers: HeaderContract[] = [];
  for (const [name, node] of response.get('headers')?.entries() ?? []) {
    const message = 'is not a header: its name has other characters than a token';
    if (!isFieldName(name)) context.issues.report('invalid-name', node.pointer, message);
    if (!isFieldName(name) || name.toLowerCase() === 'content-type') continue;
    if (ofConnection.test(name)) continue;
    const content = node.get('content')?.entries()[0]?.[1];
    const holder = node.get('schema') === undefined ? (content ?? node) : node;
    const description = new Description(context, holder, node.pointer);
    headers.push(Object.assign(description, { name, required: node.flag('required') }));
  }
  return headers;
}

/** Whether a header can have this name: a token (RFC 9110 section 5.1). */
export function isFieldName(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name);
}

/** Whether a header line can contain this text: visible Latin-1 characters, spaces and tabs. */
export function isFieldValue(text: string): boolean {
  return /^[\t\x20-\x7E\x80-\xFF]*$/.test(text);
}
