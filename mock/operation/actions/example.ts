import { type JsonObject, type Operation, renderJson } from '../../../contract/index.ts';
import { successResponse, successStatus } from '../response/documented.ts';
import { type Action, success } from '../response/outcome.ts';
import { refuse } from '../response/refusal.ts';
import type { Sampler } from './sampler.ts';

/** Answers the first example of the document, else a sample of the schema. */
export function compileExample(
  operation: Operation,
  document: JsonObject,
  sampler: () => Sampler | undefined,
): Action {
  const [content] = successResponse(operation)?.content ?? [];
  const status = successStatus(operation);
  if (content === undefined) return () => success(status, '');
  const [example] = content.examples;
  if (example !== undefined) {
    const body = renderJson(example.value);
    return () => success(status, body);
  }
  return () => {
    const { schema } = content;
    const sample = schema === undefined ? null : sampler()?.(schema.schema, document);
    if (sample === undefined || (schema?.validate(sample).length ?? 0) > 0) {
      return refuse(
        'no_response_known',
        `The document has no example for ${operation.id}, and no sample of its schema could be made.`,
      );
    }
    return success(status, renderJson(sample));
  };
}
