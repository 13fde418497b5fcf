import { describe, expect, test } from 'vitest';
import { readValueLines } from '../../test/contract/value-lines.ts';
import { parseJson, renderJson, type JsonValue } from '../json/value.ts';
import { soundRegistry } from '../../test/contract/registry.ts';

/** One line of a file of cases: a schema, or a value for the schema before it. */
interface Case {
  readonly schema: string;
  readonly value: string;
  readonly isValid: boolean;
}

const files = [
  'types',
  'values',
  'numbers',
  'strings',
  'arrays',
  'objects',
  'branches',
  'unevaluated',
  'references',
  'formats',
  'annotations',
  'openapi-3-0',
];

describe.each(files)('keywords/%s', (file) => {
  const openapi = file === 'openapi-3-0' ? '3.0.3' : '3.1.0';

  test.each(readCases(file))('$schema $isValid $value', ({ schema, value, isValid }) => {
    const registry = soundRegistry({ openapi, schema: parseJson(schema) }, 'cases');
    const json: JsonValue = parseJson(value);
    const before = renderJson(json);
    const issues = registry.node('#/schema').validate(json);
    expect({ isValid: issues.length === 0, issues }).toMatchObject({ isValid });
    expect(renderJson(json)).toBe(before);
  });
});

function readCases(file: string): readonly Case[] {
  let schema = '';
  return readValueLines(`keywords/${file}`).flatMap((line) => {
    const [word = '', text = ''] = splitOnce(line);
    if (word === 'schema') schema = text;
    else if (word !== 'valid' && word !== 'invalid')
      throw new Error(`no such line in a file of cases: ${line}`);
    return word === 'schema' ? [] : [{ schema, value: text, isValid: word === 'valid' }];
  });
}

function splitOnce(line: string): readonly string[] {
  const at = line.indexOf(' ');
  return [line.slice(0, at), line.slice(at + 1)];
}
