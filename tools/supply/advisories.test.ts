import { type Server, createServer } from 'node:http';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { judgeAudit } from './advisories.ts';
import { fetchAudit, readAudit } from './audit.ts';

const packages = [
  { name: 'undici', version: '8.0.0', place: 'node_modules/undici' },
  { name: 'yaml', version: '2.0.0', place: 'node_modules/yaml' },
];

const advisory = (severity: string, place = 'node_modules/yaml') => ({
  title: 'Reads without end',
  url: 'https://example.com/1',
  severity,
  places: [place],
});

const judge = (...advisories: readonly ReturnType<typeof advisory>[]) =>
  judgeAudit({ kind: 'answered', advisories }, packages);

describe('an advisory', () => {
  test.each(['high', 'critical', 'of a new kind'])('that is %s stops a release', (severity) => {
    expect(judge(advisory(severity))).toEqual({
      exitCode: 1,
      text: `${severity}: yaml 2.0.0: Reads without end https://example.com/1\n2 shipped packages: 1 severe advisories, 0 others`,
    });
  });

  test.each(['info', 'low', 'moderate'])('that is %s is told', (severity) => {
    const { exitCode, text } = judge(advisory(severity));
    expect(exitCode).toBe(0);
    expect(text).toContain(`${severity}: yaml 2.0.0`);
  });

  test('of a package of development, or of another version of a name, is left out', () => {
    const others = ['node_modules/vitest', 'node_modules/a/node_modules/yaml'];
    expect(judge(...others.map((place) => advisory('critical', place)))).toEqual({
      exitCode: 0,
      text: '2 shipped packages: 0 severe advisories, 0 others',
    });
  });

  test('brings no control character to the console', () => {
    expect(judge({ ...advisory('high'), title: 'a\u{1b}[2J\n::error::b' }).text).toContain(
      String.raw`a\u{1b}[2J\n::error::b`,
    );
  });
});

describe('what npm writes', () => {
  test.each(['', 'no JSON', '[]', 'null', '{}', '{"message":"405"}', '{"vulnerabilities":[]}'])(
    'is no audit: %j',
    (text) => {
      const audit = readAudit(text);
      expect(audit.kind).toBe('unanswered');
      const { exitCode, text: told } = judgeAudit(audit, packages);
      expect(exitCode).toBe(2);
      expect(told).toMatch(/^the registry did not answer: advisories were not checked \(.+\)$/);
    },
  );

  test('is read though entries have other shapes', () => {
    const entries = { a: null, b: { via: ['a'] }, c: { via: [{}], nodes: [1] }, d: { via: 1 } };
    expect(readAudit(JSON.stringify({ vulnerabilities: entries }))).toEqual({
      kind: 'answered',
      advisories: [{ title: '', url: '', severity: '', places: [] }],
    });
  });
});

describe('npm audit', { timeout: 90_000 }, () => {
  let server: Server | undefined;
  afterEach(() => {
    vi.unstubAllEnvs();
    server?.closeAllConnections();
    server?.close();
  });

  /** A registry on this machine. */
  const serve = async (status: number, advisories: object): Promise<void> => {
    const registry = createServer((request, response) => {
      const isAudit = request.url?.endsWith('/advisories/bulk') === true;
      request.resume().once('end', () => {
        response.writeHead(isAudit ? status : 404, { 'content-type': 'application/json' });
        response.end(JSON.stringify(isAudit ? advisories : {}));
      });
    });
    server = registry;
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    const address = registry.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    vi.stubEnv('npm_config_registry', `http://127.0.0.1:${port}/`);
  };

  test('tells where in this project a package lies that an advisory is of', async () => {
    const told = { url: 'https://example.com/1', title: 'A', vulnerable_versions: '<99' };
    await serve(200, {
      undici: [{ id: 1, severity: 'high', ...told }],
      vitest: [{ id: 2, severity: 'critical', ...told }],
    });
    const audit = await fetchAudit();
    expect(audit).toMatchObject({
      advisories: [
        { severity: 'high', places: ['node_modules/undici'] },
        { severity: 'critical', places: expect.arrayContaining(['node_modules/vitest']) },
      ],
    });
    expect(judgeAudit(audit, packages)).toMatchObject({ exitCode: 1 });
    expect(judgeAudit(audit, packages.slice(1))).toMatchObject({ exitCode: 0 });
  });

  test('tells the severity that an advisory has today', async () => {
    const told = { id: 3, url: 'https://example.com/3', title: 'B', vulnerable_versions: '<99' };
    for (const severity of ['low', 'critical']) {
      await serve(200, { undici: [{ ...told, severity }] });
      expect(await fetchAudit()).toMatchObject({ advisories: [{ severity }] });
      server?.close();
    }
  });

  test('finds nothing where the registry knows nothing', async () => {
    await serve(200, {});
    expect(await fetchAudit()).toEqual({ kind: 'answered', advisories: [] });
  });

  test.each([405, 500])('is none where the registry responds with %i', async (status) => {
    await serve(status, {});
    expect(await fetchAudit()).toMatchObject({ kind: 'unanswered' });
  });
});
