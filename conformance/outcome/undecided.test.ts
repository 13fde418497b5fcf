import { expect, test } from 'vitest';
import type { Contract } from '../../contract/contract.ts';
import { composeTrafficReport, TrafficJudge } from '../../traffic/index.ts';
import { type Change, judgeDocument, loadYaml } from '../../test/conformance/judge-document.ts';
import { rerunDifferences } from '../../test/conformance/log-run.ts';

const document = (node: string): Promise<Contract> =>
  loadYaml(`
paths:
  /tree:
    get:
      operationId: getTree
      responses:
        '200':
          description: A tree.
          headers:
            X-Word: { required: true, schema: { $ref: '#/components/schemas/Word' } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Node' } } }
components:
  schemas:
    Word: { type: string, pattern: '^(\\w+)[a-z]*\\1$', example: abab }
    Node: ${node}
`);

/** Its items are judged by 700 schemas each. */
const crowded = `{ type: array, example: [{}], items: { allOf: [${'{ type: object, minProperties: 0 }, '.repeat(700)}] } }`;
const words =
  "{ type: object, required: [id], example: { id: 1 }, properties: { id: { type: integer }, word: { $ref: '#/components/schemas/Word' } } }";

const objects = (count: number): readonly object[] => Array.from({ length: count }, () => ({}));

const answer =
  (body: unknown): Change =>
  (response) => ({ ...response, body: JSON.stringify(body) });

const doubtful = 'a'.repeat(5000);

test.each<[string, string, unknown, string]>([
  ['steps', crowded, objects(500), 'steps to be judged'],
  ['steps, with a fault', crowded, [1, ...objects(500)], 'steps to be judged'],
  ['a pattern', words, { id: 1, word: doubtful }, 'has a text that takes more than 33554432 steps'],
])(
  'a body that takes too many steps neither passes nor fails, and no run conforms: %s',
  async (_name, node, body, reason) => {
    const contract = await document(node);
    const report = await judgeDocument(contract, {}, answer(body));
    const reported = new RegExp(`its body was not fully judged: it .*${reason}`);
    const whole = report.verdicts.find(({ requirement: { id } }) =>
      id.endsWith('getTree/response.200.body'),
    );
    expect(whole).toMatchObject({ kind: 'not-tested', reason: expect.stringMatching(reported) });
    expect(report).toMatchObject({
      outcome: 'inconclusive',
      inconclusive: expect.stringContaining(
        'it is not known whether getTree/response.200.body holds: request',
      ),
    });
    expect(await rerunDifferences(contract, report)).toEqual([]);
  },
);

test('other errors in the response still fail, and what can be judged is judged', async () => {
  const contract = await document(words);
  const broken = await judgeDocument(contract, {}, answer({ id: 'one', word: doubtful }));
  expect(broken.outcome).toBe('failed');
  for (const [node, body] of [
    [crowded, objects(10)],
    [words, { id: 1, word: 'abab' }],
  ] as const)
    expect((await judgeDocument(await document(node), {}, answer(body))).outcome).toBe('conforms');
});

test('a header that takes too many steps is not tested', async () => {
  const contract = await document(words);
  const report = await judgeDocument(contract, {}, (response) => ({
    ...response,
    headers: [...response.headers.filter(([name]) => !/x-word/i.test(name)), ['X-Word', doubtful]],
  }));
  expect(report.outcome).toBe('inconclusive');
  expect(report.inconclusive).toContain('X-Word was not fully judged');
});

test('traffic counts it as not fully judged', async () => {
  const contract = await document(words);
  const judge = (share: number | undefined, doubts: number) => {
    const found = new TrafficJudge(contract, {
      baseUrl: 'http://a.example',
      showsCredentials: true,
      requireTested: share,
    });
    for (let index = 0; index < 100; index += 1) {
      const word = index < doubts ? doubtful : 'abab';
      found.take({
        place: '',
        request: {
          method: 'GET',
          url: `http://a.example/tree?${index}`,
          headers: [],
          body: { kind: 'whole', text: '', utf8: true },
        },
        response: {
          status: 200,
          headers: [
            ['content-type', 'application/json'],
            ['x-word', 'abab'],
          ],
          body: { kind: 'whole', text: JSON.stringify({ id: index, word }), utf8: true },
        },
        foreign: undefined,
        sentAt: index + 1,
        endedAt: index + 1,
      });
    }
    return composeTrafficReport(contract, 'http://a.example', found.sum(), { now: 0 });
  };
  expect(judge(undefined, 0).outcome).toBe('conforms');
  expect(judge(100, 0).outcome).toBe('conforms');
  expect(judge(undefined, 5).outcome).toBe('conforms');
  expect(judge(undefined, 5).verdicts).toContainEqual(
    expect.objectContaining({ kind: 'not-tested', isUndecided: true }),
  );
  expect(judge(96, 5)).toMatchObject({
    outcome: 'inconclusive',
    inconclusive: expect.stringContaining(
      '95 of 100 exchanges of its operations could be fully judged (95 %); at least 96 % are required',
    ),
  });
  expect(judge(undefined, 11).outcome).toBe('inconclusive');
});

test('waivers for traffic expire by the clock, whatever times a recording has', async () => {
  const contract = await document(words);
  const requirement = 'getTree/response.200.body';
  const waivers = [{ requirement, reason: 'a', owner: 'b', expires: '2026-03-31' }];
  const sum = new TrafficJudge(contract, {
    baseUrl: 'http://a.example',
    showsCredentials: true,
  }).sum();
  const stateAt = (now: string): string | undefined =>
    composeTrafficReport(contract, 'http://a.example', sum, { waivers, now: Date.parse(now) })
      .waivers[0]?.state;
  expect(stateAt('2026-03-31T23:59:59Z')).toBe('unreached');
  expect(stateAt('2026-04-01T00:00:00Z')).toBe('expired');
});
