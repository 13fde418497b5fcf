import { requirementsOf } from '../conformance/index.ts';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import {
  createService,
  mutantFamilies,
  mutants,
  type Mutant,
  type Variant,
  variantFamilies,
  variants,
} from './index.ts';

/** Services that run at the same time. */
const together = 40;

const subjects: readonly (Mutant | Variant)[] = [...mutants, ...variants];

test('there are at least 150 mutants beside those for fuzzing, and every id is used once', () => {
  expect(mutants.filter(({ needs }) => needs !== 'fuzz').length).toBeGreaterThanOrEqual(150);
  const ids = subjects.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toStrictEqual([]);
  expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toStrictEqual([]);
});

test('every family is tried by a test beside it', () => {
  const tests = [
    ...[...mutantFamilies.keys()].filter((family) => family !== 'fuzz').map((f) => `mutants/${f}`),
    ...[...variantFamilies.keys()].map((family) => `variants/${family}`),
  ];
  const missing = tests.filter(
    (path) => !existsSync(new URL(`${path}.slow.test.ts`, import.meta.url)),
  );
  expect(missing).toEqual([]);
});

test('every mutant breaks requirements that the document has', async () => {
  const contract = await loadContract({
    file: new URL('../openapi.yaml', import.meta.url).pathname,
  });
  const known = requirementsOf(contract);
  const wrong = mutants.filter(({ breaks }) => breaks.some((id) => !known.has(id)));
  expect(wrong.map(({ id }) => id)).toStrictEqual([]);
});

test('every mutant and variant says in a sentence what it does, and a variant why it may', () => {
  const texts = [
    ...subjects.map(({ id, summary }) => ({ id, text: summary })),
    ...variants.map(({ id, valid }) => ({ id, text: valid })),
  ];
  expect(
    texts.filter(({ text }) => text.trim() !== text || text.length < 12).map(({ id }) => id),
  ).toStrictEqual([]);
});

test('a mutant may leave a request unanswered, but its service starts and stops', async () => {
  const answered: boolean[] = [];
  for (let at = 0; at < mutants.length; at += together) {
    answered.push(...(await Promise.all(mutants.slice(at, at + together).map(isAnswering))));
  }
  expect(answered.filter(Boolean).length).toBeGreaterThan(mutants.length * 0.9);
});

/** Starts the service, adds a pet, and stops it. False where no response came. */
async function isAnswering({ behaviour }: Mutant): Promise<boolean> {
  const service = await createService(behaviour(), { sleep: async () => undefined }).listen();
  const headers = { Authorization: 'Bearer service-free', 'Content-Type': 'application/json' };
  const request = {
    method: 'POST',
    headers,
    body: '{"name":"Rex","categoryId":1}',
    signal: AbortSignal.timeout(2_000),
  };
  const isAnswered = await fetch(`${service.baseUrl}/pets`, {
    redirect: 'manual',
    ...request,
  }).then(
    () => true,
    () => false,
  );
  await service.close();
  return isAnswered;
}
