import { request as plainRequest } from 'node:http';
import { Agent, fetch as undiciFetch, request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { createMovableClock, runConformance } from '../../../conformance/index.ts';
import { type ListenOptions, type Listening, createMock } from '../../index.ts';
import { loadInventory, loadPetstore } from '../../../test/mock/contracts.ts';
import { sendByFetch } from '../../../test/mock/fetch-sender.ts';
import { createCertificate } from './certificate.ts';

const [contract, seed] = await Promise.all([loadPetstore(), loadInventory()]);
const headers = { authorization: 'Bearer demo-free' };

const open = async (
  options: ListenOptions,
  clock = createMovableClock(),
): Promise<Listening & { readonly agent: Agent }> => {
  const listening = await createMock(contract, { seed, clock }).listen(options);
  const agent = new Agent({ connect: { ca: listening.certificate ?? '' } });
  onTestFinished(async () => {
    await agent.close();
    await listening.close();
  });
  return { ...listening, agent };
};

test('the server conforms over TLS, with its certificate verified', async () => {
  const clock = createMovableClock();
  const { url, agent } = await open({ tls: 'generated' }, clock);
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

test.each(['localhost', '::1'])('the generated certificate is good for %s', async (host) => {
  const { url, agent } = await open({ tls: 'generated', host });
  expect((await request(`${url}/pets`, { dispatcher: agent, headers })).statusCode).toBe(200);
});

test('a certificate that is given is the one that is shown', async () => {
  const tls = createCertificate(['mock.example']);
  const { url, certificate, agent } = await open({ tls });
  expect(certificate).toBe(tls.cert);
  expect((await request(`${url}/pets`, { dispatcher: agent, headers })).statusCode).toBe(200);
});

test('who does not trust the certificate gets no response', async () => {
  const { url } = await open({ tls: 'generated' });
  await expect(fetch(`${url}/pets`, { headers })).rejects.toMatchObject({
    cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
  });
});

test('plain HTTP on the port gets no response, and the server goes on', async () => {
  const { url, port, agent } = await open({ tls: 'generated' });
  const error = await new Promise<Error>((resolve) =>
    plainRequest({ port, host: '127.0.0.1' }).on('error', resolve).end(),
  );
  expect(error.message).toContain('hang up');
  expect((await request(`${url}/pets`, { dispatcher: agent, headers })).statusCode).toBe(200);
});

test('a key that cannot be used is told, and nothing listens', async () => {
  await expect(
    createMock(contract).listen({ tls: { key: 'no key', cert: 'no certificate' } }),
  ).rejects.toThrow(/PEM|no start line/i);
});

test('without TLS there is no certificate', async () => {
  const listening = await createMock(contract).listen();
  await listening.close();
  expect([listening.certificate, listening.url]).toEqual([
    undefined,
    expect.stringMatching(/^http:/),
  ]);
});
