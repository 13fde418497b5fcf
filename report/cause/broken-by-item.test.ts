import { expect, test } from 'vitest';
import { petstore } from '../../test/contract/petstore.ts';
import { judgeSubject } from '../../selftest/trial.ts';
import { mutantOf } from '../../test/report/causes.ts';
import { causesOf } from './causes.ts';

test('lists that crash after an addition are one cause, and nothing more is added', async () => {
  const { verdicts, exchanges, leftBehind } = await judgeSubject(
    petstore,
    mutantOf('surrogate-breaks-lists'),
    {
      seed: 1,
      requests: 240,
      exhaust: true,
    },
  );
  const causes = causesOf(petstore, verdicts, exchanges);
  const added = exchanges.findIndex(({ request }) => request.body?.includes(String.raw`\ud83d"`));
  expect(causes.map(({ sentence }) => sentence)).toEqual([
    expect.stringMatching(/^listPets returns 500 .* for \d+ of \d+ valid requests\.$/),
  ]);
  // Nothing that servers choke on is sent after it, and what it added is listed.
  const later = exchanges.slice(added + 1).map(({ request }) => request.operation);
  expect(new Set(later)).toEqual(new Set(['listPets']));
  const { outcome } = exchanges[added] ?? {};
  const body = outcome?.kind === 'answered' ? outcome.response.body : '';
  expect(leftBehind.map((each) => each.id)).toContain(/"id":(\d+)/.exec(body)?.[1]);
});
