import { type CompileContext, readExtension } from './compile-context.ts';
import { isFieldName } from './header.ts';
import * as codec from '../json/codec.ts';
import type { DocumentNode } from '../source/node.ts';

const fieldName = codec.refine(codec.text, isFieldName, 'the name of a header');

/** Requests per window by name; undefined: set by configuration (`custom`). */
const limits: codec.Codec<ReadonlyMap<string, number> | undefined> = {
  read(value, at) {
    if (value === 'custom') return undefined;
    if (typeof value === 'string') throw codec.shapeError(at, 'has to be `custom` or an object');
    return new Map(Object.entries(codec.map(codec.whole(1)).read(value, at)));
  },
  render: (value) => (value === undefined ? 'custom' : Object.fromEntries(value)),
};

const areNamed = (items: readonly { readonly name: string }[]): boolean =>
  items.length > 0 && new Set(items.map(({ name }) => name)).size === items.length;

const list = 'a list of at least one, each with its own name';

const writtenPolicy = codec.openObject({
  status: codec.optional(codec.whole(400, 599)),
  headers: codec.openObject({
    limit: fieldName,
    remaining: fieldName,
    reset: fieldName,
    retryAfter: codec.optional(fieldName),
  }),
  windows: codec.refine(
    codec.list(codec.openObject({ name: codec.text, seconds: codec.whole(1) })),
    areNamed,
    list,
  ),
  plans: codec.refine(codec.list(codec.openObject({ name: codec.text, limits })), areNamed, list),
  ban: codec.optional(codec.json),
});

type WrittenPolicy = codec.TypeOf<typeof writtenPolicy>;

export type RatePlan = WrittenPolicy['plans'][number];

export type RateLimitHeaderNames = Readonly<
  Record<'limit' | 'remaining' | 'reset' | 'retryAfter', string>
>;

/** `x-rate-limit` of the document; the shortest window first. */
export interface RateLimitPolicy extends Pick<WrittenPolicy, 'windows' | 'plans'> {
  /** HTTP status of a request over the limit: 429 (RFC 6585 section 4). */
  readonly status: number;
  readonly headers: RateLimitHeaderNames;
  /** The document allows bans of keys that continue after a 429. */
  readonly bans: boolean;
  readonly pointer: string;
}

/** Reads `x-rate-limit`; undefined, with an error logged, if it is malformed. */
export function compileRateLimit(
  context: CompileContext,
  node: DocumentNode,
): RateLimitPolicy | undefined {
  const written = readExtension(context, node, writtenPolicy);
  if (written === undefined) return undefined;
  const { status = 429, headers, windows, plans, ban = false } = written;
  const known = new Set(windows.map(({ name }) => name));
  for (const [index, plan] of plans.entries())
    for (const name of plan.limits?.keys() ?? [])
      if (!known.has(name))
        context.issues.misuse(
          `${node.pointer}/plans/${index}/limits`,
          `there is no window ${name}`,
        );
  return {
    status,
    headers: { ...headers, retryAfter: headers.retryAfter ?? 'Retry-After' },
    windows: windows.toSorted((left, right) => left.seconds - right.seconds),
    plans,
    bans: ban !== false,
    pointer: node.pointer,
  };
}
