import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { nameFile } from './saved.ts';

const nameOf = (requirement: string): string => nameFile({ requirement, tag: 't', steps: [] });

test.each([
  ['listPets/status.200', 'listPets-status.200'],
  ['*/rate-limit.reset-plausible', 'rate-limit.reset-plausible'],
  ['--force/body', 'force-body'],
  ['../../etc/passwd', 'etc-passwd'],
  ['.hidden/status', 'hidden-status'],
  ['GET /a/{b}/status', 'GET-a-b-status'],
  ['取得/status', 'status'],
  ['取得', 'requirement'],
])('%s is saved in a file named %s', (requirement, name) => {
  expect(nameOf(requirement)).toMatch(new RegExp(`^${name}-[0-9a-f]{8}\\.json$`));
});

test('no name in a document produces a file name that is a flag, hidden, elsewhere or too long', () => {
  assert(
    property(string({ unit: 'binary', maxLength: 300 }), (requirement) => {
      expect(nameOf(requirement)).toMatch(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}-[0-9a-f]{8}\.json$/);
      expect(nameOf(`-${requirement}`)).not.toMatch(/^-/);
    }),
  );
});
