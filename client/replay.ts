import { type Exchange, redactedKey, renderExchange } from '../conformance/index.ts';
import { type Contract, renderJson } from '../contract/index.ts';
import type { MockRequest, RequestContent } from '../mock/index.ts';
import type { Scenario } from './scenario.ts';
import type { Setting } from './scene.ts';

/** Where a log is not what the mock would have seen and answered. */
export interface LogDeparture {
  /** Index in the log; undefined for the log as a whole. */
  readonly at: number | undefined;
  /** A sentence, with its full stop. */
  readonly sentence: string;
}

/**
 * Plays the requests of a log to a scenario that was set up anew, each at its time: the mock has to answer as the log
 * says. So a request that was left out, added or edited shows in the counts of the limit, in identifiers and items, even
 * where whoever edited the log computed all its digests anew. What is not in the log to its last byte (a wrong key, a
 * body that was not read) is held to its status alone.
 */
export function replayLog(contract: Contract, scenario: Scenario, { recorder, sandbox, key, openedAt }: Setting, logged: readonly Exchange[]): readonly LogDeparture[] {
  // The sandbox may live years ahead of the mock's clock.
  const ahead = sandbox.clock.now() - openedAt;
  const connections = new Map<number, object>();
  for (const exchange of logged) {
    const at = exchange.index;
    // What was no HTTP was not counted either.
    if (exchange.request.method === '') continue;
    recorder.handle(requestOf(contract, exchange, key, connections), exchange.sentAt - ahead);
    const again = recorder.exchanges.at(-1);
    const difference = again === undefined ? 'nothing' : compare(exchange, again);
    if (difference !== undefined) return [{ at, sentence: `Played again, ${scenario.id} comes to another ${difference} here: the log is not what this client sent to this mock.` }];
  }
  return [];
}

function requestOf({ basePath }: Contract, exchange: Exchange, key: string, connections: Map<number, object>): MockRequest {
  const { request } = exchange;
  const secret = request.credential === 'valid' ? key : `${key}-altered`;
  const show = (text: string): string => text.replaceAll(redactedKey, secret);
  const target = show(request.target);
  return {
    method: request.method,
    target: target.startsWith('/..') ? target.replace(/^(?:\/\.\.)+/, '') : basePath + target,
    headers: headersOf(request.headers.map(([name, value]) => [show(name), show(value)])),
    content: contentOf(exchange, show),
    connection: connectionOf(exchange, connections),
  };
}

function headersOf(pairs: readonly (readonly [name: string, value: string])[]): MockRequest['headers'] {
  const values = Map.groupBy(pairs, ([name]) => name);
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? all[0]?.[1] : all.map(([, value]) => value)]));
}

function contentOf({ request: { body }, intent }: Exchange, show: (text: string) => string): RequestContent {
  if (body !== undefined) return Buffer.from(show(body));
  return intent.kind === 'client' && intent.refusal?.reason === 'body_too_large' ? 'too-large' : undefined;
}

function connectionOf({ intent }: Exchange, known: Map<number, object>): object | undefined {
  if (intent.kind !== 'client' || intent.connection === undefined) return undefined;
  const connection = known.get(intent.connection) ?? {};
  known.set(intent.connection, connection);
  return connection;
}

/** What differs, in a word; undefined for nothing. */
function compare(logged: Exchange, again: Exchange): string | undefined {
  if (statusOf(logged) !== statusOf(again)) return `answer: ${statusOf(again)} in place of ${statusOf(logged)}`;
  if (!isWhole(logged)) return undefined;
  const [said, found] = [renderExchange(logged), renderExchange({ ...again, index: logged.index })];
  const names = ['intent', 'request', 'outcome', 'sentAt', 'endedAt', 'probe', 'group'];
  return names.find((name) => renderJson(said[name] ?? null) !== renderJson(found[name] ?? null));
}

function statusOf({ outcome }: Exchange): string {
  return outcome.kind === 'answered' ? `${outcome.answer.status}` : 'none';
}

function isWhole({ intent, request }: Exchange): boolean {
  return request.credential === 'valid' && intent.kind === 'client' && intent.isWhole && request.body?.includes('\uFFFD') !== true;
}
