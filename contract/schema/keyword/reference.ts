import type { Keyword } from './keyword.ts';

/** JSON Schema Core, section 8. `$defs` asserts nothing: references name pointers. */
export const references: readonly Keyword[] = [
  {
    name: '$ref',
    takes: 'text',
    judge: (place) => place.reference(place.text),
  },
  { name: '$defs', takes: 'schema-map', effect: 'information' },
  { name: '$vocabulary', takes: 'object', effect: 'information' },
  { name: '$id', takes: 'unsupported', effect: 'information' },
  { name: '$anchor', takes: 'unsupported', effect: 'information' },
  { name: '$dynamicRef', takes: 'unsupported', effect: 'information' },
  { name: '$dynamicAnchor', takes: 'unsupported', effect: 'information' },
];
