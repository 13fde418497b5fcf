import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { packageFile } from '../cli/package/package-root.ts';
import { slowSteps } from './test/steps.ts';

const soak = (...words: readonly string[]) => {
  const [program = '', ...script] = manifest.scripts.soak.split(' ');
  return spawnSync(program, [...script, ...words], { cwd: packageFile('.'), encoding: 'utf8' });
};

test.each([['--hostil'], ['many'], ['0'], ['200000', '1'], ['--hostile', '-1']])(
  'npm run soak rejects %s %s',
  (...words) => {
    expect(soak(...words)).toMatchObject({
      status: 2,
      stderr: 'Usage: npm run soak -- [requests] [--hostile]\n',
    });
  },
);

test('CI sends 200,000 requests', () => {
  expect(slowSteps).toContainEqual({ name: 'soak', command: 'npm run --silent soak -- 200000' });
});
