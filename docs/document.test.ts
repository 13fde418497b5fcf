import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

const document: unknown = parse(read('../openapi.yaml'), { merge: true });
const map = read('interface-map.md');
const extensions = read('extensions.md');

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const memberOf = (value: unknown, name: string): unknown =>
  isRecord(value) ? value[name] : undefined;

/** The value at a JSON pointer; undefined if there is none. */
const valueAt = (pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(memberOf, document);

/** The pointers of all members of the place. */
const membersAt = (pointer: string): readonly string[] =>
  Object.keys(Object(valueAt(pointer))).map(
    (name) => `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
  );

const operations = membersAt('#/paths')
  .flatMap(membersAt)
  .filter((pointer) => isRecord(memberOf(valueAt(pointer), 'responses')));

const questions = Object.values(Object(valueAt('#/x-unspecified')));

const codeSpans = (text: string): readonly string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

/** Code spans of the last column of the map's tables. */
const places = map
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .flatMap((line) => codeSpans(line.split(' | ').at(-1) ?? ''));

const pointers = places.filter((place) => place.startsWith('#/'));
const named = places.filter((place) => !place.startsWith('#/'));

test('every pointer of the map resolves', () => {
  expect(pointers.filter((pointer) => valueAt(pointer) === undefined)).toEqual([]);
  expect(pointers.length).toBeGreaterThan(60);
});

test('the map and the document have the same open questions', () => {
  const ids = questions.map((question) => memberOf(question, 'id'));
  expect(new Set(named)).toEqual(new Set(ids));
});

test('the map covers every part of the document', () => {
  const parts = [
    ...operations,
    ...operations.flatMap((pointer) => [
      ...membersAt(`${pointer}/parameters`),
      ...membersAt(`${pointer}/responses`),
    ]),
    ...['schemas', 'responses', 'headers', 'securitySchemes'].flatMap((kind) =>
      membersAt(`#/components/${kind}`),
    ),
    ...['servers', 'x-rate-limit/plans', 'x-rate-limit/windows'].flatMap((list) =>
      membersAt(`#/${list}`),
    ),
  ];
  expect(parts.filter((part) => !pointers.includes(part))).toEqual([]);
  expect(parts.length).toBeGreaterThan(30);
});

test('every kind of question is described, with the members of its choices', () => {
  const rows = new Map(
    extensions
      .slice(extensions.indexOf('### Kinds'))
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => [codeSpans(line)[0] ?? '', codeSpans(line).slice(1)] as const),
  );
  const missing = questions.flatMap((question) => {
    const kind = String(memberOf(question, 'kind'));
    const choices: readonly unknown[] = Object.values(Object(memberOf(question, 'choices')));
    const members = [question, ...choices]
      .flatMap((one) => Object.keys(Object(one)))
      .filter((name) => !plain.has(name));
    return members
      .filter((name) => rows.get(kind)?.includes(name) !== true)
      .concat(rows.has(kind) ? [] : [kind]);
  });
  expect(missing).toEqual([]);
});

const plain = new Set([
  'id',
  'kind',
  'source',
  'at',
  'question',
  'choices',
  'default',
  'description',
]);

test('every extension of the document is described', () => {
  const used = new Set(
    [...read('../openapi.yaml').matchAll(/^ *(x-[a-z-]+):/gm)].map(([, name = '']) => name),
  );
  const described = [...extensions.matchAll(/^\| \[`(x-[a-z-]+)`\]/gm)].map(
    ([, name = '']) => name,
  );
  expect([...used].filter((name) => !described.includes(name))).toEqual([]);
});
