/** One kind of request that is measured, and the only answer that counts. */
export interface Scenario {
  readonly name: ScenarioName;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body: string | undefined;
  readonly status: number;
}

export type ScenarioName = 'list' | 'get' | 'create' | 'refused create';

const post = { method: 'POST', path: '/pets' } as const;

export const scenarios: readonly Scenario[] = [
  { name: 'list', method: 'GET', path: '/pets?limit=20', body: undefined, status: 200 },
  { name: 'get', method: 'GET', path: '/pets/1', body: undefined, status: 200 },
  {
    name: 'create',
    ...post,
    body: '{"name":"Rex","categoryId":1,"status":"available"}',
    status: 201,
  },
  { name: 'refused create', ...post, body: '{"name":"Rex","categoryId":"one"}', status: 400 },
];

/** The key that every server takes: one of a plan without a documented limit. */
export const apiKey = 'demo-enterprise';

/** A request to be sent; undefined for no key, or no body. */
export interface RequestText {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  readonly body: string | undefined;
}

/** A request as its bytes (RFC 9112 section 3). `more`: header lines, each with its end. */
export function renderRequest({ method, path, key, body }: RequestText, more = ''): string {
  const authorization = key === undefined ? '' : `Authorization: Bearer ${key}\r\n`;
  const content =
    body === undefined
      ? ''
      : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${authorization}${content}${more}\r\n${body ?? ''}`;
}
