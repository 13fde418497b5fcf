import { isJsonArray, isJsonObject, type JsonValue } from '../../../contract/json/value.ts';
import type { Parameter } from '../../../contract/openapi/parameter.ts';
import type { SchemaNode } from '../../../contract/schema/schema-node.ts';
import { isValid, plainValues } from '../../generate/plain-value.ts';
import { once } from '../../memo/once.ts';
import {
  renderHeaderParameter,
  renderPathParameter,
  renderQueryParameter,
  renderQueryString,
} from './render.ts';

/**
 * An ordinary value that a parameter takes and that its place in a request can carry: an example of
 * the document, else one made from the schema. Undefined where none is found.
 */
export const validParameterValue = once((parameter: Parameter): JsonValue | undefined => {
  const { schema, examples } = parameter;
  const fits = (value: JsonValue): boolean => isCarried(parameter, value) && isValid(schema, value);
  for (const { value } of examples) if (isCarried(parameter, value)) return value;
  for (const value of plainValues(schema, membersOf(schema))) if (fits(value)) return value;
  return undefined;
});

/** Characters of a parameter in an address: servers refuse longer addresses. */
const longest = 4000;

/** A parameter without any member is none: where none is required, all are given. */
function membersOf(schema: SchemaNode): 'all' | 'required' {
  const { types, properties, required } = schema.shape();
  const mayBeEmpty = types.includes('object') && properties.size > 0 && required.size === 0;
  return mayBeEmpty ? 'all' : 'required';
}

/** Whether the place of a parameter can carry a value, so that it reads back as it was. */
export function isCarried(parameter: Parameter, value: JsonValue): boolean {
  if (isEmpty(value) || (value === null && parameter.mediaType === undefined)) return false;
  switch (parameter.in) {
    case 'path':
      return !/^(\.|\.\.|)$/.test(renderPathParameter(parameter, value));
    case 'header':
      // A field value has visible characters, blanks only inside (RFC 9110 section 5.5).
      return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(
        renderHeaderParameter(parameter, value),
      );
    case 'cookie':
    case 'query':
    case 'querystring': {
      const render = parameter.in === 'querystring' ? renderQueryString : renderQueryParameter;
      const { length } = render(parameter, value);
      return length > 0 && length <= longest;
    }
  }
}

function isEmpty(value: JsonValue): boolean {
  if (isJsonArray(value)) return value.length === 0 || value.some(isEmpty);
  return isJsonObject(value) ? Object.keys(value).length === 0 : value === '';
}
