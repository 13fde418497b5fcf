import type { Operation } from '../openapi/operation.ts';
import type { ResponseContract } from '../openapi/response.ts';
import { isReachable } from './reachable-responses.ts';
import { jsonContent } from '../openapi/media-type.ts';
import { listBodyFacets, nameMember } from './body-facet.ts';
import { type ContractParts, type Drafts, draftsOf } from './requirement.ts';

/** The content type of a response, its whole body, and each facet of each member. */
export function* listBodyRequirements(
  operation: Operation,
  { status, content }: ResponseContract,
  context: ContractParts,
): Drafts {
  if (!isReachable(operation, status, context)) return;
  const { id, method } = operation;
  const [first] = content;
  if (!first || method === 'HEAD' || /^(204|205|304)$/.test(status)) return;
  const json = jsonContent(content);
  const media = json ?? first;
  const response = `${status} from ${id}`;
  const draft = draftsOf({ id, pointer: media.pointer });
  const types = content.map((each) => each.mediaType).join(' or ');
  yield draft(
    { kind: 'body', part: 'content-type', status },
    `A ${response} has the content type ${types}.`,
  );
  if (!json) {
    if (first.itemSchema !== undefined)
      yield draft(
        { kind: 'body', part: 'whole', status },
        `Each item in the stream of a ${response} matches its schema.`,
      );
    return;
  }
  yield draft(
    { kind: 'body', part: 'whole', status },
    `The body of a ${response} is valid JSON and matches its schema.`,
  );
  for (const { path, facet, demand, pointer } of listBodyFacets(json.schema, 'response', status)) {
    yield draft(
      { kind: 'body', part: 'member', status, path, facet },
      `In a ${response}, ${nameMember(path)} ${demand}.`,
      pointer,
    );
  }
}

/** Whatever a document describes, and no request of the suite asks for. */
export function* listUnreachableRequirements(
  operations: readonly Operation[],
  context: ContractParts,
): Drafts {
  const unasked = operations.flatMap((operation) =>
    operation.responses.filter(
      ({ status, content }) => content.length > 0 && !isReachable(operation, status, context),
    ),
  );
  const [first] = unasked;
  if (first === undefined) return;
  yield draftsOf({ id: '*', pointer: first.pointer })(
    { kind: 'body', part: 'error', facet: 'listed' },
    'A response that no request provokes, such as 403 or 500, matches its description in the document.',
  );
}

/**
 * The bodies of errors whose status an operation does not list: recommended only, unless all
 * errors of the document have that shape, or it lists all that it leaves open.
 */
export function* listErrorRequirements({ error, openQuestions }: ContractParts): Drafts {
  if (error === undefined) return;
  const { pointer } = error.schema;
  const level = openQuestions.length > 0 || error.isShared ? 'must' : 'should';
  const rest = 'An error response with a status that the operation does not list also has';
  const sentences = { shape: 'the error shape', status: 'that status in its body' } as const;
  for (const facet of ['shape', 'status'] as const)
    yield draftsOf({ id: '*', pointer })(
      { kind: 'body', part: 'error', facet },
      `${rest} ${sentences[facet]}.`,
      pointer,
      level,
    );
}
