import type { ErrorShape } from '../openapi/error-shape.ts';
import type { Operation } from '../openapi/operation.ts';
import type { RateLimitPolicy } from '../openapi/rate-limit.ts';
import type { ResponseContract } from '../openapi/response.ts';
import { listBodyFacets, nameMember } from './body-facet.ts';
import type { BodySubject, RequirementDraft } from './requirement.ts';

/** The content type of a response, its whole body, and each facet of each member. */
export function* listBodyRequirements(
  operation: Operation,
  { status, content }: ResponseContract,
): Generator<RequirementDraft> {
  const [media] = content;
  if (!media) return;
  const response = `${status} of ${operation.id}`;
  const draft = (
    subject: BodySubject,
    sentence: string,
    pointer = media.pointer,
  ): RequirementDraft => ({ operation: operation.id, subject, sentence, pointer });
  const types = content.map((each) => each.mediaType).join(' or ');
  yield draft(
    { kind: 'body', part: 'content-type', status },
    `A ${response} has the content type ${types}.`,
  );
  yield draft(
    { kind: 'body', part: 'whole', status },
    `The body of a ${response} is a JSON text that fits its schema.`,
  );
  if (!media.schema) return;
  for (const { path, facet, demand, pointer } of listBodyFacets(media.schema)) {
    yield draft(
      { kind: 'body', part: 'member', status, path, facet },
      `In a ${response}, ${nameMember(path)} ${demand}.`,
      pointer,
    );
  }
}

/** The headers of a response that the document requires, and those of the rate limit. */
export function* listHeaderRequirements(
  { id }: Operation,
  { status, headers }: ResponseContract,
  rateLimit: RateLimitPolicy | undefined,
): Generator<RequirementDraft> {
  const counted = Object.values(rateLimit?.headers ?? {}).map((name) => String(name).toLowerCase());
  for (const { name, required, pointer } of headers) {
    if (!required && !counted.includes(name.toLowerCase())) continue;
    const sentence = `A ${status} of ${id} carries the header ${name}, in the form that the document gives.`;
    yield { operation: id, subject: { kind: 'header', status, name }, sentence, pointer };
  }
}

/** The bodies of errors whose status an operation does not list. */
export function* listErrorRequirements(error: ErrorShape | undefined): Generator<RequirementDraft> {
  if (!error) return;
  const rest = 'An error response of a status that the operation does not list';
  for (const [facet, demand] of [
    ['shape', 'has the error shape too'],
    ['status', 'names its HTTP status in the body too'],
  ] as const) {
    yield {
      operation: '*',
      subject: { kind: 'body', part: 'error', facet },
      sentence: `${rest} ${demand}.`,
      pointer: error.schema.pointer,
    };
  }
}
