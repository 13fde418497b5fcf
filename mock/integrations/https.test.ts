import { request as plainRequest } from 'node:http';
import { Agent, fetch as undiciFetch, request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { createMovableClock, runConformance } from '../../conformance/index.ts';
import { type ListenOptions, type Listening, createMock } from '../index.ts';
import { loadInventory, loadPetstore, loadTlsIdentity } from '../../test/mock/contracts.ts';
import { sendByFetch } from '../../test/mock/fetch-sender.ts';

const [contract, seed, tls] = await Promise.all([
  loadPetstore(),
  loadInventory(),
  loadTlsIdentity(),
]);
const headers = { authorization: 'Bearer demo-free' };

const open = async (
  options: ListenOptions,
  clock = createMovableClock(),
): Promise<Listening & { readonly agent: Agent }> => {
  const listening = await createMock(contract, { seed, clock }).listen(options);
  const agent = new Agent({ connect: { ca: tls.cert } });
  onTestFinished(async () => {
    await agent.close();
    await listening.close();
  });
  return { ...listening, agent };
};

test('the server conforms over TLS, with its certificate verified', async () => {
  const clock = createMovableClock();
  const { url, agent } = await open({ tls }, clock);
  expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/v1$/);
  const sender = sendByFetch(
    async (to, init) => await undiciFetch(to, { ...init, dispatcher: agent }),
  );
  const report = await runConformance(
    contract,
    { baseUrl: url, apiKey: 'demo-free' },
    { clock, sender, exhaust: true, plan: 'Free', longestWait: 2 * 86_400_000 },
  );
  expect([report.outcome, report.verdicts.filter(({ kind }) => kind === 'failed')]).toEqual([
    'conforms',
    [],
  ]);
});

test.each(['localhost', '::1'])('listens at %s', async (host) => {
  const { url, agent } = await open({ tls, host });
  expect((await request(`${url}/pets`, { dispatcher: agent, headers })).statusCode).toBe(200);
});

test('a client that does not trust the certificate gets no response', async () => {
  const { url } = await open({ tls });
  await expect(fetch(`${url}/pets`, { headers })).rejects.toMatchObject({
    cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
  });
});

test('plain HTTP on the port gets no response, and the server continues', async () => {
  const { url, port, agent } = await open({ tls });
  const error = await new Promise<Error>((resolve) =>
    plainRequest({ port, host: '127.0.0.1' }).on('error', resolve).end(),
  );
  expect(error.message).toContain('hang up');
  expect((await request(`${url}/pets`, { dispatcher: agent, headers })).statusCode).toBe(200);
});

test('an unusable key is reported, and nothing listens', async () => {
  await expect(
    createMock(contract).listen({ tls: { key: 'no key', cert: 'no certificate' } }),
  ).rejects.toThrow(/PEM|no start line/i);
});
