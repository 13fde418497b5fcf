import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { setMember } from '../json/edit.ts';
import { listReferences } from '../source/references.ts';
import {
  isJsonArray,
  isJsonObject,
  parseJson,
  type JsonObject,
  type JsonValue,
} from '../json/value.ts';
import { readValueLines } from '../../test/contract/value-lines.ts';
import { soundRegistry } from '../../test/contract/registry.ts';

/**
 * The JSON-Schema-Test-Suite (github.com/json-schema-org/JSON-Schema-Test-Suite), which is not part
 * of this project: a folder beside the project's, or the one that the variable names.
 */
const suite =
  process.env['JSON_SCHEMA_TEST_SUITE'] ??
  join(import.meta.dirname, '../../../shared/json-schema-test-suite');

const folders = [
  'draft2020-12',
  'draft2020-12/optional',
  'draft2020-12/optional/format',
  'draft4',
  'draft4/optional',
  'draft4/optional/format',
];

const openapi = { 'draft2020-12': '3.1.0', draft4: '3.0.3' };

describe.skipIf(!existsSync(suite))(
  'JSON-Schema-Test-Suite, skipped where its folder is not',
  () => {
    test.each(folders)('%s: all cases pass but those that are named', (folder) => {
      const { cases, failed } = runFolder(folder);
      expect(cases).toBeGreaterThan(0);
      expect(failed).toEqual(notTaken().get(folder) ?? []);
    });

    test('every skipped case has a reason and a folder', () => {
      expect([...notTaken().keys()].filter((folder) => !folders.includes(folder))).toEqual([]);
    });
  },
);

/**
 * The cases that are not taken, by folder, in the order of the alphabet. The file has a line
 * `because <reason>` before the lines `<folder> <file>: <group>` or `<folder> <file>: <group> |
 * <case>` that it is the reason of.
 */
function notTaken(): ReadonlyMap<string, readonly string[]> {
  const lines = readValueLines('json-schema-test-suite');
  if (lines[0]?.startsWith('because ') !== true) throw new Error('a case without a reason');
  const cases = lines.filter((line) => !line.startsWith('because ')).toSorted();
  return Map.groupBy(cases, (line) => line.slice(0, line.indexOf(' ')));
}

/** The groups whose schema is refused, and the cases with another outcome, as the file has them. */
function runFolder(folder: string): { readonly cases: number; readonly failed: string[] } {
  const failed: string[] = [];
  let cases = 0;
  const names = readdirSync(join(suite, 'tests', folder)).filter((name) => name.endsWith('.json'));
  for (const name of names) {
    for (const group of objectsOf(readSuite(`tests/${folder}/${name}`))) {
      const at = `${folder} ${name.replace('.json', '')}: ${textOf(group['description'])}`;
      const tests = objectsOf(group['tests']);
      cases += tests.length;
      const validate = compileGroup(group['schema'] ?? null, folder);
      try {
        const wrong = tests.filter(({ data, valid }) => validate(data ?? null) !== valid);
        failed.push(...wrong.map(({ description }) => `${at} | ${textOf(description)}`));
      } catch {
        failed.push(at);
      }
    }
  }
  return { cases, failed: failed.toSorted() };
}

/** The schema within a document, as a document of OpenAPI holds it. Throws if it is refused. */
function compileGroup(schema: JsonValue, folder: string): (value: JsonValue) => boolean {
  const draft = folder.startsWith('draft4') ? 'draft4' : 'draft2020-12';
  const files = new Map<string, JsonValue>();
  const root = embed(schema, '#/schema', draft, files);
  const members = Object.fromEntries(files);
  const document = { openapi: openapi[draft], ...root, 'x-files': members };
  const registry = soundRegistry(document, 'suite');
  return (value) => registry.node('#/schema').validate(value).length === 0;
}

/**
 * References as a bundled document has them: those to `http://localhost:1234/` lead to the remote
 * schemas of the suite under `x-files`. Definitions of draft 4 stand beside the schema, as they do
 * in a document of OpenAPI 3.0, whose schemas have none.
 */
function embed(
  schema: JsonValue,
  own: string,
  draft: string,
  files: Map<string, JsonValue>,
): { readonly schema: JsonValue; readonly definitions?: JsonValue } {
  if (!isJsonObject(schema)) return { schema };
  const localReference = (reference: string): string => {
    if (reference.startsWith('#/definitions/') && draft === 'draft4' && own === '#/schema')
      return reference;
    if (reference.startsWith('#')) return own + reference.slice(1);
    const remote = /^http:\/\/localhost:1234\/([^#]*)#?(.*)$/.exec(reference);
    const [, file = '', fragment = ''] = remote ?? [];
    if (file === '' || !existsSync(join(suite, 'remotes', file))) return reference;
    const home = `#/x-files/${file.replaceAll('/', '~1')}`;
    if (!files.has(file)) {
      files.set(file, true);
      files.set(file, embed(readSuite(`remotes/${file}`), home, draft, files).schema);
    }
    return home + fragment;
  };
  const local = structuredClone(schema);
  for (const { holder, text } of listReferences(local))
    setMember(holder, '$ref', localReference(text));
  if (draft !== 'draft4' || own !== '#/schema' || local['definitions'] === undefined)
    return { schema: local };
  const { definitions, ...rest } = local;
  return { schema: rest, definitions };
}

/** A number that parsing refuses is null instead, so that only what holds it is refused. */
function readSuite(path: string): JsonValue {
  const text = readFileSync(join(suite, path), 'utf8');
  try {
    return parseJson(text);
  } catch {
    return parseJson(text.replaceAll(/-?\d{17,}\.\d+/g, 'null'));
  }
}

function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return isJsonArray(value) ? value.filter(isJsonObject) : [];
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
