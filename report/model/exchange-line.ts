import type { CredentialUse, Outcome, SentRequest } from '../../conformance/index.ts';
import { showLine } from './visible.ts';

/** What a request carried in the place of its key, for people; empty for the key itself. */
export function describeCredential(use: CredentialUse): string {
  return credentials[use];
}

const credentials: Readonly<Record<CredentialUse, string>> = {
  valid: '',
  missing: 'without a key',
  invalid: 'with a key that was made up',
  'other-scheme': 'with the key under Basic',
  cut: 'with the key without its last character',
  longer: 'with the key and one character more',
  'other-case': 'with the key in another case',
  'non-ascii': 'with the key and a letter beyond ASCII',
  'token-scheme': 'with the key under Token',
  'no-scheme': 'with the key without a scheme',
  'no-token': 'with Bearer and no key',
  'further-word': 'with the key and a word behind it',
  'word-before': 'with the key and a word before its scheme',
  'no-space': 'with the key right behind its scheme',
  twice: 'with the key and a made-up one',
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
    : `no response: ${failures[outcome.error.reason]}`;
}

const failures = {
  timeout: 'nothing came in time',
  cut: 'the connection broke',
  'not-http': 'what came is no HTTP',
  unreachable: 'nothing listens there',
  name: 'the name is unknown',
  tls: 'TLS failed',
} as const;
