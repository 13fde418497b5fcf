import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { packageFile } from '../../cli/package/package-root.ts';
import { readSuite } from '../../cli/package/suite.ts';
import { digestDependencies } from './dependency-digest.ts';
import { digestRules, explainRules, loadRulesRecord } from './rules.ts';

const { digest, judgements } = await digestRules();

describe('a recorded log comes to what it came to when it was recorded', () => {
  test.each(judgements.map((each) => ({ name: each.log.name, ...each })))(
    '$name',
    ({ log, judgement }) => {
      expect(judgement).toEqual(log.judgement);
    },
  );
});

test('the version of the rules is that of the rules', async () => {
  expect(explainRules(await loadRulesRecord(), digest)).toBe('They are as recorded.');
});

test('the logs are of servers and clients, lawful and not', () => {
  const levels = judgements.map(({ log: { kind, judgement } }) => [
    kind,
    typeof judgement === 'object' && judgement !== null && 'level' in judgement
      ? judgement.level
      : undefined,
  ]);
  for (const kind of ['server', 'client'])
    for (const level of ['conforms', 'failed']) expect(levels).toContainEqual([kind, level]);
});

describe('the dependencies of the suite', () => {
  test('are those of the lock: else run `npm run rules`', async () => {
    const lock = await readFile(packageFile('package-lock.json'), 'utf8');
    expect((await readSuite()).dependencies).toBe(digestDependencies(lock));
  });

  test('are what runs, by version and content, wherever it was fetched', () => {
    const lock = (packages: object): string => digestDependencies(JSON.stringify({ packages }));
    const ajv = {
      version: '8.20.0',
      resolved: 'https://one.example/ajv.tgz',
      integrity: 'sha512-a',
    };
    const plain = lock({ '': { name: 'x' }, 'node_modules/ajv': ajv });
    const tool = { version: '1.0.0', integrity: 'sha512-b', dev: true };
    expect(lock({ 'node_modules/ajv': ajv, 'node_modules/tool': tool })).toBe(plain);
    expect(lock({ 'node_modules/ajv': { ...ajv, resolved: 'https://two.example/a' } })).toBe(plain);
    for (const change of [{ version: '8.20.1' }, { integrity: 'sha512-c' }])
      expect(lock({ 'node_modules/ajv': { ...ajv, ...change } })).not.toBe(plain);
  });
});
