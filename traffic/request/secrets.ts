import type { Contract } from '../../contract/contract.ts';
import { decodePercent } from '../../contract/source/percent.ts';
import {
  type Blank,
  createBlank,
  type Redact,
  type Redacted,
  redactedKey,
  redactKeys,
} from '../../conformance/index.ts';
import type { RecordedExchange, RecordedHeaders } from '../recorded/recorded.ts';
import { isSecretName, listCredentialFields } from './credential.ts';
import { readCookies } from './parameter.ts';

/** Collects the keys that exchanges carry, so that they are removed from all output. */
export interface Secrets {
  /** Takes note of the keys of an exchange. */
  readonly note: (exchange: RecordedExchange) => void;
  /** Takes all keys that were noted out of a text. */
  readonly redact: Redact;
  /** The same, with the places that keys were cut from. */
  readonly redactMarked: (text: string) => Redacted;
  /** Whether a field or a member of a query holds a key, by its name. */
  readonly isSecret: (name: string) => boolean;
  /** Fields that hold keys lose their values, the others what keys they have in them. */
  readonly redactHeaders: (headers: RecordedHeaders) => RecordedHeaders;
  /** The values of members of a query that hold keys are taken out too. */
  readonly redactTarget: (target: string) => string;
}

/** Keys that are remembered; of traffic with more, those seen last. */
const mostKeys = 256;

/** Names of fields of which is remembered whether they hold keys. */
const mostNames = 256;

/** Where only a name speaks of a key, shorter values are none: a language, a column to sort by. */
const shortestGuess = 8;

/** Creates the memory of keys of some traffic. */
export function createSecrets(contract: Contract): Secrets {
  const fields = listCredentialFields(contract);
  const names = new Set(fields.map(({ name }) => name.toLowerCase()));
  const judged = new Map<string, boolean>();
  const isSecret = (name: string): boolean => {
    const known = judged.get(name);
    if (known !== undefined) return known;
    const found = names.has(name.toLowerCase()) || isSecretName(name);
    if (judged.size >= mostNames) judged.clear();
    judged.set(name, found);
    return found;
  };
  const blanks = new Map<string, Blank>();
  const seen = new Set<string>();

  const add = (key: string, name: string): void => {
    const isSure = names.has(name) || name.endsWith('authorization');
    if (!isSure && key.length < shortestGuess) return;
    if (key === '' || key === redactedKey || blanks.has(key)) return;
    const [oldest] = blanks.size >= mostKeys ? blanks.keys() : [];
    if (oldest !== undefined) blanks.delete(oldest);
    blanks.set(key, createBlank(key));
  };
  const noteFields = (headers: RecordedHeaders): void => {
    for (const [name, value] of headers) {
      if (!isSecret(name) || seen.has(value)) continue;
      if (seen.size > mostKeys) seen.clear();
      seen.add(value);
      for (const key of keysOf(name.toLowerCase(), value)) add(key, name.toLowerCase());
    }
  };
  const redactMarked = (text: string): Redacted => redactKeys(text, blanks.values());
  const redact: Redact = (text) => redactMarked(text).text;
  return {
    note: ({ request, response }) => {
      noteFields(request.headers);
      if (response !== undefined) noteFields(response.headers);
      const [, query = ''] = request.url.split('?');
      if (query !== '')
        for (const [name, value] of new URLSearchParams(query))
          if (isSecret(name)) add(value, name.toLowerCase());
    },
    redact,
    redactMarked,
    isSecret,
    redactHeaders: (headers) =>
      headers.map(
        ([name, value]) => [redact(name), isSecret(name) ? redactedKey : redact(value)] as const,
      ),
    redactTarget: (target) => {
      const [path = '', ...rest] = target.split('?');
      const query = rest
        .join('?')
        .split('&')
        .map((pair) => {
          const name = pair.slice(0, Math.max(0, pair.indexOf('=')));
          return isSecret(decodePercent(name) ?? name) ? `${name}=${redactedKey}` : pair;
        })
        .join('&');
      return redact(rest.length === 0 ? path : `${path}?${query}`);
    },
  };
}

/** The keys in the value of a field: the token behind a scheme, user and password, cookies. */
function keysOf(name: string, value: string): readonly string[] {
  if (name === 'cookie' || name.startsWith('set-cookie'))
    return readCookies(value)
      .slice(0, name === 'cookie' ? undefined : 1)
      .map(([, text]) => text);
  const [, scheme = '', rest = ''] = /^\s*(\S+)\s+(\S.*)$/.exec(value) ?? [];
  if (scheme === '') return [value.trim()];
  if (scheme.toLowerCase() !== 'basic') return [rest.trim()];
  const [user = '', ...password] = Buffer.from(rest, 'base64').toString().split(':');
  return [rest.trim(), password.join(':') === '' ? user : password.join(':')];
}
