import type { Operation } from '../openapi/operation.ts';
import type { RequirementDraft } from './requirement.ts';

/** What an operation that wants a key answers without the right one. */
export function* listAuthRequirements({ id, credential }: Operation): Generator<RequirementDraft> {
  if (credential.kind === 'none') return;
  for (const [facet, request] of [
    ['missing', 'without a key'],
    ['invalid', 'with an invalid key'],
  ] as const) {
    yield {
      operation: id,
      subject: { kind: 'auth', facet },
      sentence: `${id} answers 401 to a request ${request}.`,
      pointer: credential.pointer,
    };
  }
}

/** What the service takes for a key. */
export function* listKeyRequirements(
  operations: readonly Operation[],
): Generator<RequirementDraft> {
  const credential = operations.find((each) => each.credential.kind !== 'none')?.credential;
  if (credential === undefined || credential.kind === 'none') return;
  const of = { operation: '*', pointer: credential.pointer };
  yield {
    ...of,
    subject: { kind: 'auth', facet: 'exact' },
    sentence:
      'A key is valid as a whole and to the letter: one that is cut, longer or in another case is answered 401.',
  };
  if (credential.kind !== 'bearer') return;
  yield {
    ...of,
    subject: { kind: 'auth', facet: 'scheme' },
    sentence: 'A key that is not sent as a bearer token is answered 401.',
  };
}
