import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { keepItems, setMember } from '../../../json/edit.ts';
import { type Rule, warning } from '../../base/repair.ts';
import { wordOf } from '../../../json/word.ts';

/** Parameters `in: body` and `in: formData`, as version 2.0 describes a body. */
export const repairBodyParameters: Rule = (holder, place, repair) => {
  const { parameters } = holder;
  if (!isJsonArray(parameters)) return;
  const above = { parent: place, token: 'parameters' };
  const bodies = parameters.filter(isBody);
  if (bodies.length === 0) return;
  for (const [index, parameter] of parameters.entries()) {
    const at = { parent: above, token: index };
    repair.keepOrigin(parameter, at);
    if (!isBody(parameter)) continue;
    const reason = `in: ${wordOf(parameter['in'])} is a word of version 2.0`;
    repair.report(at, warning(reason, 'Describe it in requestBody; it is read so.'));
  }
  keepItems(
    parameters,
    parameters.filter((parameter) => !isBody(parameter)),
  );
  if (holder['requestBody'] !== undefined) return;
  const whole = bodies.find((parameter) => parameter['in'] === 'body');
  setMember(holder, 'requestBody', whole === undefined ? formOf(bodies) : bodyOf(whole));
};

function isBody(parameter: JsonValue): parameter is JsonObject {
  return isJsonObject(parameter) && ['body', 'formData'].includes(wordOf(parameter['in']));
}

function bodyOf({ schema = {}, required = false, description = '' }: JsonObject): JsonObject {
  return { description, required, content: { 'application/json': { schema } } };
}

function formOf(parameters: readonly JsonObject[]): JsonObject {
  const properties = parameters.map((parameter) => {
    const { in: _in, name = '', required: _required, schema, ...words } = parameter;
    return [wordOf(name), isJsonObject(schema) ? schema : words] as const;
  });
  const required = parameters
    .filter((parameter) => parameter['required'] === true)
    .map((parameter) => wordOf(parameter['name']));
  const schema = {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
  };
  const name = parameters.some(({ type }) => type === 'file')
    ? 'multipart/form-data'
    : 'application/x-www-form-urlencoded';
  return { required: required.length > 0, content: { [name]: { schema } } };
}
