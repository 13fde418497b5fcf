import { expect, test } from 'vitest';
import { PetstoreError } from '../../../contract/error/petstore-error.ts';
import { openStateEngine } from './open.ts';

test.each([
  ['valkey://:hunter/2secret@db:6379', '"valkey://db:6379" does not name a server.'],
  ['redis+tls://app:hunter2@db', '"redis+tls://db" is not an address for state.'],
  ['redis://app:hunter#2@db', '"redis://db" does not name a server.'],
  ['redis:app:hunter2@db', '"redis:db" does not name a server.'],
  ['app:hunter2@db', '"app:db" is not an address for state.'],
  ['redis://app:hunter2@db:99999', '"redis://db:99999" does not name a server.'],
  [
    'redis://app:1/hunter2@db',
    '"redis://db" has a password with a character that must be percent-encoded.',
  ],
  [
    'redis://app:1?hunter2@db',
    '"redis://db" has a password with a character that must be percent-encoded.',
  ],
  [
    'redis://app:1#hunter2@db',
    '"redis://db" has a password with a character that must be percent-encoded.',
  ],
])('an error about "%s" does not contain the password', async (address, message) => {
  const error: unknown = await openStateEngine(address, () => undefined).catch(
    (one: unknown) => one,
  );
  if (!(error instanceof PetstoreError)) throw new Error('no error');
  expect(error.message).toContain(message);
  expect(`${error.message} ${error.stack}`).not.toContain('hunter');
});
