import { judgeAudit } from '../supply/advisories.ts';
import { fetchAudit } from '../supply/audit.ts';
import { listShippedPackages } from './package-build.ts';

/** `npm run advisories`: asks the registry what is known of the packages that users get. */
const { exitCode, text } = judgeAudit(await fetchAudit(), await listShippedPackages());
console.log(text);
process.exitCode = exitCode;
