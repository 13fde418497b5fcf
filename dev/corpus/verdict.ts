import { isJson } from './body.ts';
import type { Client, Received } from './client.ts';
import type { Operation, Place } from './document.ts';
import { parseOrNothing, recordOf } from './json.ts';

/**
 * The result of a request. `success`: a documented status below 400; `refused`: a documented 4xx;
 * `undocumented`: an undocumented status.
 */
export type Outcome = 'success' | 'refused' | 'undocumented' | 'server-error' | 'no-response';

/** The result for a body. `unjudged`: the document has no schema for it. */
export type BodyOutcome = 'valid' | 'invalid' | 'empty' | 'not-json' | 'wrong-type' | 'unjudged';

export interface Verdict {
  readonly outcome: Outcome;
  readonly status?: number;
  readonly body?: BodyOutcome;
  /** What is wrong with the body, or why there is no response. */
  readonly detail?: string;
}

/** Judges a response by the document of the client. */
export function judgeResponse(
  client: Pick<Client, 'document' | 'responseJudge'>,
  operation: Operation,
  received: Received,
): Verdict {
  const { document } = client;
  if (received.status === undefined) return { outcome: 'no-response', detail: received.error };
  const { status } = received;
  const responses = document.below(operation.place, 'responses');
  const keys = Object.keys(recordOf(responses.node));
  const key = documentedKey(keys, status);
  if (status >= 500) return { outcome: 'server-error', status };
  // A document with only errors does not say what success looks like.
  if (key === undefined && status < 300 && keys.every((one) => /^[45]/.test(one)))
    return { outcome: 'success', status, body: 'unjudged' };
  if (key === undefined) return { outcome: 'undocumented', status };
  const outcome = status < 400 ? 'success' : 'refused';
  const response = document.below(responses, key);
  if (operation.method === 'HEAD') return { outcome, status, body: 'unjudged' };
  return { outcome, status, ...judgeBody(client, response, received) };
}

function documentedKey(keys: readonly string[], status: number): string | undefined {
  const range = `${Math.floor(status / 100)}XX`;
  return (
    keys.find((key) => key === String(status)) ??
    keys.find((key) => key.toUpperCase() === range) ??
    keys.find((key) => key === 'default')
  );
}

function judgeBody(
  { document, responseJudge }: Pick<Client, 'document' | 'responseJudge'>,
  response: Place,
  received: Received & { readonly status: number },
): Pick<Verdict, 'body' | 'detail'> {
  const { status, headers, text } = received;
  const content = document.below(response, 'content');
  const types = Object.keys(recordOf(content.node));
  if (types.length === 0 || (text === '' && [204, 304].includes(status)))
    return { body: 'unjudged' };
  const got = bareType(headers['content-type'] ?? '');
  const type = types.find((one) => bareType(one) === got) ?? types.find((one) => covers(one, got));
  if (type === undefined)
    return { body: 'wrong-type', detail: `${got || 'no type'} of ${types.join(', ')}` };
  const media = document.below(content, type);
  if (!isJson(got) || recordOf(media.node)['schema'] === undefined) return { body: 'unjudged' };
  if (text === '') return { body: 'empty' };
  const value = parseOrNothing(text);
  if (value === undefined) return { body: 'not-json' };
  const fit = responseJudge.judge(document.below(media, 'schema').pointer, value);
  if (fit.kind === 'unknown') return { body: 'unjudged' };
  return fit.fault === undefined ? { body: 'valid' } : { body: 'invalid', detail: fit.fault };
}

function bareType(type: string): string {
  // Some documents write `application/json:`.
  return (type.split(';')[0] ?? '')
    .replace(/[\s:,]+$/, '')
    .trim()
    .toLowerCase();
}

function covers(range: string, type: string): boolean {
  const [wantedMain, wantedSub] = bareType(range).split('/');
  const [main, sub] = type.split('/');
  return (wantedMain === '*' || wantedMain === main) && (wantedSub === '*' || wantedSub === sub);
}
