import { recordOf } from '../document/json.ts';
import type { Operation } from '../document/operation.ts';
import { type Place, placeBelow } from '../document/place.ts';
import type { PublicDocument } from '../document/read.ts';
import type { SchemaJudge } from '../document/schema-judge.ts';
import { isJson } from '../request/body.ts';
import type { Received } from '../request/send.ts';

/**
 * What became of a request. `success`: a status below 400 that the document has; `refused`: one
 * of 4xx that it has; `undocumented`: one that it has not.
 */
export type Outcome = 'success' | 'refused' | 'undocumented' | 'server-error' | 'no-response';

/** What became of a body; `unjudged` where the document says nothing that could be judged by. */
export type BodyOutcome = 'valid' | 'invalid' | 'empty' | 'not-json' | 'wrong-type' | 'unjudged';

export interface Verdict {
  readonly outcome: Outcome;
  readonly status?: number;
  readonly body?: BodyOutcome;
  /** What is wrong with the body, or why there is no response. */
  readonly detail?: string;
}

/** @param judge of responses */
export function judgeResponse(
  { root }: PublicDocument,
  judge: SchemaJudge,
  operation: Operation,
  received: Received,
): Verdict {
  if (received.status === undefined) return { outcome: 'no-response', detail: received.error };
  const { status } = received;
  const responses = placeBelow(root, operation.place, 'responses');
  const key = documentedKey(Object.keys(recordOf(responses.node)), status);
  if (status >= 500) return { outcome: 'server-error', status };
  if (key === undefined) return { outcome: 'undocumented', status };
  const outcome = status < 400 ? 'success' : 'refused';
  const response = placeBelow(root, responses, key);
  if (operation.method === 'HEAD') return { outcome, status, body: 'unjudged' };
  return { outcome, status, ...judgeBody(root, judge, response, received) };
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
  root: PublicDocument['root'],
  judge: SchemaJudge,
  response: Place,
  received: Received & { readonly status: number },
): Pick<Verdict, 'body' | 'detail'> {
  const { status, headers, text } = received;
  const content = placeBelow(root, response, 'content');
  const types = Object.keys(recordOf(content.node));
  if (types.length === 0 || (text === '' && [204, 304].includes(status)))
    return { body: 'unjudged' };
  const got = bareType(headers['content-type'] ?? '');
  const type = types.find((one) => bareType(one) === got) ?? types.find((one) => covers(one, got));
  if (type === undefined)
    return { body: 'wrong-type', detail: `${got || 'no type'} of ${types.join(', ')}` };
  const media = placeBelow(root, content, type);
  if (!isJson(got) || recordOf(media.node)['schema'] === undefined) return { body: 'unjudged' };
  if (text === '') return { body: 'empty' };
  const value = parse(text);
  if (value === undefined) return { body: 'not-json' };
  const fit = judge.judge(placeBelow(root, media, 'schema').pointer, value);
  if (fit.kind === 'unknown') return { body: 'unjudged' };
  return fit.fault === undefined ? { body: 'valid' } : { body: 'invalid', detail: fit.fault };
}

function bareType(type: string): string {
  return (type.split(';')[0] ?? '').trim().toLowerCase();
}

function covers(range: string, type: string): boolean {
  const [wantedMain, wantedSub] = bareType(range).split('/');
  const [main, sub] = type.split('/');
  return (wantedMain === '*' || wantedMain === main) && (wantedSub === '*' || wantedSub === sub);
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
