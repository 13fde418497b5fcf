import {
  type CredentialUse,
  type Outcome,
  type SentRequest,
  describeUse,
} from '../../conformance/index.ts';
import { type VisibleText, show, showLine } from '../../page/view/visible.ts';

/** What a request has in place of its key, for people; empty for the key itself. */
export function describeCredential(use: CredentialUse): VisibleText {
  if (use === 'valid') return show``;
  return use === 'missing' ? show`without a key` : show`with ${showLine(describeUse(use).words)}`;
}

/** A request in one line: `POST /pets {"name":...}, without a key`. */
export function describeRequest(request: SentRequest): VisibleText {
  const credential = describeCredential(request.credential);
  const body = request.body === undefined ? '' : show` ${showLine(request.body)}`;
  return show`${showLine(request.method)} ${showLine(request.target)}${credential === '' ? '' : show` ${credential}`}${body}`;
}

/** The outcome in a few words: the status, or why there is no response. */
export function describeOutcome(outcome: Outcome): VisibleText {
  return outcome.kind === 'answered'
    ? show`${outcome.response.status}`
    : show`${failures[outcome.error.reason]}`;
}

export function noResponseWords(reason: string): string {
  return new Map<string, string>(Object.entries(failures)).get(reason) ?? 'no response';
}

const failures = {
  timeout: 'no response: it timed out',
  cut: 'no response: the connection was closed',
  'not-http': 'no response: the data received is not HTTP',
  endless: 'a response without an end',
  'too-large': 'a response that is too large to be judged',
  undecodable: 'a response with a broken content coding',
  unreachable: 'no response: the connection was refused',
  name: 'no response: the host name is unknown',
  tls: 'no response: TLS failed',
} as const;
