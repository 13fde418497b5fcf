import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Step, changedSteps, corpusStep, quickSteps, slowSteps } from './steps.ts';
import { type Tally, addTallies, readReportTally, renderTally } from './tally.ts';

const help = `Usage: npm test -- [options]

Runs every step, also after a failure. The last line counts the checks: "12 passed, 1 failed".

  --all               Also the slow steps, after installing the packages that they need. Takes an hour.
  --changed [commit]  Only types, format, lint, and the tests that depend on changes since the commit.
                      Default: changes that are not committed.
`;

async function main(steps: readonly Step[]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-contract-'));
  const tallies: Tally[] = [];
  const lines: string[] = [];
  try {
    for (const step of steps) {
      console.log(`\n== ${step.name}: ${step.command}`);
      const start = performance.now();
      const tally = await runStep(step, join(folder, 'report.json'));
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      tallies.push(tally);
      lines.push(`${step.name.padEnd(18)}${renderTally(tally).padEnd(36)}${seconds} s`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const total = addTallies(tallies);
  console.log(['', ...lines, ''].join('\n'));
  // Again at the end: the output of a long run is often cut to its last lines.
  for (const failure of total.failures) console.log(`Failed: ${failure}`);
  console.log(renderTally(total));
  return total.failures.length === 0 ? 0 : 1;
}

async function runStep(step: Step, report: string): Promise<Tally> {
  const { name, command, isVitest, skippedBy } = step;
  await rm(report, { force: true });
  const reporters = ` --reporter=default --reporter=json --outputFile.json="${report}"`;
  const exitCode = runCommand(isVitest === true ? command + reporters : command);
  if (exitCode === skippedBy) return { passed: 0, skipped: 1, failures: [] };
  if (isVitest === true) return await readReportTally(report, exitCode);
  return exitCode === 0
    ? { passed: 1, skipped: 0, failures: [] }
    : { passed: 0, skipped: 0, failures: [name] };
}

/** The exit code of a shell command; 1 if a signal ended it or it could not start. */
function runCommand(command: string): number {
  return spawnSync(command, { shell: true, stdio: ['ignore', 'inherit', 'inherit'] }).status ?? 1;
}

const corpus = process.env['OPENAPI_CORPUS'] ?? '';
const { values, positionals } = parseArgs({
  options: {
    all: { type: 'boolean' },
    changed: { type: 'boolean' },
    help: { type: 'boolean' },
  },
  allowPositionals: true,
});
if (values.help === true) console.log(help);
else if (values.changed === true) process.exitCode = await main(changedSteps(positionals[0]));
else if (values.all !== true) process.exitCode = await main(quickSteps);
else {
  const steps = [...quickSteps, ...slowSteps];
  process.exitCode = await main(corpus === '' ? steps : [...steps, corpusStep(corpus)]);
}
