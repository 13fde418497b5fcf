import type { Limit } from './limit.ts';

/** What a document may cost whoever loads it, generates from it and validates by it. */
export const documentLimits = {
  patternLength: {
    most: 65_536,
    unit: 'characters',
    what: 'A pattern',
    over: 'It is left out, with a diagnostic.',
  },
  patternDepth: {
    most: 250,
    unit: 'levels',
    what: 'Groups of a pattern within groups',
    over: 'It is left out, with a diagnostic.',
  },
  patternSteps: {
    most: 2 ** 25,
    unit: 'steps',
    what: 'Matching a text with a pattern',
    over: 'Nothing is refused for what the pattern says of that text; of a response, or of a request of a client that is judged, its requirements are not tested, and the run is inconclusive unless something failed.',
  },
  patternStates: {
    most: 10_000,
    unit: 'count',
    what: 'States of a pattern that is matched in linear time, its quantifiers counted out',
    over: 'It is matched by backtracking, as far as the steps go.',
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
    what: 'Lists and objects of a document within each other',
    over: 'What is deeper is left out, with an error at its place; a YAML text is refused where it is deeper than its parser takes.',
  },
  values: {
    most: 1_000_000,
    unit: 'count',
    what: 'Values of a document, its aliases resolved',
    over: 'The document is refused.',
  },
  members: {
    most: 100_000,
    unit: 'members',
    what: 'Items of a list, or members of an object, of a document',
    over: 'The schema that they belong to takes any value; of other lists and objects those beyond are left out. An error tells the place.',
  },
  overlayTarget: {
    most: 10_000,
    unit: 'characters',
    what: 'The target of an action of an overlay',
    over: 'The overlay is refused.',
  },
  overlaySteps: {
    most: 20_000_000,
    unit: 'steps',
    what: 'Values that the targets of all overlays of a document look at, one step each',
    over: 'The action is left out, with an error at its place.',
  },
  overlayValues: {
    most: 200_000,
    unit: 'count',
    what: 'Values that all overlays of a document add to it',
    over: 'The action is left out, with an error at its place; so it is where it would nest the document deeper than it may be.',
  },
  overlayText: {
    most: 64 * 1024 * 1024,
    unit: 'characters',
    what: 'Texts and names that overlays add to a document',
    over: 'The action is left out, with an error at its place.',
  },
  diagnostics: {
    most: 2_000,
    unit: 'count',
    what: 'Faults of a document that are told',
    over: 'The others are counted.',
  },
  branches: {
    most: 1_000,
    unit: 'count',
    what: 'Schemas in one `allOf`, `anyOf` or `oneOf`',
    over: 'The keyword is left out, with an error at its place.',
  },
  schemaSteps: {
    most: 10_000,
    unit: 'steps',
    what: 'Schemas that judge one value by references and by keywords such as `allOf`, one after another',
    over: 'The keywords that lead to them are left out, with an error at their place.',
  },
  sampleItems: {
    most: 1_000,
    unit: 'items',
    what: 'Items of a generated list',
    over: 'The list has fewer items than its schema wants, which is told; the suite sends none.',
  },
  sampleMembers: {
    most: 1_000,
    unit: 'members',
    what: 'Members of a generated object that are not required',
    over: 'The object has the first of them, and all that are required, which is told.',
  },
  sampleText: {
    most: 1024 * 1024,
    unit: 'characters',
    what: 'A generated text',
    over: 'The text is shorter than its schema wants, which is told; the suite sends none.',
  },
  sampleTexts: {
    most: 4 * 1024 * 1024,
    unit: 'characters',
    what: 'The long texts of one generated value, all together and with those that are tried',
    over: 'The texts that come after are as short as if they had no minimum, which is told; the suite sends none.',
  },
  sampleBody: {
    most: 2 * 1024 * 1024,
    unit: 'characters',
    what: 'A body that the suite sends, at its smallest, with 16 characters for each value in it',
    over: 'The suite sends none.',
  },
  sampleHeader: {
    most: 8192,
    unit: 'characters',
    what: 'A generated header of a response',
    over: 'The mock sends its responses without that header, which is told: clients take no longer ones.',
  },
  brokenBodies: {
    most: 16 * 1024 * 1024,
    unit: 'characters',
    what: 'Bodies that break the schema of one operation in one way each, all together',
    over: 'No more are made: what they would show is not tested.',
  },
  judgementSteps: {
    most: 20_000,
    unit: 'steps',
    what: 'References that are followed to judge one value, or 200 for each value in it where that is more',
    over: 'Nothing is refused for what the schema says of that value, and an error tells the schema; of a response, or of a request of a client that is judged, its requirements are not tested, and the run is inconclusive unless something failed.',
  },
} as const satisfies Readonly<Record<string, Limit>>;
