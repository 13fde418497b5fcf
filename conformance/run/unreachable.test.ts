import { expect, test } from 'vitest';
import { judgeDocument, listIds, loadYaml } from '../../test/conformance/judge-document.ts';

const operation = (id: string, member: string): string => `
      operationId: ${id}
      responses:
        '200': { description: One., content: { application/json: { schema: { type: object, required: [${member}], properties: { ${member}: { type: integer } } } } } }`;

/** Two operations at paths that differ in what no path has, and whether the first can be asked. */
const pairs: readonly (readonly [one: string, other: string, isOneAsked: boolean])[] = [
  ['/x#a', '/x#b', false],
  ['/x?action=a', '/x#b', true],
  ['/x', '/x#b', true],
  ['/x/{id}#a', '/x/{id}#b', false],
];

const load = (one: string, other: string) =>
  loadYaml(`
paths:
  /plain:
    get:${operation('plain', 'a')}
  ${other}:
    get:${operation('other', 'b')}
  ${one}:
    get:${operation('one', 'c')}
`);

test.each(pairs)(
  '%s next to %s: only operations that a request can mean are judged',
  async (...pair) => {
    const [one, other, isOneAsked] = pair;
    const contract = await load(one, other);
    expect(contract.diagnostics.map(({ pointer }) => pointer)).toContain(
      `#/paths/${other.replaceAll('/', '~1')}`,
    );
    // A server that answers what one operation promises breaks what the other does.
    for (const member of ['b', 'c']) {
      const report = await judgeDocument(contract, {}, (response, { url }) =>
        url.endsWith('/plain') || response.status !== 200
          ? response
          : { ...response, body: `{"${member}":1}` },
      );
      const failed = listIds(report, 'failed');
      const isBroken = isOneAsked && member === 'b';
      expect([report.outcome, failed.length > 0]).toEqual([
        isBroken ? 'failed' : 'inconclusive',
        isBroken,
      ]);
      expect(failed.every((id) => id.startsWith('one/'))).toBe(true);
      const asked = new Set(report.exchanges.map(({ request }) => request.operation));
      expect([...asked].toSorted()).toEqual(isOneAsked ? ['one', 'plain'] : ['plain']);
      const others = report.verdicts.filter(({ requirement }) => requirement.operation === 'other');
      for (const verdict of others)
        expect(verdict).toMatchObject({
          kind: 'not-tested',
          because: {
            kind: 'nothing-to-send',
            text: expect.stringContaining('has neither query nor'),
          },
        });
    }
  },
);

test('a single path with a query or a fragment is read without it', async () => {
  const contract = await loadYaml(`\npaths:\n  /x#a:\n    get:${operation('one', 'a')}\n`);
  expect(contract.operations.map(({ path }) => path)).toEqual(['/x']);
  expect((await judgeDocument(contract)).outcome).toBe('conforms');
});

test.each([
  ['/x?action=a', '/x?action=b'],
  ['/x', '/x?action=b'],
])('%s next to %s: each is judged by its own requests', async (one, other) => {
  const contract = await load(one, other);
  const report = await judgeDocument(contract, {});
  expect(report.outcome).toBe('conforms');
  const asked = new Set(report.exchanges.map(({ request }) => request.operation));
  expect([...asked].toSorted()).toEqual(['one', 'other', 'plain']);
  const broken = await judgeDocument(contract, {}, (response, { url }) =>
    url.includes('action=b') ? { ...response, body: '{"c":1}' } : response,
  );
  expect(new Set(listIds(broken, 'failed').map((id) => id.split('/')[0]))).toEqual(
    new Set(['other']),
  );
});

/** A path parameter of paths alike: its schema, as YAML. */
const alike: readonly (readonly [one: string, other: string, judged: readonly string[]])[] = [
  ['type: string', 'type: string', []],
  ['type: string, example: rex', 'type: string', ['one']],
  ['type: string, example: rex', 'type: string, default: tom', ['one', 'other']],
  ['type: integer', 'type: string, example: tom', ['one', 'other']],
];

function inPath(name: string, schema: string): string {
  return `\n      parameters: [{ name: ${name}, in: path, required: true, schema: { ${schema} } }]`;
}

test.each(alike)('similar paths with {%s} and {%s} are distinguished by values', async (...row) => {
  const [one, other, judged] = row;
  const contract = await loadYaml(`
paths:
  /x/{one}:
    get:${operation('one', 'a')}${inPath('one', one)}
  /x/{other}:
    get:${operation('other', 'b')}${inPath('other', other)}
`);
  const report = await judgeDocument(contract, {});
  expect(listIds(report, 'failed')).toEqual([]);
  const passed = listIds(report, 'passed').filter((id) => id.endsWith('/status.200'));
  expect(passed).toEqual(judged.map((id) => `${id}/status.200`));
});
