import { countOf } from '../../../view/count.ts';
import type { Stub, StubRule } from '../../session/types.ts';

type StubResponse = NonNullable<StubRule['response']>;

/** Whose requests a stub answers, and how: `getPet, path /pets/7: 200 with a body of its own.` */
export function describeStub(rule: StubRule): string {
  const { request = {}, response, responses } = rule;
  const answers = responses ?? [response ?? {}];
  return `${whoseOf(request)}: ${answers.map(answerOf).join(', then ')}.`;
}

/** How often it has answered, and how often it will. */
export function describeStubUse({ applied, times, origin }: Stub): string {
  const from = origin === 'file' ? ', from the file' : '';
  if (applied === 0 && times === undefined) return `never used${from}`;
  if (times === undefined) return `used ${countOf(applied, 'time')}${from}`;
  return `used ${applied} of ${times}${applied >= times ? ', spent' : ''}${from}`;
}

function whoseOf(request: NonNullable<StubRule['request']>): string {
  const { operation, method, path, query, headers, body } = request;
  const parts = [
    operation,
    method,
    path && `path ${path}`,
    query && `query ${Object.keys(query).join(', ')}`,
    headers && `headers ${Object.keys(headers).join(', ')}`,
    body && 'some bodies',
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? 'Every request' : parts.join(', ');
}

function answerOf(response: StubResponse): string {
  const { status, body, text, base64, example, headers, delay } = response;
  const hasBody = body !== undefined || text !== undefined || base64 !== undefined;
  const parts = [
    `${status ?? (example === undefined ? 'the usual status' : 'the status of its example')}`,
    hasBody ? 'with a body of its own' : example && `with the example ${example}`,
    headers && `with ${Object.keys(headers).join(', ')}`,
    delay === undefined ? undefined : `after ${delay} ms`,
  ];
  return parts.filter((part) => part !== undefined).join(' ');
}
