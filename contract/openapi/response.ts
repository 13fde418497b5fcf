import { compileHeaders, type HeaderContract } from './header.ts';
import { compileContent, type MediaType } from './media-type.ts';
import type { CompileContext } from './compile-context.ts';
import type { DocumentNode } from '../source/node.ts';

export interface ResponseContract {
  /** `200`, `4XX` or `default`, as the document has it. */
  readonly status: string;
  readonly description: string;
  readonly headers: readonly HeaderContract[];
  /** Empty where the document describes no body. */
  readonly content: readonly MediaType[];
  readonly pointer: string;
}

/** The response documented for a status: in digits, as a range such as `4XX`, else `default`. */
export function documentedResponse(
  { responses }: { readonly responses: readonly ResponseContract[] },
  status: number,
): ResponseContract | undefined {
  const find = (wanted: string): ResponseContract | undefined =>
    responses.find((response) => response.status === wanted);
  return find(`${status}`) ?? find(`${Math.floor(status / 100)}XX`) ?? find('default');
}

/** The responses of an operation: statuses ascending, then `default`. */
export function compileResponses(
  context: CompileContext,
  operation: DocumentNode,
): readonly ResponseContract[] {
  return (operation.get('responses')?.entries() ?? [])
    .filter(([status]) => !status.startsWith('x-'))
    .map(([status, node]) => compileResponse(context, status, node));
}

function compileResponse(
  context: CompileContext,
  status: string,
  node: DocumentNode,
): ResponseContract {
  const headers = compileHeaders(context, node);
  if (status === '429' && !headers.some(({ name }) => name.toLowerCase() === 'retry-after')) {
    context.issues.warn(
      node.pointer,
      'a 429 without a Retry-After header does not say when to try again (RFC 6585 section 4)',
    );
  }
  return {
    status,
    description: node.text('description') ?? '',
    headers,
    content: compileContent(context, node),
    pointer: node.pointer,
  };
}
