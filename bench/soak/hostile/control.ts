import {
  type Contract,
  type JsonValue,
  type Operation,
  type Random,
  renderJson,
  sampleSchema,
} from '../../../contract/index.ts';
import { below, oddPart, oddText, pick } from './texts.ts';

/** A request to the control interface: its operation, and what is sent. */
export interface ControlDraft {
  readonly method: string;
  readonly target: string;
  /** Empty for none. */
  readonly body: Buffer;
}

/** These reach other machines, or take minutes. */
const others = /Webhook|Run|Report|streamEvents/;

/** A request of somebody on this machine who controls a mock in ways that nobody wants. */
export function hostileControl(random: Random, { basePath, operations }: Contract): ControlDraft {
  const wanted = operations.filter(({ id }) => !others.test(id));
  const operation = wanted[below(random, wanted.length)];
  const path = (operation?.path ?? '/').replaceAll(/\{([^}]*)\}/g, (_, name: string) =>
    partOf(random, name),
  );
  const query = (operation?.parameters ?? [])
    .filter((parameter) => parameter.in === 'query' && parameter.name !== 'wait')
    .filter(() => random() < 0.3)
    .map(({ name }) => `${name}=${random() < 0.7 ? oddPart(random) : extreme(random)}`);
  return {
    method: operation?.method ?? 'GET',
    target: basePath + path + (query.length === 0 ? '' : `?${query.join('&')}`),
    body: bodyOf(random, operation),
  };
}

function partOf(random: Random, name: string): string {
  if (name === 'sandbox' && random() < 0.9) return `c${below(random, 40)}`;
  if (name === 'plan' && random() < 0.8) return pick(random, ['Free', 'anonymous', 'enterprise']);
  if (random() < 0.7) return `${below(random, 150)}`;
  return oddPart(random) || '1';
}

/** Bodies with all that an operation takes, numbers above all. */
const bodies: ReadonlyMap<string, readonly JsonValue[]> = new Map<string, readonly JsonValue[]>([
  [
    'addFault',
    [
      { status: 429, retryAfter: 2, count: 3 },
      { status: 503, retryAfter: 2, probability: 0.5, seed: 7 },
      { delay: { from: 0, to: 1 }, drip: { bytes: 9, milliseconds: 0 }, count: 2 },
      { body: 'malformed', count: 1 },
    ],
  ],
  [
    'addStub',
    [
      { times: 2, priority: 1, response: { status: 429, headers: { 'X-A': 'b' }, body: [1] } },
      {
        request: { query: { limit: 1 } },
        responses: [{ delay: 1, text: 'x' }, { base64: 'AA==' }],
      },
      {
        request: { body: { contains: { a: [1] } } },
        scenario: { name: 's', from: 'start', to: 't' },
      },
    ],
  ],
  ['setQuota', [{ limits: { minute: 9 }, used: { day: 7, minute: 1 }, banSeconds: 3 }]],
  ['setClock', [{ advanceSeconds: 9 }, { now: '9999-12-31T23:59:59Z' }, { frozen: true }]],
  ['addItem', [{ name: 'Rex', categoryId: 1 }]],
  ['replaceItem', [{ name: 'Rex', categoryId: 1 }]],
  ['replaceState', [{ '/pets': [{ id: 1, name: 'Rex', categoryId: 1 }] }]],
  ['setChoices', [{ 'list-order': 'none' }, { 'window-kind': 'sliding', 'ban-length': null }]],
]);

function bodyOf(random: Random, operation: Operation | undefined): Buffer {
  const schema = operation?.requestBody?.content[0]?.schema;
  if (schema === undefined || random() < 0.05) return Buffer.alloc(0);
  const whole = bodies.get(operation?.id ?? '') ?? [];
  const value =
    whole[below(random, whole.length + 1)] ??
    sampleSchema(schema, { direction: 'request', seed: `${below(random, 300)}` }).value;
  const text = renderJson(spoil(random, value, random() < 0.7 ? 0 : 0.15));
  const numbers = text.match(/-?\d+/g)?.length ?? 0;
  if (random() < 0.4) return Buffer.from(text);
  let at = below(random, numbers);
  return Buffer.from(
    text.replaceAll(/-?\d+/g, (number) => (at-- === 0 ? extreme(random) : number)),
  );
}

/** A number that is lawful JSON, at the edge of what is counted with. */
function extreme(random: Random): string {
  return pick(random, [
    '0',
    '-0',
    '-1',
    '0.1',
    '5e-324',
    '1e-7',
    '2147483647',
    '2147483648',
    '4294967296',
    '9007199254740991',
    '9007199254740993',
    '-9223372036854775808',
    '253402300799999',
    '8.64e15',
    '1.7976931348623157e308',
    '-1e308',
    '1e400',
  ]);
}

/** Each value in it is, with a probability, something else. */
function spoil(random: Random, value: JsonValue, share: number): JsonValue {
  if (random() < share)
    return pick<JsonValue>(random, [null, true, -1, 1e300, 2 ** 53, '', [], {}, oddText(random)]);
  if (Array.isArray(value)) return value.map((one: JsonValue) => spoil(random, one, share));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).flatMap(([name, one]): [string, JsonValue][] =>
    one === undefined || random() < share / 3 ? [] : [[name, spoil(random, one, share)]],
  );
  return Object.fromEntries(random() < share ? [...members, [oddText(random), 1]] : members);
}
