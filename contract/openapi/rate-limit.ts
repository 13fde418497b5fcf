import { isFieldName } from './header.ts';
import type { JsonValue } from '../json/value.ts';
import { type CompileContext, reportRepeated } from './compile-context.ts';
import type { DocumentNode } from '../source/node.ts';

/** `x-rate-limit` of the document. */
export interface RateLimitPolicy {
  /** HTTP status of a request over the limit: 429 (RFC 6585 section 4). */
  readonly status: number;
  readonly headers: RateLimitHeaderNames;
  /** Shortest first. */
  readonly windows: readonly RateLimitWindow[];
  readonly plans: readonly RatePlan[];
  /** The document allows bans of keys that go on after a 429. */
  readonly bans: boolean;
  readonly pointer: string;
}

export interface RateLimitHeaderNames {
  readonly limit: string;
  readonly remaining: string;
  readonly reset: string;
  readonly retryAfter: string;
}

interface RateLimitWindow {
  readonly name: string;
  readonly seconds: number;
}

export interface RatePlan {
  readonly name: string;
  /** Requests for each window by name; undefined: set by configuration (`custom`). */
  readonly limits: ReadonlyMap<string, number> | undefined;
}

/**
 * The policy `x-rate-limit`: `status` (429), `headers` (`limit`, `remaining`, `reset`,
 * `retryAfter`), `windows` (`name`, `seconds`), `plans` (`name`, `limits` by window, or `custom`)
 * and `ban`.
 */
export function compileRateLimit(context: CompileContext, node: DocumentNode): RateLimitPolicy {
  const { issues } = context;
  const status = node.get('status')?.value ?? 429;
  const isStatus = isCount(status) && status >= 400 && status < 600;
  const message = 'must be the HTTP status of a request over the limit, 429 by default';
  if (!isStatus) issues.misuse(node.at('status'), message);
  const readHeader = (member: string, standard = ''): string => {
    const name = node.get('headers')?.text(member) ?? standard;
    if (isFieldName(name)) return name;
    issues.misuse(node.at('headers'), `${member} must be the name of a header`);
    return member;
  };
  const windows: RateLimitWindow[] = [];
  for (const item of listNamed(context, node, 'windows')) {
    const name = item.text('name');
    const { seconds } = item.object;
    if (name !== undefined && isCount(seconds)) windows.push({ name, seconds });
    else issues.misuse(item.pointer, 'a window needs a name, and its length in whole seconds');
  }
  const plans: RatePlan[] = [];
  for (const item of listNamed(context, node, 'plans')) {
    const name = item.text('name');
    if (name === undefined) issues.misuse(item.pointer, 'a plan needs a name');
    else plans.push({ name, limits: readLimits(context, item, windows) });
  }
  return {
    status: isStatus ? status : 429,
    headers: {
      limit: readHeader('limit'),
      remaining: readHeader('remaining'),
      reset: readHeader('reset'),
      retryAfter: readHeader('retryAfter', 'Retry-After'),
    },
    windows: windows.toSorted((left, right) => left.seconds - right.seconds),
    plans,
    bans: (node.get('ban')?.value ?? false) !== false,
    pointer: node.pointer,
  };
}

/** The items of a list, of which there is one at least, and no two have the same name. */
function listNamed(
  context: CompileContext,
  node: DocumentNode,
  member: 'windows' | 'plans',
): readonly DocumentNode[] {
  const items = node.get(member)?.items() ?? [];
  const message = `must list at least one ${member.slice(0, -1)}`;
  if (items.length === 0) context.issues.misuse(node.at(member), message);
  reportRepeated(context, items, 'name');
  return items;
}

function isCount(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}

function readLimits(
  { issues }: CompileContext,
  item: DocumentNode,
  windows: readonly RateLimitWindow[],
): RatePlan['limits'] {
  const node = item.get('limits');
  if (node?.value === 'custom') return undefined;
  const given = node?.entries() ?? [];
  const limits = new Map<string, number>();
  for (const [name, { value, pointer }] of given) {
    if (!windows.some((window) => window.name === name))
      issues.misuse(pointer, `there is no window ${name}`);
    else if (isCount(value)) limits.set(name, value);
    else issues.misuse(pointer, 'must be a whole number of requests, at least 1');
  }
  if (given.length === 0)
    issues.misuse(item.at('limits'), 'must be `custom`, or name the requests for each window');
  return limits;
}
