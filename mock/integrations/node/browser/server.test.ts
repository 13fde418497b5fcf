import { expect, test } from 'vitest';
import { listen } from './server.ts';

test('a browser is told which integrations it has', async () => {
  await expect(listen()).rejects.toThrow('mockHandlers of petstore-contract/msw');
});
