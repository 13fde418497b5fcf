import { type Exchange, type RunReport, headerOf } from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import { type JsonValue, parseJudged } from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { ResponseContract } from '../../contract/openapi/response.ts';
import { compilePathMatch } from '../../contract/openapi/path-pattern.ts';
import { findDuplicateMember } from '../../contract/json/scan.ts';

/** One exchange as the wire showed it, in the light of the document: no intent, no probe. */
export interface Shown {
  readonly index: number;
  readonly operation: Operation;
  readonly credential: Exchange['request']['credential'];
  readonly query: URLSearchParams;
  /** The text that was sent; undefined for none. */
  readonly text: string | undefined;
  /** That text as JSON; undefined where it is not JSON. */
  readonly sent: JsonValue | undefined;
  /** Whether it was sent as JSON that every reader reads alike. */
  readonly isPlainJson: boolean;
  /** Undefined where no response came. */
  readonly status: number | undefined;
  readonly header: (name: string) => string | undefined;
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

function show(contract: Contract, { index, request, outcome }: Exchange): Shown | undefined {
  const [path = '', search = ''] = request.target.split('?');
  // Of several that match, the one with more text of its own is meant: `/pets/mine`, not `/pets/{id}`.
  const [operation] = contract.operations
    .filter(
      (each) =>
        each.method === request.method && compilePathMatch(each.path, 0)(path) !== undefined,
    )
    .toSorted((one, other) => lengthOfText(other) - lengthOfText(one));
  if (operation === undefined) return undefined;
  const response = outcome.kind === 'answered' ? outcome.response : undefined;
  const status = response?.status;
  const { body: text } = request;
  return {
    index,
    operation,
    credential: request.credential,
    query: new URLSearchParams(search),
    text,
    sent: readJson(text),
    isPlainJson: request.encoding === undefined && isPlainJson(request.headers, text),
    status,
    header: (name) => (response === undefined ? undefined : headerOf(response, name)),
    json: response?.utf8 === true ? readJson(response.body) : undefined,
    documented: operation.responses.find((each) => each.status === String(status)),
  };
}

/** Characters of a path that are in no parameter. */
function lengthOfText({ path }: Operation): number {
  return path.replaceAll(/\{[^{}]*\}/g, '').length;
}

export function readJson(text: string | undefined): JsonValue | undefined {
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
