import { packageFile } from '../../cli/package/package-root.ts';
import { buildPackage } from './package-build.ts';

/** `npm run build`: writes `dist/`. */
await buildPackage(packageFile('dist'));
