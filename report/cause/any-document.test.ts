import { expect, test } from 'vitest';
import { packageFile } from '../../cli/package/package-root.ts';
import type { Contract } from '../../contract/contract.ts';
import { loadContract } from '../../contract/load.ts';
import { judgeDocument, loadYaml, type Change } from '../../test/conformance/judge-document.ts';
import { causesOf } from './causes.ts';
import { cutText } from './log.ts';

async function listSentences(contract: Contract, change: Change, requests = 120) {
  const { verdicts, exchanges } = await judgeDocument(contract, { requests }, change);
  return causesOf(contract, verdicts, exchanges).map(({ sentence }) => sentence);
}

test('a response whose status is documented by a range is recognised inside a wrapper', async () => {
  const note = '{ type: object, required: [text], properties: { text: { type: string } } }';
  const contract = await loadYaml(`
paths:
  /notes:
    post:
      operationId: addNote
      requestBody: { required: true, content: { application/json: { schema: ${note} } } }
      responses:
        2XX: { description: Added., content: { application/json: { schema: ${note} } } }
`);
  const wrap: Change = (response) => ({ ...response, body: `{"data":${response.body}}` });
  expect(await listSentences(contract, wrap)).toEqual([
    expect.stringMatching(
      /addNote 2\d\d responses differ from the document: everything is inside `data`\.$/,
    ),
  ]);
});

test('what a crash has in common is found in forms, too', async () => {
  const contract = await loadContract({
    file: packageFile('fixtures/documents/shapes/form-items.yaml'),
  });
  const crash: Change = (response, { body = '' }) =>
    /(?:^|&)seat=400(?:&|$)/.test(body) ? { ...response, status: 500, body: '' } : response;
  expect(await listSentences(contract, crash)).toEqual([
    expect.stringMatching(
      /^addGuest returns 500 \(no body\) for all \d+ requests in which `seat` is 400, and for no other request\.$/,
    ),
  ]);
});

test('a text that is cut within a character stays well formed', () => {
  expect([cutText('Rex 🐾', 6), cutText('Rex 🐾', 5)]).toEqual(['Rex 🐾', 'Rex …']);
  expect(cutText('Rex 🐾🐾', 6)).toBe('Rex \ufffd…');
});
