import type { JsonObject } from '../json/value.ts';

/** Words of a schema that version 2.0 has beside the name of a parameter or header, too. */
export const plainSchemaWords: readonly string[] = [
  'type',
  'format',
  'items',
  'default',
  'enum',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'multipleOf',
];

/** A parameter `in: formData`. */
export interface FormField {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: JsonObject;
}

/** The request body that a form with some fields is. */
export function formBody(
  fields: readonly FormField[],
  mediaTypes: readonly string[],
  encoding: JsonObject = {},
): JsonObject {
  const required = fields.filter((field) => field.isRequired).map(({ name }) => name);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, field.schema])),
    ...(required.length > 0 && { required }),
  };
  const media = { schema, ...(Object.keys(encoding).length > 0 && { encoding }) };
  return {
    required: required.length > 0,
    content: Object.fromEntries(mediaTypes.map((name) => [name, { ...media }])),
  };
}
