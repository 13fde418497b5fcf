import type { Keyword } from './keyword.ts';

/** JSON Schema Validation, sections 8 and 9, and the base vocabulary of OpenAPI 3.1. */
export const annotations: readonly Keyword[] = [
  { name: 'title', takes: 'text', effect: 'annotation' },
  { name: 'summary', takes: 'text', effect: 'annotation' },
  { name: 'description', takes: 'text', effect: 'annotation' },
  { name: '$comment', takes: 'text', effect: 'annotation' },
  { name: '$schema', takes: 'text', effect: 'annotation' },
  { name: 'externalDocs', takes: 'object', effect: 'annotation' },
  { name: 'xml', takes: 'object', effect: 'annotation' },
  { name: 'deprecated', takes: 'flag', effect: 'annotation' },
  { name: 'example', takes: 'value', effect: 'annotation' },
  { name: 'examples', takes: 'values', effect: 'annotation' },
  { name: 'default', takes: 'value', effect: 'information' },
  { name: 'readOnly', takes: 'flag', effect: 'information' },
  { name: 'writeOnly', takes: 'flag', effect: 'information' },
  { name: 'contentEncoding', takes: 'text', effect: 'information' },
  { name: 'contentMediaType', takes: 'text', effect: 'information' },
  { name: 'contentSchema', takes: 'schema', effect: 'information' },
  { name: 'discriminator', takes: 'object', effect: 'information' },
];
