import { loadContract } from '../../contract/load.ts';

/** For tests: the contract of `openapi.yaml`, loaded once for all tests of a worker. */
export const petstore = await loadContract({
  file: new URL('../../openapi.yaml', import.meta.url).pathname,
});
