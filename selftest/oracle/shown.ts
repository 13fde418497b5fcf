import { type Exchange, type RunReport, headerOf } from '../../conformance/index.ts';
import {
  type Contract,
  type JsonObject,
  type JsonValue,
  type Operation,
  type Resource,
  type ResponseContract,
  compilePathMatch,
  findDuplicateMember,
  isJsonArray,
  isJsonObject,
  parseJudged,
  renderJson,
} from '../../contract/index.ts';

/** One exchange as the wire showed it, in the light of the document: no intent, no probe. */
export interface Shown {
  readonly index: number;
  readonly operation: Operation;
  readonly resource: Resource | undefined;
  readonly credential: Exchange['request']['credential'];
  /** Names those that were under way at the same time. */
  readonly group: string | undefined;
  readonly sentAt: number;
  readonly endedAt: number;
  readonly query: URLSearchParams;
  /** What stands in the path for its first parameter. */
  readonly inPath: string | undefined;
  /** The text that was sent; undefined for none. */
  readonly text: string | undefined;
  /** That text as JSON; undefined where it is none. */
  readonly sent: JsonValue | undefined;
  /** Whether it was sent as JSON that every reader reads alike. */
  readonly isPlainJson: boolean;
  /** Undefined where no response came. */
  readonly status: number | undefined;
  readonly header: (name: string) => string | undefined;
  /** A header speaks of a further page. */
  readonly hintsAtMore: boolean;
  readonly json: JsonValue | undefined;
  /** What the document says of that very status. */
  readonly documented: ResponseContract | undefined;
}

/** What was sent and what came back, in order; requests to no operation are left out. */
export function showExchanges(
  contract: Contract,
  exchanges: RunReport['exchanges'],
): readonly Shown[] {
  return exchanges.flatMap((exchange) => show(contract, exchange) ?? []);
}

function show(contract: Contract, exchange: Exchange): Shown | undefined {
  const { index, request, outcome, group, sentAt, endedAt } = exchange;
  const [path = '', search = ''] = request.target.split('?');
  // Of several that match, the one with more text of its own is meant: `/pets/mine`, not `/pets/{id}`.
  const [operation] = contract.operations
    .filter((each) => each.method === request.method && matchPath(each, path) !== undefined)
    .toSorted((one, other) => lengthOfText(other) - lengthOfText(one));
  if (operation === undefined) return undefined;
  const response = outcome.kind === 'answered' ? outcome.response : undefined;
  const status = response?.status;
  const { body: text } = request;
  return {
    index,
    operation,
    resource: contract.resources.find((each) =>
      [each.list.id, each.create?.id, each.get?.id].includes(operation.id),
    ),
    credential: request.credential,
    group,
    sentAt,
    endedAt,
    query: new URLSearchParams(search),
    inPath: matchPath(operation, path)?.[0],
    text,
    sent: readJson(text),
    isPlainJson: request.encoding === undefined && isPlainJson(request.headers, text),
    status,
    header: (name) => (response === undefined ? undefined : headerOf(response, name)),
    hintsAtMore:
      response?.headers.some((header) =>
        /next|cursor|continuation|has-?more/i.test(header.join()),
      ) ?? false,
    json: response?.utf8 === true ? readJson(response.body) : undefined,
    documented: operation.responses.find((each) => each.status === String(status)),
  };
}

/** Characters of a path that are in no parameter. */
function lengthOfText({ path }: Operation): number {
  return path.replaceAll(/\{[^{}]*\}/g, '').length;
}

function matchPath(operation: Operation, path: string): readonly string[] | undefined {
  return compilePathMatch(operation.path, 0)(path);
}

function readJson(text: string | undefined): JsonValue | undefined {
  try {
    return text === undefined ? undefined : parseJudged(text);
  } catch {
    return undefined;
  }
}

function isPlainJson(headers: Exchange['request']['headers'], text: string | undefined): boolean {
  if (text === undefined) return true;
  const types = headers.filter(([name]) => /^content-(type|encoding)$/i.test(name));
  const isJson = types.every(([, value]) => /^application\/json$/i.test(value));
  return (
    types.length > 0 &&
    isJson &&
    (readJson(text) === undefined || findDuplicateMember(text) === undefined)
  );
}

/** Whether it was served, with the key. */
export function isServed({ credential, status = 0 }: Shown): boolean {
  return credential === 'valid' && status >= 200 && status < 300;
}

/** Whether one was over before the other was sent. */
export function isBefore(one: Shown, other: Shown): boolean {
  return one.index < other.index && (one.group === undefined || one.group !== other.group);
}

/** The items of a list that was served; undefined where it is none. */
export function listedItems(shown: Shown): readonly JsonObject[] | undefined {
  const isList = shown.operation.id === shown.resource?.list.id && shown.status === 200;
  return isList && isServed(shown) && isJsonArray(shown.json)
    ? shown.json.filter(isJsonObject)
    : undefined;
}

/** The item of an addition; undefined where nothing was added. */
export function addedItem(shown: Shown): JsonObject | undefined {
  const isAddition = shown.operation.id === shown.resource?.create?.id && shown.status === 201;
  return isAddition && isJsonObject(shown.json) ? shown.json : undefined;
}

/** The item of a single read; undefined where there is none. */
export function readSingle(shown: Shown): JsonObject | undefined {
  const isGet = shown.operation.id === shown.resource?.get?.id && shown.status === 200;
  return isGet && isServed(shown) && isJsonObject(shown.json) ? shown.json : undefined;
}

/** The identifier of an item as a path has it; undefined where its form is not the document's. */
export function identify(item: JsonObject, { item: node, idProperty }: Resource) {
  const id = item[idProperty];
  const schema = node.shape().properties.get(idProperty);
  if (id === undefined || (schema?.validate(id).length ?? 0) > 0) return undefined;
  return plain(id);
}

/** A value as a query or a path has it. */
export function plain(value: JsonValue): string {
  return typeof value === 'string' ? value : renderJson(value);
}
