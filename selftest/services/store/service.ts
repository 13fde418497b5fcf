import {
  type Column,
  DatabaseError,
  type Engine,
  type Row,
  type Table,
  createTable,
} from './table.ts';

interface Request {
  readonly method: string;
  readonly target: string;
  readonly headers: { readonly authorization?: string | undefined };
  readonly body: Uint8Array;
}

interface Response {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
}

/** The database behind the service. */
export interface Settings extends Engine {
  /** Columns that are other than the strict service has them, by name. */
  readonly columns: Readonly<Record<string, Partial<Column>>>;
  /** The SQLSTATEs that are answered 400: those of them that somebody thought of. */
  readonly caught: RegExp;
  /** Every so many additions fail, as the victim of a deadlock. */
  readonly deadlockEvery: number;
}

const strict: Settings = {
  caseInsensitive: false,
  refusesNul: false,
  threeBytes: false,
  padded: false,
  rollsBack: false,
  columns: {},
  caught: /^2[23]/,
  deadlockEvery: Infinity,
};

const statuses = ['available', 'pending', 'sold'];

const pets: readonly Column[] = [
  { name: 'name', type: 'TEXT' },
  { name: 'categoryId', type: 'BIGINT' },
  { name: 'status', type: 'TEXT', nullable: true, values: statuses },
];

/** A small service over a table: what a body may hold is what its columns take. */
export function createService(
  settings: Partial<Settings> = {},
  time: { readonly now: () => number } = { now: Date.now },
) {
  const all = { ...strict, ...settings };
  const table = createTable(
    pets.map((column) => ({ ...column, ...all.columns[column.name] })),
    all,
  );
  const takeTurn = createLimiter(time.now);
  let additions = 0;
  table.transact((rows) => {
    for (const name of ['Kira', 'Lola', 'Max', 'Nero'])
      table.insert(rows, { name, categoryId: 1n, status: statuses[rows.length % 2] ?? null });
  });
  const route = ({ method, target, body }: Request): Response => {
    const [path = '', query = ''] = target.split('?');
    if (path === '/v1/pets' && method === 'GET') return list(table, new URLSearchParams(query));
    if (path === '/v1/pets' && method === 'POST') {
      additions += 1;
      if (additions % all.deadlockEvery === 0)
        throw new DatabaseError('40P01', 'deadlock detected');
      const row = readBody(body);
      return { status: 201, body: render(table.transact((rows) => table.insert(rows, row))) };
    }
    const id = /^\/v1\/pets\/(-?\d+)$/.exec(path)?.[1];
    const found = method === 'GET' && id !== undefined ? find(table, BigInt(id)) : undefined;
    return found ? { status: 200, body: render(found) } : refuse(404, 'Nothing is found.');
  };
  return {
    respond: (request: Request) => {
      const [, token] = /^bearer +(.+)$/i.exec(request.headers.authorization ?? '') ?? [];
      const isKnown = token === 'service-free';
      const turn = takeTurn(isKnown ? 60 : 1000, isKnown ? token : 'others');
      const { status, body } = turn.isOver
        ? refuse(429, 'There were too many requests.')
        : isKnown
          ? guard(() => route(request), all.caught)
          : refuse(401, 'The key is not known.');
      return Promise.resolve({
        status,
        headers: {
          Date: new Date(time.now()).toUTCString(),
          'content-type': 'application/json',
          ...turn.headers,
        },
        bytes: Buffer.from(body),
        delivery: 'whole' as const,
      });
    },
  };
}

/** What the database refuses is the client's fault, if its SQLSTATE says so: a data exception. */
function guard(run: () => Response, caught: RegExp): Response {
  try {
    return run();
  } catch (error) {
    const isCaught =
      error instanceof SyntaxError || (error instanceof DatabaseError && caught.test(error.state));
    const message = error instanceof Error ? error.message : 'The service failed.';
    return refuse(isCaught ? 400 : 500, message);
  }
}

function refuse(status: number, message: string): Response {
  return { status, body: JSON.stringify({ code: `E${status}`, message, status }) };
}

function list(table: Table, query: URLSearchParams): Response {
  const limit = query.get('limit') ?? '20';
  const status = query.get('status');
  const isKnown = status === null || statuses.includes(status);
  if (!/^[1-9]\d?$|^100$/.test(limit) || !isKnown) return refuse(400, 'The query is not valid.');
  const rows = table.transact((all) =>
    all.filter((row) => status === null || table.equals(row['status'], status)),
  );
  const newest = rows.toReversed().slice(0, Number(limit));
  return { status: 200, body: `[${newest.map((row) => render(row)).join(',')}]` };
}

function find(table: Table, id: bigint): Row | undefined {
  return table.transact((rows) => rows.find((row) => row['id'] === id));
}

/** Reads JSON, numbers exact. @throws {SyntaxError} */
function parse(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return JSON.parse(text, (_name, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' && Number.isInteger(value) ? exact(context?.source ?? '0') : value,
    );
  } catch {
    throw new SyntaxError('The body is no JSON.');
  }
}

/** The row of a body: every member as the column has to take it. */
function readBody(bytes: Uint8Array): Row {
  const body = parse(bytes);
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new SyntaxError('The body is no object.');
  const row = new Map(Object.entries(body));
  if (row.get('status') === null) throw new SyntaxError('status is null.');
  return Object.fromEntries(pets.map(({ name }) => [name, readCell(name, row.get(name))]));
}

function exact(source: string): bigint {
  return /^-?\d+$/.test(source) ? BigInt(source) : BigInt(Number(source));
}

function readCell(name: string, value: unknown): Row[string] {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'bigint') {
    const isText = typeof value === 'string';
    if (isText === (name !== 'categoryId')) return value;
  }
  throw new SyntaxError(`${name} has another type.`);
}

function render(row: Row): string {
  const members = Object.entries(row).filter(([, cell]) => cell !== null);
  return JSON.stringify(Object.fromEntries(members), (_name, cell: unknown) =>
    typeof cell === 'bigint' ? JSON.rawJSON(String(cell)) : cell,
  );
}

/** A log of the requests of the last minute, for each bucket. */
function createLimiter(now: () => number) {
  const logs = new Map<string, number[]>();
  return (limit: number, bucket: string) => {
    const recent = (logs.get(bucket) ?? []).filter((at) => at > now() - 60_000);
    logs.set(bucket, recent);
    const isOver = recent.length >= limit;
    if (!isOver) recent.push(now());
    const end = Math.ceil(((recent[0] ?? now()) + 60_000) / 1000);
    const wait = { 'retry-after': String(Math.max(1, end - Math.floor(now() / 1000))) };
    const headers = {
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(limit - recent.length),
      'x-ratelimit-reset': String(end),
      ...(isOver ? wait : {}),
    };
    return { isOver, headers };
  };
}
