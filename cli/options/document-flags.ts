import type { FlagTable } from './flags.ts';

/** How a document is read, for commands that take one. */
export const documentFlags = {
  strict: {
    group: 'Document',
    help: 'Refuse a document that has an error. Default: leave out the parts with errors; the lint command lists them.',
  },
  allowFolder: {
    group: 'Document',
    value: '<folder>',
    many: true,
    help: 'Also follow references into this folder. Default: only the folder of the document. Can be repeated.',
  },
  overlay: {
    group: 'Document',
    value: '<file>',
    many: true,
    help: 'Apply this OpenAPI Overlay to the document first. Can be repeated.',
  },
  allowNetwork: { group: 'Document', help: 'Fetch references to http: and https: addresses.' },
} satisfies FlagTable;
