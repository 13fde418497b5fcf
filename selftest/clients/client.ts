/** A simulated network and clock for the clients of the self-test. */
export interface Wire {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** Rejects if there is no response, or none in time. */
  send(request: WireRequest): Promise<WireResponse>;
}

export interface WireRequest {
  readonly method: string;
  /** Relative to the base URL. */
  readonly target: string;
  /** Names are lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  /**
   * Opens a new connection and closes it after the response. Default: a free one, or a new one that stays
   * open.
   */
  readonly hasOwnConnection?: true;
  /** Milliseconds after which the client aborts and closes the connection. Default: none. */
  readonly timeout?: number;
}

export interface WireResponse {
  readonly status: number;
  /** Names are lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

interface Environment {
  readonly wire: Wire;
  readonly key: string;
  /** From 0 to 1, by the seed of the trial. */
  readonly random: () => number;
}

/** Does its task; rejects if that failed, which is exit code 1. */
export type Client = (environment: Environment) => Promise<void>;

/** The result of sending a request once. */
export interface Attempt {
  readonly method: string;
  /** Undefined without a response. */
  readonly response: WireResponse | undefined;
  /** How often the request was sent so far, from 1. */
  readonly tries: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly random: () => number;
}

/** How a client behaves. Mutants and variants are the careful client with a part of this replaced. */
export interface ClientBehaviour {
  /** Milliseconds until it is sent again; undefined: never. */
  readonly retry: (attempt: Attempt) => number | undefined;
  /** Milliseconds without any request after a response. */
  readonly pause: (attempt: Attempt) => number;
  /** The credentials of a request. */
  readonly authorize: (key: string, tries: number) => Readonly<Record<string, string>>;
  /** The request that is finally sent. */
  readonly shape: (request: WireRequest, key: string, tries: number) => WireRequest;
  readonly parse: (text: string) => unknown;
  /** The body for a pet to add. */
  readonly render: (pet: Pet) => string;
  readonly work: (session: Session) => Promise<void>;
}

/** A client that sends the requests of its task in its own way. */
export interface Session extends Environment {
  readonly behaviour: ClientBehaviour;
  /** Sends a request, and repeats it as `retry` says. Rejects if there is no response. */
  readonly call: (method: string, target: string, body?: string) => Promise<WireResponse>;
  /** Sends a request once, without waiting or repeating; undefined if there is no response. */
  readonly sendOnce: (
    method: string,
    target: string,
    more?: Partial<WireRequest>,
  ) => Promise<WireResponse | undefined>;
}

export type Pet = Readonly<Record<string, unknown>>;

/** Follows every rule, and exercises each. */
export const careful: ClientBehaviour = {
  retry(attempt) {
    const { method, response, tries } = attempt;
    if (tries > 5) return undefined;
    if (response === undefined) return method === 'POST' ? undefined : 200 * 2 ** tries;
    return response.status === 429
      ? Math.max(readRetryAfter(attempt), 500 * 2 ** (tries - 1))
      : undefined;
  },
  pause(attempt) {
    const { response, now } = attempt;
    if (response?.status === 429) return readRetryAfter(attempt);
    return response?.headers['x-ratelimit-remaining'] === '0'
      ? Number(response.headers['x-ratelimit-reset']) * 1000 - now + 20
      : 0;
  },
  authorize: (key) => ({ authorization: `Bearer ${key}` }),
  shape: (request) => request,
  // A `bigint` for every integer beyond double precision, and back.
  parse: (text) =>
    JSON.parse(text, (_name, value, { source }) =>
      typeof value === 'number' && /^-?\d+$/.test(source ?? '') && !Number.isSafeInteger(value)
        ? BigInt(source ?? '')
        : value,
    ),
  render: (pet) =>
    JSON.stringify(pet, (_name, member: unknown) =>
      typeof member === 'bigint' ? JSON.rawJSON(`${member}`) : member,
    ),
  work: listAddList,
};

/** Milliseconds that a 429 asks to wait, plus 20 because timers may be early; 0 for none. */
export function readRetryAfter({ response, now }: Pick<Attempt, 'response' | 'now'>): number {
  const text = response?.headers['retry-after'] ?? '';
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(wait) ? 0 : wait + 20;
}

/** A careful client with some parts replaced. */
export function createClient(way: Partial<ClientBehaviour>): Client {
  const behaviour = { ...careful, ...way };
  return async (environment) => await behaviour.work(openSession(environment, behaviour));
}

function openSession(environment: Environment, behaviour: ClientBehaviour): Session {
  const { wire, key, random } = environment;
  let notBefore = 0;
  const send = async (
    sent: Pick<WireRequest, 'method' | 'target'> & Partial<WireRequest>,
    tries: number,
  ): Promise<WireResponse | undefined> => {
    const type = sent.body === undefined ? {} : { 'content-type': 'application/json' };
    const headers = { ...behaviour.authorize(key, tries), ...type, ...sent.headers };
    const request = behaviour.shape({ body: undefined, ...sent, headers }, key, tries);
    return await wire.send(request).catch(() => undefined);
  };
  return {
    ...environment,
    behaviour,
    sendOnce: (method, target, more = {}) => send({ method, target, ...more }, 1),
    async call(method, target, body) {
      for (let tries = 1; ; tries += 1) {
        while (notBefore > wire.now()) await wire.sleep(notBefore - wire.now());
        const response = await send({ method, target, body }, tries);
        const tried = { method, response, tries, now: wire.now(), random };
        notBefore = Math.max(notBefore, tried.now + behaviour.pause(tried));
        const wait = behaviour.retry(tried);
        if (wait !== undefined) await wire.sleep(wait);
        else if (response === undefined) throw new Error(`${method} ${target} got no response`);
        else return response;
      }
    },
  };
}

/** Lists, adds a pet in the category of the first, and looks for it in the list. */
export async function listAddList(session: Session): Promise<void> {
  const pets = await list(session, 'limit=100');
  const name = newName(session);
  await add(session, { name, categoryId: pets[0]?.['categoryId'] ?? 1, status: 'available' });
  await find(session, name);
}

export function newName({ random }: Pick<Session, 'random'>): string {
  return `Pet ${Math.floor(random() * 1e9)}`;
}

/** Throws if the list does not return 200. */
export async function list(session: Session, query: string): Promise<readonly Pet[]> {
  const { status, text } = await session.call('GET', `/pets?${query}`);
  if (status !== 200) throw new Error(`The list was answered ${status}.`);
  const value = session.behaviour.parse(text);
  if (!Array.isArray(value)) throw new Error('The list is not an array.');
  return value.filter((pet) => typeof pet === 'object' && pet !== null);
}

/** Adds a pet; after a lost response, looks for it in the list, because it may have been added. */
export async function add(session: Session, pet: Pet): Promise<void> {
  const body = session.behaviour.render(pet);
  const response = await session.call('POST', '/pets', body).catch(() => undefined);
  if (response === undefined) await find(session, String(pet['name']));
  else if (response.status !== 201) throw new Error(`It was answered ${response.status}.`);
}

/** Finds a pet in the list, which replaces the deprecated operation. Throws if it is missing. */
export async function find(session: Session, name: string): Promise<void> {
  const pets = await list(session, 'status=available&limit=100');
  if (pets.length < 100 && !pets.some((pet) => pet['name'] === name))
    throw new Error(`${name} is not in the list.`);
}
