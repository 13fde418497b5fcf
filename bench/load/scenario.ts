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

/** A request as its bytes (RFC 9112 section 3), ASCII only. */
export function renderRequest({ method, body }: Scenario, path: string): string {
  const content =
    body === undefined
      ? ''
      : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\n${content}\r\n${body ?? ''}`;
}
