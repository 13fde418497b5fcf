import { spawnSync } from 'node:child_process';
import manifest from '../../package.json' with { type: 'json' };
import { bundledPackages } from './notices.ts';

interface AuditReport {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>;
}

/**
 * `npm run advisories`: the findings of `npm audit` for the packages that users install. A package that
 * depends on a vulnerable one is listed too, so direct dependencies suffice. Exit codes: 0 nothing high or
 * critical, 1 findings, 2 the registry did not respond.
 */
const { stdout } = spawnSync('npm', ['audit', '--json'], { encoding: 'utf8' });
const { vulnerabilities }: AuditReport = JSON.parse(stdout || '{}');
const copied = 'swagger-ui-dist';
const shipped = new Set([...Object.keys(manifest.dependencies), ...bundledPackages, copied]);
const found = Object.entries(vulnerabilities ?? {}).filter(([name]) => shipped.has(name));
for (const [name, { severity }] of found) console.log(`${name}: ${severity}`);
const isSevere = found.some(([, { severity }]) => /^(high|critical)$/.test(severity));
if (vulnerabilities === undefined) console.log('The registry did not answer.');
process.exitCode = vulnerabilities === undefined ? 2 : Number(isSevere);
