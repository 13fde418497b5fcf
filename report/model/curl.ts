import type { Contract } from '../../contract/index.ts';
import { type CredentialUse, type SentRequest, operationOf } from '../../conformance/index.ts';
import { showLine } from './visible.ts';

/** A shell line that sends a request again, with the key from the variable PETSTORE_API_KEY. */
export function renderCurl(contract: Contract, baseUrl: string, request: SentRequest): string {
  const { method, headers, body } = request;
  return [
    `curl -i${method === 'GET' ? '' : ` -X ${method}`} ${quoteShell(baseUrl + request.target)}`,
    ...headers.map(([name, value]) => `-H ${quoteShell(`${name}: ${value}`)}`),
    ...credential(contract, request).map((header) => `-H ${header}`),
    ...(body === undefined ? [] : [`--data-binary ${quoteShell(body)}`]),
  ].join(' ');
}

/** How the shell makes each kind of credential out of the key. */
const keys: Readonly<Record<CredentialUse, string>> = {
  valid: '$PETSTORE_API_KEY',
  missing: '',
  invalid: 'no-such-key',
  'other-scheme': '$PETSTORE_API_KEY',
  cut: '${PETSTORE_API_KEY%?}',
  longer: '${PETSTORE_API_KEY}x',
  'other-case': '${PETSTORE_API_KEY^^}',
};

function credential(contract: Contract, request: SentRequest): readonly string[] {
  const how = operationOf(contract, request.operation)?.credential;
  if (!how || how.kind === 'none' || request.credential === 'missing') return [];
  const key = keys[request.credential];
  const scheme = request.credential === 'other-scheme' ? 'Basic' : 'Bearer';
  if (how.kind === 'bearer') return [`"Authorization: ${scheme} ${key}"`];
  return how.in === 'header' ? [`"${how.name}: ${key}"`] : [];
}

/** Quotes for a POSIX shell; what cannot be shown as bytes (POSIX.1-2024, Shell 2.2.4). */
export function quoteShell(text: string): string {
  if (showLine(text) === text) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return `$'${Array.from(text, escapeCharacter).join('')}'`;
}

function escapeCharacter(character: string): string {
  if (character === "'" || character === '\\') return `\\${character}`;
  if (showLine(character) === character) return character;
  return [...new TextEncoder().encode(character)]
    .map((byte) => `\\${byte.toString(8).padStart(3, '0')}`)
    .join('');
}
