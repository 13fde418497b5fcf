/** A kind of request to measure, and the only status that counts. */
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

const statuses = ['available', 'pending', 'sold'] as const;

/** Pets 1 to `count`, the same each time, similar to those of a real inventory. */
export function makePets(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `Pet number ${index + 1}`,
    categoryId: 1 + (index % 12),
    status: statuses[index % 3] ?? 'available',
  }));
}
