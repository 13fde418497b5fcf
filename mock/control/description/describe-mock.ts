import type { Contract } from '../../../contract/contract.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { isCredential, renderCredential } from '../../../contract/openapi/credential.ts';
import { isJsonObject } from '../../../contract/json/value.ts';
import { renderInstant } from '../../http/field.ts';
import { planPrefix, type MockKey } from '../../sandbox/keyring.ts';
import type { Mock } from '../declaration/schemas.ts';

/** Facts about a mock that are not in its document. */
export interface MockFacts extends Pick<Mock, 'instance' | 'like' | 'conformance'> {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Scheme and host that a request was sent to. */
  readonly origin: string;
}

/** What is mocked, and where. */
export function describeMock(
  { contract, keys }: { readonly contract: Contract; readonly keys: readonly MockKey[] },
  { startedAt, origin, ...facts }: MockFacts,
): Mock {
  const { title, version, source, basePath, operations, openQuestions, document } = contract;
  const { info } = document;
  const summary = isJsonObject(info) ? info['summary'] : undefined;
  const isOpen = operations.every(({ security }) => security.flat().length === 0);
  const word = planPrefix(keys[0]?.plan ?? '');
  return {
    ...facts,
    startedAt: renderInstant(startedAt),
    url: origin + basePath,
    document: {
      title,
      version,
      summary: typeof summary === 'string' ? summary : undefined,
      source,
    },
    links: {
      page: `${origin}/_mock/`,
      control: `${origin}/_mock/openapi.yaml`,
      yaml: `${origin}/openapi.yaml`,
      json: `${origin}/openapi.json`,
      health: `${origin}/_mock/health`,
    },
    keys: isOpen ? [] : keys,
    ownKey: isOpen ? undefined : word === '' ? 'alice' : `${word}_alice`,
    operations: operations.map(describeOperation),
    questions: openQuestions.map(({ at, ...question }) => ({ ...question, pointer: at })),
  };
}

function describeOperation(operation: Operation): Mock['operations'][number] {
  const { id, method, path, summary, pointer, deprecation, security } = operation;
  const { sunset } = deprecation ?? {};
  // By the first alternative of the document.
  const schemes = (security[0] ?? []).filter(isCredential);
  return {
    id,
    method,
    path,
    summary,
    pointer,
    deprecated: deprecation !== undefined,
    removedAt: sunset === undefined ? undefined : new Date(sunset).toISOString(),
    credentials: schemes.flatMap((scheme) => {
      if (scheme.kind === 'basic')
        return [{ in: 'header', name: 'Authorization', value: 'Basic {basic}' }];
      return renderCredential(scheme, '{key}') ?? [];
    }),
  };
}
