import { listShippedPackages, renderBill } from './package-build.ts';

/** `npm run sbom`: writes the bill of materials of the package that would be built to stdout. */
process.stdout.write(await renderBill(await listShippedPackages()));
