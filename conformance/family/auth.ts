import type { Operation } from '../../contract/openapi/operation.ts';
import { type Drafts, draftsOf } from '../judge/trace/requirement.ts';

export function* listAuthRequirements(operation: Operation): Drafts {
  const { id, credential } = operation;
  if (credential.kind === 'none' || !announcesDenial(operation)) return;
  const draft = draftsOf({ id, pointer: credential.pointer });
  const refusal = `${id} returns 401 for a request`;
  yield draft({ kind: 'auth', facet: 'missing' }, `${refusal} without a key.`);
  yield draft({ kind: 'auth', facet: 'invalid' }, `${refusal} with an invalid key.`);
}

export function* listKeyRequirements(operations: readonly Operation[]): Drafts {
  const credential = operations.find(announcesDenial)?.credential;
  if (credential === undefined || credential.kind === 'none') return;
  const draft = draftsOf({ id: '*', pointer: credential.pointer });
  yield draft(
    { kind: 'auth', facet: 'exact' },
    'Only the exact key is valid: a key that is cut off, longer or in another case gets a 401.',
  );
  if (credential.kind === 'bearer')
    yield draft(
      { kind: 'auth', facet: 'scheme' },
      'A key that is not sent as a bearer token gets a 401.',
    );
}

/** Whether the document says what a caller without a valid key gets. */
export function announcesDenial({ responses, security, credential }: Operation): boolean {
  if (credential.kind === 'none') return false;
  // With mutual TLS, the connection itself identifies the caller.
  if (security.some((schemes) => schemes.every(({ kind }) => kind === 'mutual-tls'))) return false;
  return responses.some(({ status }) => /^(401|403|4XX|default)$/i.test(status));
}
