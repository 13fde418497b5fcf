import { spawnSync } from 'node:child_process';
import manifest from '../../package.json' with { type: 'json' };
import { bundledPackages } from './bundled-packages.ts';

/**
 * `npm run advisories`: asks the registry, by `npm audit`, what is known of the packages that users
 * get. A package that depends on a vulnerable one is listed too, so direct dependencies suffice.
 * Exit codes: 0 nothing high or critical, 1 something, 2 the registry did not answer.
 */
const { stdout } = spawnSync('npm', ['audit', '--json'], { encoding: 'utf8' });
const vulnerabilities = readVulnerabilities(stdout);
if (vulnerabilities === undefined) {
  console.log('The registry did not answer: advisories were not checked.');
  process.exitCode = 2;
} else {
  const copied = 'swagger-ui-dist';
  const shipped = new Set([...Object.keys(manifest.dependencies), ...bundledPackages, copied]);
  const found = Object.entries(vulnerabilities).filter(([name]) => shipped.has(name));
  for (const [name, { severity }] of found) console.log(`${name}: ${severity}`);
  const isSevere = found.some(
    ([, { severity }]) => !['info', 'low', 'moderate'].includes(severity),
  );
  console.log(`${found.length} packages with advisories. \`npm audit\` has the details.`);
  process.exitCode = isSevere ? 1 : 0;
}

/** By package. Undefined where the text is not the report of an audit. */
function readVulnerabilities(
  text: string,
): Readonly<Record<string, { readonly severity: string }>> | undefined {
  try {
    const report: {
      readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>;
    } = JSON.parse(text);
    return report.vulnerabilities;
  } catch {
    return undefined;
  }
}
