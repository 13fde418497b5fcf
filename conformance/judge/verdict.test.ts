import { expect, test } from 'vitest';
import { petstore } from '../../test/contract/petstore.ts';
import {
  composeLog,
  get,
  invalid,
  refused,
  valid,
  type LogEntry,
} from '../../test/conformance/log.ts';
import { judge } from './verdict.ts';

/** What the verdicts on a log follow from, by the id of the requirement; without those of their own. */
function linksOf(log: readonly LogEntry[]): Readonly<Record<string, string>> {
  const verdicts = judge(petstore, composeLog(petstore, log), {
    whyNotTested: () => ({ kind: 'not-shown' }),
  });
  const links = verdicts.flatMap((verdict): readonly (readonly [string, string])[] => {
    const { id } = verdict.requirement;
    if (verdict.kind === 'failed')
      return verdict.failures.flatMap(({ because }) =>
        because === undefined ? [] : [[id, because] as const],
      );
    const why = verdict.kind === 'not-tested' ? verdict.because : undefined;
    return why?.kind === 'unclear' && why.requirement !== undefined ? [[id, why.requirement]] : [];
  });
  return Object.fromEntries(links);
}

test('a body that shows a wrong value follows from the request that had to be refused', () => {
  const values = 'createPet/request.body.status.values';
  const pet = { id: 7, name: 'Rex', categoryId: 1, status: 'lost' };
  const links = linksOf([
    refused({ ...pet, id: undefined }, invalid(values), { status: 201, answer: pet }),
    get(7, pet),
  ]);
  expect(links).toMatchObject({
    'createPet/response.201.body.status.values': values,
    'getPet/response.200.body.status.values': values,
    'getPet/response.200.body': 'getPet/response.200.body.status.values',
  });
});

test('whatever else is wrong with a 500 response follows from the 500', () => {
  const exercised = valid(['getPet/state.readable']);
  expect(linksOf([get(1, 'oops', { status: 500, intent: exercised })])).toMatchObject({
    'getPet/status.200': 'getPet/robustness.no-server-error',
    'getPet/state.readable': 'getPet/status.200',
  });
});
