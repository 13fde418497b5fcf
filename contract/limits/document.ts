import type { Limit } from './limit.ts';

/** What a document may cost whoever loads it, generates from it and validates by it. */
export const documentLimits = {
  patternLength: {
    most: 65_536,
    unit: 'characters',
    what: 'A pattern',
  },
  patternDepth: {
    most: 250,
    unit: 'levels',
    what: 'Groups of a pattern within groups',
  },
  patternSteps: {
    most: 2 ** 25,
    unit: 'steps',
    what: 'Steps to match a text with a pattern',
  },
  patternStates: {
    most: 10_000,
    unit: 'count',
    what: 'States of a pattern that is matched in linear time, its quantifiers counted out',
  },
  bytes: {
    most: 64 * 1024 * 1024,
    unit: 'bytes',
    what: 'A document, or a file that it refers to',
    over: 'The file is not read.',
  },
  depth: {
    most: 500,
    unit: 'levels',
    what: 'Nesting of a document',
    over: 'Deeper parts are left out, with an error.',
  },
  values: {
    most: 1_000_000,
    unit: 'count',
    what: 'Values of a document, with its aliases resolved',
    over: 'The document is refused.',
  },
  members: {
    most: 100_000,
    unit: 'members',
    what: 'Items of a list, or members of an object, of a document',
    over: 'The schema accepts any value; other lists and objects are cut, with an error.',
  },
  diagnostics: {
    most: 2_000,
    unit: 'count',
    what: 'Errors of a document that are listed',
    over: 'The others are counted.',
  },
  diagnosticText: {
    most: 2_097_152,
    unit: 'characters',
    what: 'The reasons and places of the faults that are told, together',
  },
  branches: {
    most: 1_000,
    unit: 'count',
    what: 'Schemas in one `allOf`, `anyOf` or `oneOf`',
  },
  patterns: {
    most: 1_000,
    unit: 'count',
    what: 'Patterns in one `patternProperties`',
  },
  schemaSteps: {
    most: 10_000,
    unit: 'steps',
    what: 'Schemas that judge one value by references and by keywords such as `allOf`, one after another',
  },
  sampleItems: {
    most: 1_000,
    unit: 'items',
    what: 'Items of a generated list',
    over: 'The list is shorter than its schema wants, which is reported; the suite sends none.',
  },
  sampleMembers: {
    most: 1_000,
    unit: 'members',
    what: 'Members of a generated object that are not required',
  },
  sampleText: {
    most: 1024 * 1024,
    unit: 'characters',
    what: 'A generated text',
    over: 'The text is shorter than its schema wants, which is reported; the suite sends none.',
  },
  sampleBody: {
    most: 2 * 1024 * 1024,
    unit: 'characters',
    what: 'A body that the suite sends, at its smallest, with 16 characters for each value in it',
  },
  sampleHeader: {
    most: 8192,
    unit: 'characters',
    what: 'A generated header of a response',
  },
  sampleHeaders: {
    most: 8448,
    unit: 'characters',
    what: 'All headers of a response that are generated, with their names',
  },
  headerList: {
    most: 2304,
    unit: 'characters',
    what: 'A header of the mock that lists what the document has: names of headers for a browser, ways to authenticate',
  },
  brokenBodies: {
    most: 16 * 1024 * 1024,
    unit: 'characters',
    what: 'Bodies that break the schema of one operation in one way each, all together',
  },
  judgementSteps: {
    most: 200_000,
    unit: 'steps',
    what: 'Schemas that judge one value and what is in it; at least 500 per value in it',
    over: 'The schema is ignored for that value; the suite does not test it, and the run is inconclusive unless something failed.',
  },
} as const satisfies Readonly<Record<string, Limit>>;
