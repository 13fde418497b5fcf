import {
  type Contract,
  type Operation,
  isCredential,
  isJsonObject,
  renderCredential,
} from '../../../contract/index.ts';
import { planWord } from '../../sandbox/keyring.ts';
import type { MockKey } from '../../sandbox/mock-keys.ts';
import { renderInstant } from '../json/instant.ts';
import type { Mock } from '../declaration/schemas.ts';

/** What is known of a mock that its document does not say. */
export interface MockFacts {
  /** Another with every start. */
  readonly instance: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Scheme and host by which a request reached it. */
  readonly origin: string;
  /** The report whose choices it makes; undefined for none. */
  readonly like: string | undefined;
  /** Conformance runs can be started from it. */
  readonly judges: boolean;
  /** The library that shows the document in the page. */
  readonly reference: { readonly available: boolean; readonly package: string };
}

/** What is mocked, and where. */
export function describeMock(
  { contract, keys }: { readonly contract: Contract; readonly keys: readonly MockKey[] },
  { instance, startedAt, origin, like, judges, reference }: MockFacts,
): Mock {
  const { title, version, source, basePath, operations, openQuestions } = contract;
  const isOpen = operations.every(({ security }) => security.flat().length === 0);
  return {
    instance,
    startedAt: renderInstant(startedAt),
    url: origin + basePath,
    document: { title, version, summary: summaryOf(contract), source },
    links: {
      page: `${origin}/_mock/`,
      control: `${origin}/_mock/openapi.yaml`,
      yaml: `${origin}/openapi.yaml`,
      json: `${origin}/openapi.json`,
      health: `${origin}/_mock/health`,
    },
    keys: isOpen ? [] : keys,
    ownKey: isOpen ? undefined : ownKey(keys),
    like,
    operations: operations.map(describeOperation),
    questions: openQuestions.map(({ id, question, at, choices, default: usual }) => ({
      id,
      question,
      pointer: at,
      default: usual,
      choices: choices.map((choice) => ({ id: choice.id, description: choice.description })),
    })),
    conformance: judges,
    reference,
  };
}

function summaryOf({ document: { info } }: Contract): string | undefined {
  const summary = isJsonObject(info) ? info['summary'] : undefined;
  return typeof summary === 'string' ? summary : undefined;
}

function ownKey([first]: readonly MockKey[]): string {
  const word = planWord(first?.plan ?? '');
  return word === '' ? 'alice' : `${word}_alice`;
}

function describeOperation(operation: Operation): Mock['operations'][number] {
  const { id, method, path, summary, pointer, deprecation } = operation;
  const { sunset } = deprecation ?? {};
  return {
    id,
    method,
    path,
    summary,
    pointer,
    deprecated: deprecation !== undefined,
    removedAt: sunset === undefined ? undefined : new Date(sunset).toISOString(),
    credentials: credentialsOf(operation),
  };
}

/** Where a key goes by the first alternative of the document. */
function credentialsOf({
  security: [schemes = []],
}: Operation): Mock['operations'][number]['credentials'] {
  return schemes.filter(isCredential).flatMap((scheme) => {
    if (scheme.kind === 'basic')
      return [{ in: 'header', name: 'Authorization', value: 'Basic {basic}' }];
    const field = renderCredential(scheme, '{key}');
    return field === undefined ? [] : [{ in: field.in, name: field.name, value: field.value }];
  });
}
