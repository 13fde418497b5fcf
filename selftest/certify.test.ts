import { expect, test } from 'vitest';
import { settleLevel } from '../certificate/index.ts';
import { certify, createParty } from '../test/cli/certificates.ts';
import { petstore } from '../test/contract/petstore.ts';
import { mutants } from './index.ts';
import { runTwice } from './trial.ts';

/** Faults of one request, of what is read, of a key and of the limit. */
const ids = ['category-id-zero-500', 'id-read-through-double', 'auth-after-lookup'];

test.for(ids)('no run of %s gets a certificate that says that it conforms', async (id) => {
  const mutant = mutants.find((each) => each.id === id);
  if (mutant === undefined) throw new RangeError(`no mutant has the id ${id}`);
  const options = { seed: 1, requests: 60, exhaust: true, isOverNetwork: false };
  const { first, second } = await runTwice(petstore, mutant, options);
  const claims = [first, second].map(({ report }) => {
    if (report === undefined) throw new Error('the run came to no report');
    return certify(petstore, report, createParty()).report;
  });
  expect(claims.map(settleLevel)).toEqual(['failed', 'failed']);
  const [once, again] = claims.map(({ verdicts }) =>
    verdicts.filter(({ kind }) => kind === 'failed').map(({ requirement }) => requirement.id),
  );
  expect(again).toEqual(once);
});
