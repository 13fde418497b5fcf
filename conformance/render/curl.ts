import type { Contract } from '../../contract/index.ts';
import type { CredentialUse, SentRequest } from '../exchange.ts';
import { operationOf } from '../target.ts';

/** A shell line that sends a request again. The key is not in it: it is taken from the variable PETSTORE_API_KEY. */
export function renderCurl(contract: Contract, baseUrl: string, request: SentRequest): string {
  const headers = [...request.headers.map(([name, value]) => shellQuote(`${name}: ${value}`)), ...credential(contract, request)];
  const parts = ['curl -i', ...(request.method === 'GET' ? [] : [`-X ${request.method}`]), shellQuote(baseUrl + request.target)];
  const body = request.body === undefined ? [] : [`--data-binary ${shellQuote(request.body)}`];
  return [...parts, ...headers.map((header) => `-H ${header}`), ...body].join(' ');
}

/** How the shell makes each kind of credential out of the key. */
const keys: Readonly<Record<CredentialUse, string>> = {
  'valid': '$PETSTORE_API_KEY',
  'missing': '',
  'invalid': 'no-such-key',
  'other-scheme': '$PETSTORE_API_KEY',
  'cut': '${PETSTORE_API_KEY%?}',
  'longer': '${PETSTORE_API_KEY}x',
  'other-case': '${PETSTORE_API_KEY^^}',
};

function credential(contract: Contract, request: SentRequest): readonly string[] {
  const how = operationOf(contract, request.operation)?.credential;
  if (!how || how.kind === 'none' || request.credential === 'missing') return [];
  const key = keys[request.credential];
  if (how.kind === 'bearer') return [`"Authorization: ${request.credential === 'other-scheme' ? 'Basic' : 'Bearer'} ${key}"`];
  return how.in === 'header' ? [`"${how.name}: ${key}"`] : [];
}

/** Quotes a text for a POSIX shell. */
function shellQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
