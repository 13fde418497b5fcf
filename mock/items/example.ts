import { type JsonValue, isJsonObject } from '../../contract/json/value.ts';
import type { MediaType } from '../../contract/openapi/media-type.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import {
  type ResponseContract,
  successResponse,
  successStatus,
} from '../../contract/openapi/response.ts';
import { membersOf } from '../../contract/resource/item-view.ts';
import { headerText } from '../http/message.ts';
import { argumentKey } from '../http/parameter-text.ts';
import { layOver } from './view/item-view.ts';
import { type Action, type Input, success } from '../operation/response/outcome.ts';
import {
  chooseContent,
  renderBody,
  typeOf,
  valueOf,
} from '../operation/response/representation.ts';

/**
 * Answers the first example of the document, else a sample of the schema, with the path's values; in
 * the media type that the request asks for.
 */
export function compileExample(operation: Operation, basePath = ''): Action {
  const response = successResponse(operation);
  const status = successStatus(operation);
  const contents = response?.content ?? [];
  const location =
    response !== undefined && status >= 300 && status < 400
      ? redirectLocation(response, basePath)
      : undefined;
  const facts = location === undefined ? undefined : { location };
  const known = new Map<MediaType, Known>();
  return (input, { request }) => {
    const content = chooseContent(contents, headerText(request.headers, 'accept'));
    if (content === undefined) return success(status, '', facts);
    const { value, names } = known.get(content) ?? {
      value: valueOf(content),
      names: inPath(operation, content),
    };
    known.set(content, { value, names });
    const shown = names.length === 0 ? value : withPathValues(value, content, names, input);
    return { ...success(status, renderBody(shown, content), facts), mediaType: typeOf(content) };
  };
}

/** What a content shows, made when it is first asked for. */
interface Known {
  readonly value: JsonValue;
  readonly names: readonly PathMember[];
}

/** Where a redirection leads: the root of the service, in the form that the document wants. */
function redirectLocation({ headers }: ResponseContract, basePath: string): string | undefined {
  const schema = headers.find(({ name }) => name.toLowerCase() === 'location')?.schema;
  const places = [`${basePath}/`, 'https://example.org/'];
  return places.find((place) => (schema?.validate(place).length ?? 0) === 0);
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
