import { expect, test } from 'vitest';
import { listen } from './server.ts';

test('importing the server in a browser names the integrations that work there', async () => {
  await expect(listen()).rejects.toThrow('mockHandlers of petstore-contract/msw');
});
