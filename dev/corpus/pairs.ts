import { isJson } from './body.ts';
import { type BuiltRequest, buildRequest } from './request.ts';
import { type Client, type Received, idInBody, itemParameter } from './client.ts';
import type { Operation } from './document.ts';
import { isRecord, type JsonRecord, parseOrNothing, recordOf } from './json.ts';

/** Whether GET returns an item created by POST. */
export interface PairRow {
  readonly collection: string;
  readonly kept: boolean;
  /** Why it is not returned. */
  readonly reason?: string;
}

/** Tries every collection with POST whose items have GET, within the time limit. */
export async function tryPairs(client: Client, milliseconds: number): Promise<readonly PairRow[]> {
  const end = performance.now() + milliseconds;
  const rows: PairRow[] = [];
  for (const post of client.operations.filter(({ method }) => method === 'POST')) {
    const get = client.operations.find(
      ({ method, path }) => method === 'GET' && itemParameter(post.path, path) !== undefined,
    );
    if (get === undefined) continue;
    if (performance.now() > end) break;
    const plain = buildRequest(client, post);
    // Without a valid request, or with only files, nothing could come back.
    if (plain.doubts.length > 0 || sendsFiles(client, plain) || !showsJson(client, get)) continue;
    const word = `corpus${rows.length.toString(36)}x`;
    rows.push({ collection: post.path, ...(await tryPair(client, post, get, plain, word)) });
  }
  return rows;
}

/** Whether all members of the body are files. */
function sendsFiles({ document }: Client, { bodyChoice }: BuiltRequest): boolean {
  const schema = bodyChoice && recordOf(document.below(bodyChoice.place, 'schema').node);
  const members = Object.values(recordOf(schema?.['properties'])).map(recordOf);
  return members.length > 0 && members.every(({ format }) => format === 'binary');
}

/** Whether a success of the operation has JSON, or an undescribed body. */
function showsJson({ document }: Client, { place }: Operation): boolean {
  const responses = document.below(place, 'responses');
  const status = Object.keys(recordOf(responses.node)).find((one) => one.startsWith('2'));
  if (status === undefined) return true;
  const types = Object.keys(recordOf(document.below(responses, status, 'content').node));
  return types.length === 0 || types.some((type) => isJson(type) || type.startsWith('*'));
}

/**
 * Tries texts of the body until the item has the member of one. If it has none of them, a second
 * creation must have another id, and the item this one.
 */
async function tryPair(
  client: Client,
  post: Operation,
  get: Operation,
  plain: BuiltRequest,
  word: string,
): Promise<Omit<PairRow, 'collection'>> {
  for (const { request, name } of markBodies(client, post, plain, word).take(5)) {
    const { item = '', ...row } = await createAndGet(client, post, get, request);
    const isShown = item.includes(word);
    if (isShown) return { kept: true };
    if (row.reason === undefined && item.includes(`"${name}":`)) return fail(isOther);
  }
  const { created, item, reason } = await createAndGet(client, post, get, plain);
  if (created === undefined || item === undefined) return fail(reason ?? '');
  const again = await client.send(plain);
  const differs =
    isSuccess(again) &&
    (again.text !== created.text || again.headers['location'] !== created.headers['location']);
  return differs && item.includes(created.id) ? { kept: true } : fail(isOther);
}

const isOther = 'the item is not what was created';

interface Round {
  readonly created?: Received & { readonly status: number; readonly id: string };
  /** The text of the item. */
  readonly item?: string;
  readonly reason?: string;
}

async function createAndGet(
  client: Client,
  post: Operation,
  get: Operation,
  sent: BuiltRequest,
): Promise<Round> {
  const created = await client.send(sent);
  if (!isSuccess(created)) return fail(`POST ${statusOf(created)}`);
  const id = createdId(created, post.path, itemParameter(post.path, get.path) ?? 'id');
  if (id === undefined) return fail('the response of POST shows no id');
  const read = buildRequest(client, get);
  const lastSlash = /\/?$/.exec(get.path)?.[0] ?? '';
  const path = `${sent.path.replace(/\/$/, '')}/${encodeURIComponent(String(id))}${lastSlash}`;
  const item = await client.send({ ...read, path });
  if (!isSuccess(item)) return fail(`GET ${statusOf(item)}`);
  return { created: { ...created, id: String(id) }, item: item.text };
}

const fail = (reason: string): Omit<PairRow, 'collection'> => ({ kept: false, reason });

function isSuccess(received: Received): received is Received & { readonly status: number } {
  return received.status !== undefined && received.status < 300;
}

function statusOf(received: Received): string | number {
  return received.status ?? received.error;
}

function createdId(
  created: Received & { readonly status: number },
  collection: string,
  parameter: string,
): string | number | undefined {
  const body = parseOrNothing(created.text);
  const id = idInBody(body, collection, parameter, 2);
  const { location } = created.headers;
  if (id !== undefined || location === undefined)
    return id ?? idInBody(body, collection, parameter);
  const [path = ''] = location.split('?');
  return decodeURIComponent(path.replace(/\/$/, '').split('/').at(-1) ?? '');
}

/** The same request with a marker in one text of its body, for each text that can contain it. */
function* markBodies(
  client: Client,
  post: Operation,
  { bodyChoice, bodyValue }: BuiltRequest,
  word: string,
): Generator<{ readonly request: BuiltRequest; readonly name: string }> {
  if (bodyChoice === undefined || !isRecord(bodyValue)) return;
  const schema = client.document.below(bodyChoice.place, 'schema');
  for (const spot of textSpots(bodyValue)) {
    const value = withText(bodyValue, spot, word);
    if (client.requestJudge.judge(schema.pointer, value).kind === 'valid')
      yield {
        request: buildRequest(client, post, new Map(), { bodyValue: value }),
        name: spot.at(-1) ?? '',
      };
  }
}

/** Paths of the texts of a body and of its members: shallow ones first, then names and titles. */
function textSpots(value: JsonRecord): readonly (readonly string[])[] {
  const deep = Object.entries(value).flatMap(([name, one]) =>
    isRecord(one) ? textNames(one).map((inner) => [name, inner]) : [],
  );
  return [...textNames(value).map((name) => [name]), ...deep];
}

const isTelling = (name: string): boolean => /name|title|descr|label|text|comment/i.test(name);

function textNames(value: JsonRecord): readonly string[] {
  return Object.keys(value)
    .filter((name) => typeof value[name] === 'string')
    .toSorted((one, other) => Number(isTelling(other)) - Number(isTelling(one)));
}

function withText(
  value: JsonRecord,
  [name = '', ...rest]: readonly string[],
  word: string,
): JsonRecord {
  const member = value[name];
  return { ...value, [name]: isRecord(member) ? withText(member, rest, word) : word };
}
