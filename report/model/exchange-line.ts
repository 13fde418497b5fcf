import type { CredentialUse, Outcome, SentRequest } from '../../conformance/index.ts';
import { type VisibleText, show, showLine } from '../../view/visible.ts';

/** What a request carried in the place of its key, for people; empty for the key itself. */
export function describeCredential(use: CredentialUse): VisibleText {
  if (use === 'valid') return show``;
  return use === 'missing' ? show`without a key` : show`with ${credentialWords[use]}`;
}

/** What a use of the credential is, for people: words that follow "with". */
export const credentialWords = {
  valid: 'the key',
  missing: 'no key',
  invalid: 'a key that was made up',
  'other-scheme': 'the key under Basic',
  cut: 'the key without its last character',
  longer: 'the key and one character more',
  nameless: 'the key without its name',
  marked: 'the key and a `~` more',
  'other-case': 'the key in another case',
  'non-ascii': 'the key and a letter beyond ASCII',
  'token-scheme': 'the key under Token',
  'no-scheme': 'the key without a scheme',
  'no-token': 'Bearer and no key',
  'further-word': 'the key and a word behind it',
  'word-before': 'the key and a word before its scheme',
  'no-space': 'the key right behind its scheme',
  twice: 'the key and a made-up one',
} as const satisfies Readonly<Record<CredentialUse, string>>;

/** A request in one line: `POST /pets {"name":...}, without a key`. */
export function describeRequest(request: SentRequest): VisibleText {
  const credential = describeCredential(request.credential);
  const body = request.body === undefined ? '' : show` ${showLine(request.body)}`;
  return show`${showLine(request.method)} ${showLine(request.target)}${credential === '' ? '' : show` ${credential}`}${body}`;
}

/** What came back in a few words: its status, or why there is no response. */
export function describeOutcome(outcome: Outcome): VisibleText {
  return outcome.kind === 'answered'
    ? show`${outcome.response.status}`
    : show`${failures[outcome.error.reason]}`;
}

/** Why there is no response, for people. */
export function noResponseWords(reason: string): string {
  return new Map<string, string>(Object.entries(failures)).get(reason) ?? 'no response';
}

const failures = {
  timeout: 'no response: nothing came in time',
  cut: 'no response: the connection broke',
  'not-http': 'no response: what came is no HTTP',
  endless: 'a response without an end',
  'too-large': 'a response that is too large to be judged',
  undecodable: 'a response with a broken content coding',
  unreachable: 'no response: nothing listens there',
  name: 'no response: the name is unknown',
  tls: 'no response: TLS failed',
} as const;
