import { expect, test } from 'vitest';
import { loadContract } from '../../contract/load.ts';
import { mergeReports } from '../merge/merge.ts';
import { listReportFiles, renderBriefText, renderText } from '../../report/index.ts';
import { judgeDocument } from '../../test/conformance/judge-document.ts';
import { rerunDifferences } from '../../test/conformance/log-run.ts';

const text = (paths: string): string => `openapi: 3.1.0
info: { title: Sample, version: 1.0.0 }
paths:
${paths}
`;
const good = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) =>
      `  /good${index}: { get: { operationId: get${index}, responses: { '200': { description: Fine. } } } }\n`,
  ).join('');

const whole = text(good(2)).trimEnd();

test.each([
  ['in a name', whole.slice(0, whole.lastIndexOf('good1') + 2)],
  ['in a quoted text', whole.slice(0, whole.lastIndexOf('200') + 1)],
  ['after an opening bracket', whole.slice(0, whole.lastIndexOf('{') + 1)],
  ['in JSON', '{"openapi":"3.1.0","info":{"title":"A","version":"1"},"paths":{"/a":{'],
])('a document truncated %s is inconclusive, and the position is printed', async (_where, cut) => {
  const contract = await loadContract({ text: cut, name: 'cut.json' });
  const report = await judgeDocument(contract);
  const place = /cut\.json:\d+:\d+: \S/;
  expect([report.outcome, report.inconclusive]).toEqual([
    'inconclusive',
    expect.stringMatching(place),
  ]);
  expect(renderText(report, contract)).toMatch(place);
});

test('a document without operations is inconclusive', async () => {
  const report = await judgeDocument(await loadContract({ text: text('  {}') }));
  expect(report.inconclusive).toBe('the document has no operation that can be sent');
});

test('operations that could not be read count in a merged report as in those of its shards', async () => {
  const note =
    '{ type: object, required: [id], properties: { id: { type: integer }, text: { type: string } } }';
  const content = (schema: string): string =>
    `content: { application/json: { schema: ${schema} } }`;
  const contract = await loadContract({
    text: text(`  /notes:
    get: { operationId: listNotes, responses: { '200': { description: All., ${content(`{ type: array, items: ${note} }`)} } } }
    post: { operationId: addNote, requestBody: { ${content(note)} }, responses: { '201': { description: Added., ${content(note)} } } }
  /a: 5`),
  });
  const reports = [];
  for (const index of [1, 2]) {
    const shard = { index, count: 2, suite: '' };
    const report = await judgeDocument(contract, { shard, fuzz: 96, requests: 40 });
    reports.push({ name: `${index}.json`, report });
  }
  const { outcome, inconclusive } = mergeReports(contract, reports);
  const [first] = reports;
  expect([first?.report.outcome, outcome]).toEqual(['inconclusive', 'inconclusive']);
  expect(inconclusive).toContain('of the 66 % of the operations that could be read');
});

/** What is wrong, how many operations that leaves out, and the other operations. */
const broken: readonly (readonly [what: string, paths: string, operations: number])[] = [
  [
    'a schema that is not there',
    "  /a: { get: { operationId: getA, responses: { '200': { description: A., content: { application/json: { schema: { $ref: '#/components/schemas/None' } } } } } } }\n",
    0,
  ],
  [
    'a response that is not there',
    "  /a: { get: { operationId: getA, responses: { '200': { $ref: '#/components/responses/None' } } } }\n",
    0,
  ],
  [
    'a parameter that is not there',
    "  /a: { get: { operationId: getA, parameters: [{ $ref: '#/components/parameters/None' }], responses: { '200': { description: A. } } } }\n",
    0,
  ],
  ['a file that is not there', "  /a: { $ref: 'none.yaml#/a' }\n", 1],
  ['a path item that is a number', '  /a: 5\n', 1],
  [
    'an operation that is a number',
    "  /a: { get: 5, post: { operationId: addA, responses: { '201': { description: A. } } } }\n",
    1,
  ],
  ['two operations that are none', '  /a: { get: 5, post: 7 }\n', 2],
];

const files = (
  report: Parameters<typeof listReportFiles>[0],
  contract: Parameters<typeof listReportFiles>[1],
) =>
  new Map(
    [...listReportFiles(report, contract)].map(({ name, pieces }) => [name, [...pieces].join('')]),
  );

test.each(broken)('%s is reported in every output', async (_what, paths, operations) => {
  const contract = await loadContract({ text: text(good(30) + paths), name: 'sample.yaml' });
  const report = await judgeDocument(contract);
  expect(report).toMatchObject({ outcome: 'conforms', contract: { leftOut: { operations } } });
  const said = 'Parts of the document were skipped because of ';
  const outputs: string[] = [renderText(report, contract), renderBriefText(report, contract)];
  const written = files(report, contract);
  for (const name of ['report.html', 'summary.md', 'junit.xml'])
    outputs.push(written.get(name) ?? '');
  for (const output of outputs) expect(output.replaceAll(/\s+/g, ' ')).toContain(said);
  expect(written.get('report.json')).toContain('"leftOut"');
  expect(await rerunDifferences(contract, report)).toEqual([]);
});

test.each(broken.filter(([, , operations]) => operations > 0))(
  '%s makes a run inconclusive if it is too much of the document',
  async (_what, paths) => {
    const contract = await loadContract({ text: text(good(3) + paths), name: 'sample.yaml' });
    const report = await judgeDocument(contract);
    expect(report).toMatchObject({
      outcome: 'inconclusive',
      inconclusive: expect.stringContaining('could not be read'),
    });
    expect(await rerunDifferences(contract, report)).toEqual([]);
  },
);

test('a document without errors reports nothing', async () => {
  const contract = await loadContract({ text: text(good(3)), name: 'sample.yaml' });
  const report = await judgeDocument(contract);
  expect(report.outcome).toBe('conforms');
  expect(report.contract).not.toHaveProperty('leftOut');
  for (const output of [renderText(report, contract), ...files(report, contract).values()])
    expect(output).not.toContain('Parts of the document were skipped');
});
