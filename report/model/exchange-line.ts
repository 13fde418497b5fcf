import type { CredentialUse, Outcome, SentRequest } from '../../conformance/index.ts';
import { showLine } from '../../view/visible.ts';

/** What a request carried in the place of its key, for people; empty for the key itself. */
export function describeCredential(use: CredentialUse): string {
  if (use === 'valid') return '';
  return use === 'missing' ? 'without a key' : `with ${credentialWords[use]}`;
}

/** What a use of the credential is, for people: words that follow "with". */
export const credentialWords: Readonly<Record<CredentialUse, string>> = {
  valid: 'the key',
  missing: 'no key',
  invalid: 'a key that was made up',
  'other-scheme': 'the key under Basic',
  cut: 'the key without its last character',
  longer: 'the key and one character more',
  'other-case': 'the key in another case',
  'non-ascii': 'the key and a letter beyond ASCII',
  'token-scheme': 'the key under Token',
  'no-scheme': 'the key without a scheme',
  'no-token': 'Bearer and no key',
  'further-word': 'the key and a word behind it',
  'word-before': 'the key and a word before its scheme',
  'no-space': 'the key right behind its scheme',
  twice: 'the key and a made-up one',
};

/** A request in one line: `POST /pets {"name":...}, without a key`. */
export function describeRequest(request: SentRequest): string {
  const credential = describeCredential(request.credential);
  const body = request.body === undefined ? '' : ` ${showLine(request.body)}`;
  return `${request.method} ${showLine(request.target)}${credential === '' ? '' : ` ${credential}`}${body}`;
}

/** What came back in a few words: its status, or why there is no response. */
export function describeOutcome(outcome: Outcome): string {
  return outcome.kind === 'answered'
    ? String(outcome.response.status)
    : failures[outcome.error.reason];
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
