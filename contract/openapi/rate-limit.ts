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

export interface RateLimitWindow {
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
  const windows = readWindows(context, node);
  return {
    status: readStatus(context, node),
    headers: readHeaderNames(context, node),
    windows,
    plans: readPlans(context, node, windows),
    bans: ![undefined, null, false].some((absent) => absent === node.get('ban')?.value),
    pointer: node.pointer,
  };
}

function readStatus(context: CompileContext, node: DocumentNode): number {
  const status = node.get('status')?.value ?? 429;
  if (isCount(status) && status >= 400 && status < 600) return status;
  const reason = 'must be the HTTP status of a request over the limit, 429 by default';
  context.issues.error(node.at('status'), reason);
  return 429;
}

function readHeaderNames(context: CompileContext, node: DocumentNode): RateLimitHeaderNames {
  const read = (member: string, standard?: string): string => {
    const name = node.get('headers')?.text(member) ?? standard;
    if (name !== undefined && isFieldName(name)) return name;
    context.issues.error(node.at('headers'), `${member} must be the name of a header`);
    return member;
  };
  return {
    limit: read('limit'),
    remaining: read('remaining'),
    reset: read('reset'),
    retryAfter: read('retryAfter', 'Retry-After'),
  };
}

function readWindows(context: CompileContext, node: DocumentNode): readonly RateLimitWindow[] {
  const items = node.get('windows')?.items() ?? [];
  if (items.length === 0) context.issues.error(node.at('windows'), 'must list at least one window');
  reportRepeated(context, items, 'name');
  const windows: RateLimitWindow[] = [];
  for (const item of items) {
    const name = item.text('name');
    const { seconds } = item.object;
    if (name !== undefined && isCount(seconds)) windows.push({ name, seconds });
    else
      context.issues.error(item.pointer, 'a window needs a name, and its length in whole seconds');
  }
  return windows.toSorted((left, right) => left.seconds - right.seconds);
}

function isCount(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}

function readPlans(
  context: CompileContext,
  node: DocumentNode,
  windows: readonly RateLimitWindow[],
): readonly RatePlan[] {
  const items = node.get('plans')?.items() ?? [];
  if (items.length === 0) context.issues.error(node.at('plans'), 'must list at least one plan');
  reportRepeated(context, items, 'name');
  return items.flatMap((item) => {
    const name = item.text('name');
    if (name === undefined) context.issues.error(item.pointer, 'a plan needs a name');
    return name === undefined ? [] : [{ name, limits: readLimits(context, item, windows) }];
  });
}

function readLimits(
  { issues }: CompileContext,
  item: DocumentNode,
  windows: readonly RateLimitWindow[],
): RatePlan['limits'] {
  const node = item.get('limits');
  if (node?.value === 'custom') return undefined;
  const limits = new Map<string, number>();
  for (const [name, { value, pointer }] of node?.entries() ?? []) {
    if (!windows.some((window) => window.name === name))
      issues.error(pointer, `there is no window ${name}`);
    else if (!isCount(value))
      issues.error(pointer, 'must be a whole number of requests, at least 1');
    else limits.set(name, value);
  }
  if (node === undefined || Object.keys(node.object).length === 0)
    issues.error(item.at('limits'), 'must be `custom`, or name the requests for each window');
  return limits;
}
