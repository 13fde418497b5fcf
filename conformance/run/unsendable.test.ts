import { expect, test } from 'vitest';
import { createMock } from '../../mock/index.ts';
import { runConformance } from '../index.ts';
import { loadYaml } from '../../test/conformance/judge-document.ts';

const ok =
  "{ '200': { description: ok, content: { application/json: { schema: { type: object } } } } }";

/** Judges the mock of a document over the network, with the client that is used as a rule. */
const judge = async (paths: string, members = '') => {
  const contract = await loadYaml(`${members}\npaths:\n${paths}`);
  const mock = createMock(contract);
  const listening = await mock.listen({ port: 0 });
  try {
    const report = await runConformance(
      contract,
      { baseUrl: listening.url, apiKey: mock.keys[0]?.key },
      { requests: 60, longestWait: 1000 },
    );
    const reported = (operation: string): ReadonlySet<string> =>
      new Set(
        report.verdicts.flatMap((each) =>
          each.requirement.operation !== operation
            ? []
            : each.kind === 'not-tested'
              ? [each.reason]
              : [each.kind],
        ),
      );
    return { report, reported };
  } finally {
    await listening.close();
  }
};

test('a path with spaces and non-ASCII letters is percent-encoded', async () => {
  const { report } = await judge(`
  /my pets/{pet id}/café:
    get:
      operationId: spaced
      parameters: [{ name: pet id, in: path, required: true, schema: { type: integer } }]
      responses: ${ok}
`);
  const targets = report.exchanges.map(({ request }) => request.target);
  expect(targets).toContainEqual(expect.stringMatching(/^\/my%20pets\/\d+\/caf%C3%A9$/));
  expect(report.outcome).toBe('conforms');
});

test('a list of objects in a query may be one of empty objects', async () => {
  const { report } = await judge(`
  /things:
    post:
      operationId: addAll
      parameters: [{ name: objects, in: query, required: true, schema: { type: array, items: { type: object } } }]
      responses: ${ok}
`);
  const targets = report.exchanges.map(({ request }) => request.target);
  expect(targets).toEqual(['/things?objects=%7B%7D&objects=%7B%7D']);
  expect(report.outcome).toBe('conforms');
});

test.each(['Upgrade', 'Expect', 'Transfer-Encoding'])(
  'an operation that requires the header %s is not tested, for that reason, and others are',
  async (name) => {
    const { report, reported } = await judge(`
  /odd:
    get:
      operationId: odd
      parameters: [{ name: ${name}, in: header, required: true, schema: { type: string } }]
      responses: ${ok}
  /plain:
    get: { operationId: plain, responses: ${ok} }
`);
    expect(reported('plain')).toContain('passed');
    expect(report.outcome).toBe('inconclusive');
    expect(report.inconclusive).toContain(
      'odd was never called: the client of the suite cannot send it',
    );
    expect(report.inconclusive).toContain('; leave it out with --skip odd');
    expect([...reported('odd')].join()).toContain(
      `the client of the suite cannot send it: the header ${name.toLowerCase()} is set by the client itself`,
    );
    expect([...reported('odd')]).not.toContain('passed');
  },
);

test('an invalid header name for the key does not end the run', async () => {
  const { report, reported } = await judge(
    `
  /odd:
    get: { operationId: odd, security: [{ bad: [] }], responses: ${ok} }
  /plain:
    get: { operationId: plain, responses: ${ok} }
`,
    'components: { securitySchemes: { bad: { type: apiKey, in: header, name: "my key" } } }',
  );
  expect(reported('plain')).toContain('passed');
  expect(report.outcome).not.toBe('failed');
});
