import {
  type JsonValue,
  type MediaType,
  type Operation,
  isJsonMediaType,
  isJsonObject,
  membersOf,
  renderJson,
  sampleSchema,
  successOf,
  successStatusOf,
} from '../../../contract/index.ts';
import { argumentKey } from '../../http/parameter-text.ts';
import { layOver } from '../../inferred/view/overlay.ts';
import { type Action, type Input, success } from '../response/outcome.ts';

/** Answers the first example of the document, else a sample of the schema, with the path's values. */
export function compileExample(operation: Operation): Action {
  const response = successOf(operation);
  const status = successStatusOf(response);
  const contents = response?.content ?? [];
  const content = contents.find(({ mediaType }) => isJson(mediaType)) ?? contents[0];
  if (content === undefined) return () => success(status, '');
  let known: JsonValue | undefined;
  const names = inPath(operation, content);
  const { mediaType } = content;
  const type = mediaType.includes('*') ? 'application/json' : mediaType;
  return (input) => {
    known ??= exampleOf(content);
    const value = names.length === 0 ? known : withPathValues(known, content, names, input);
    const text = typeof value === 'string' && !isJson(type) ? value : renderJson(value);
    return { ...success(status, text), mediaType: type };
  };
}

/** Where no value fits the schema, the best that can be made. */
function exampleOf({ examples: [example], schema }: MediaType): JsonValue {
  if (example !== undefined) return example.value;
  return schema === undefined ? null : sampleSchema(schema, { direction: 'response' }).value;
}

interface PathMember {
  readonly name: string;
  readonly key: string;
}

/** Path parameters that the body has members of the same name for. */
function inPath({ parameters }: Operation, { schema }: MediaType): readonly PathMember[] {
  const members = schema === undefined ? undefined : membersOf(schema);
  return parameters.flatMap((parameter) =>
    parameter.in === 'path' && members?.has(parameter.name) === true
      ? [{ name: parameter.name, key: argumentKey(parameter) }]
      : [],
  );
}

function withPathValues(
  known: JsonValue,
  { schema }: MediaType,
  names: readonly PathMember[],
  { parameters }: Input,
): JsonValue {
  if (schema === undefined || !isJsonObject(known)) return known;
  const layers = names.flatMap(({ name, key }) => {
    const value = parameters.get(key);
    return value === undefined ? [] : [{ name, value }];
  });
  return layOver(known, [], layers, schema);
}

function isJson(mediaType: string): boolean {
  return isJsonMediaType(mediaType) || mediaType.includes('*');
}
