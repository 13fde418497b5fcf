import { keywordOf } from '../../schema/keywords.ts';
import { parseForm, type Form } from './form.ts';

type ValueKind = NonNullable<ReturnType<typeof keywordOf>>['takes'];

const byKind = {
  schema: parseForm('Schema'),
  schemas: parseForm('[Schema]'),
  'schema-map': parseForm('{Schema}'),
  'pattern-map': parseForm('{Schema}'),
  types: parseForm('data'),
  number: parseForm('number'),
  'positive number': parseForm('number'),
  count: parseForm('number'),
  flag: parseForm('flag'),
  text: parseForm('text'),
  pattern: parseForm('text'),
  names: parseForm('[text]'),
  'names-map': parseForm('{[text]}'),
  values: parseForm('[data]'),
  value: parseForm('data'),
  object: parseForm('{data}'),
  unsupported: parseForm('data'),
} satisfies Readonly<Record<ValueKind, Form>>;

const byName = new Map([
  ['discriminator', parseForm('Discriminator')],
  ['externalDocs', parseForm('ExternalDocs')],
  ['nullable', parseForm('flag')],
  // Flags in OpenAPI 3.0.
  ['exclusiveMinimum', parseForm('data')],
  ['exclusiveMaximum', parseForm('data')],
  // No keyword any more, and still where some documents keep schemas.
  ['definitions', parseForm('{Schema}')],
]);

/** What a keyword of a schema takes; undefined for what is no keyword. */
export function schemaMemberForm(name: string): Form | undefined {
  const kind = keywordOf(name)?.takes;
  return byName.get(name) ?? (kind === undefined ? undefined : byKind[kind]);
}
