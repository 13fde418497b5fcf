import { beforeAll, expect, test } from 'vitest';
import type { Contract } from '../../contract/index.ts';
import { loadControlDocument } from '../../mock/control/description/control-document.ts';
import { createMock } from '../../mock/index.ts';
import { loadPetstore } from '../../test/mock/contracts.ts';
import { type HostileFindings, hostileRequest, sendHostile } from './hostile.ts';
import { soakLimit } from './requests.ts';

const noFindings = (): HostileFindings => ({ statuses: new Map(), broken: [] });

let contract: Contract;
let control: Contract;
beforeAll(async () => {
  contract = await loadPetstore();
  ({ contract: control } = await loadControlDocument());
});

test('the same seed makes the same requests, another seed others', () => {
  const texts = (seed: number): readonly string[] =>
    Array.from({ length: 200 }, (_, index) =>
      hostileRequest({ contract, control }, seed, index).bytes.toString('base64'),
    );
  expect(texts(1)).toEqual(texts(1));
  expect(texts(2)).not.toEqual(texts(1));
  expect(new Set(texts(1)).size).toBeGreaterThan(150);
});

test('some of them control the mock, and are taken or refused by its document', () => {
  const asked = Array.from({ length: 2000 }, (_, index) =>
    hostileRequest({ contract, control }, 1, index),
  ).filter(({ target }) => target.startsWith('/_mock/sandboxes/c'));
  expect(asked.length).toBeGreaterThan(50);
  expect(new Set(asked.map(({ method }) => method))).toEqual(
    new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  );
});

test('2,000 hostile requests break nothing', { timeout: 120_000 }, async () => {
  const faults: unknown[] = [];
  const mock = createMock(contract, {
    sandboxes: 20,
    maxMemory: 40_000,
    limits: { [soakLimit.plan]: soakLimit.windows },
    onFault: (fault) => faults.push(fault),
  });
  const listening = await mock.listen();
  const findings = noFindings();
  const range = { port: listening.port, seed: 7, from: 0, to: 2000 };
  await sendHostile({ contract, control }, range, findings);
  await listening.close();
  expect([findings.broken, faults]).toEqual([[], []]);
  const statuses = [...findings.statuses.keys()];
  expect(statuses).toEqual(expect.arrayContaining([200, 201, 400, 401, 404, 405, 413, 415]));
});

test(
  'a mock that answers 500 or outside of its document is found',
  { timeout: 60_000 },
  async () => {
    const mock = createMock(contract);
    const spoiled = {
      ...mock,
      handle: (request: Parameters<typeof mock.handle>[0]) => {
        const response = mock.handle(request);
        if (response.status === 200) return { ...response, body: '[{"id":"one"}]' };
        return response.status === 404 ? { ...response, status: 500 } : response;
      },
    };
    const { listen } = await import('../../mock/index.ts');
    const listening = await listen(spoiled);
    const findings = noFindings();
    const range = { port: listening.port, seed: 7, from: 0, to: 300 };
    await sendHostile({ contract, control }, range, findings);
    await listening.close();
    expect(findings.broken.length).toBeGreaterThan(10);
    expect(findings.broken.join('\n')).toMatch(/the status is 500/);
    expect(findings.broken.join('\n')).toMatch(/200: the body at/);
  },
);
