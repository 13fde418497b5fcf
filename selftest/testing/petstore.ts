import { packageFile } from '../../cli/package/package-root.ts';
import { loadContract } from '../../contract/index.ts';

/** The contract of this project, loaded once for all tests of a worker. */
export const petstore = await loadContract({ file: packageFile('openapi.yaml') });
