import type { CompileContext } from './compile-context.ts';
import type { DocumentNode } from '../document/node.ts';

const keyPlaces = ['header', 'query', 'cookie'] as const;

/** How a caller proves who it is. Only what HTTP carries in one header, query member or cookie. */
export type Credential =
  | { readonly kind: 'none' }
  /** `Authorization: Bearer <key>` (RFC 6750 section 2.1). */
  | { readonly kind: 'bearer'; readonly pointer: string }
  | {
      readonly kind: 'api-key';
      readonly in: (typeof keyPlaces)[number];
      readonly name: string;
      readonly pointer: string;
    };

const noCredential: Credential = { kind: 'none' };

/**
 * The credential of an operation: the first known alternative of its own `security`, else of the
 * document's. An empty one (`{}`) means none; an unknown scheme is a warning, and means none.
 */
export function compileCredential(context: CompileContext, operation: DocumentNode): Credential {
  const security = operation.get('security') ?? context.root.get('security');
  const alternatives = security?.items() ?? [];
  if (alternatives.some((alternative) => Object.keys(alternative.object).length === 0))
    return noCredential;
  const known = alternatives
    .map((alternative) => readAlternative(context, alternative))
    .find((credential) => credential !== undefined);
  if (known === undefined && security !== undefined && alternatives.length > 0)
    warnUnsupported(context, alternatives);
  return known ?? noCredential;
}

function readAlternative(
  context: CompileContext,
  alternative: DocumentNode,
): Credential | undefined {
  const [name = '', ...others] = Object.keys(alternative.object);
  const scheme = schemesOf(context)?.get(name);
  return scheme === undefined || others.length > 0 ? undefined : readScheme(scheme);
}

function schemesOf({ root }: CompileContext): DocumentNode | undefined {
  return root.get('components')?.get('securitySchemes');
}

function readScheme(scheme: DocumentNode): Credential | undefined {
  const { pointer } = scheme;
  if (scheme.text('type') === 'http' && scheme.text('scheme')?.toLowerCase() === 'bearer')
    return { kind: 'bearer', pointer };
  const name = scheme.text('name');
  const place = keyPlaces.find((known) => known === scheme.text('in'));
  return scheme.text('type') === 'apiKey' && name !== undefined && place !== undefined
    ? { kind: 'api-key', in: place, name, pointer }
    : undefined;
}

function warnUnsupported(context: CompileContext, alternatives: readonly DocumentNode[]): void {
  const schemes = schemesOf(context);
  for (const alternative of alternatives) {
    const names = Object.keys(alternative.object);
    const missing = names.filter((name) => schemes?.get(name) === undefined);
    for (const name of missing)
      context.issues.error(alternative.at(name), `there is no security scheme ${name}`);
    if (missing.length > 0) continue;
    const reason =
      names.length > 1
        ? 'several credentials at once are'
        : `the security scheme ${names.join()} is`;
    context.issues.warn(alternative.pointer, `${reason} not supported: taken as no credential`);
  }
}
