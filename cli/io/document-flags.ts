import type { FlagTable } from './flags.ts';

/** How a document is read, for commands that take one. */
export const documentFlags = {
  strict: {
    help: 'Refuse a document with any error. Default: the parts at fault are left out; petstore lint lists them.',
  },
  allowFolder: {
    value: '<folder>',
    many: true,
    help: 'Follow references of the document into this folder too. Default: its own folder only. May be repeated.',
  },
  overlay: {
    value: '<file>',
    many: true,
    help: 'Change the document by this OpenAPI Overlay before it is read (docs/overlay.md). May be repeated.',
  },
  allowNetwork: { help: 'Fetch what the document refers to by http: and https:.' },
} satisfies FlagTable;
