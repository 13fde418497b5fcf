import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Step, changedSteps, corpusStep, quickSteps, slowSteps } from './steps.ts';
import { type Tally, addTallies, readReportTally, renderTally, tallyOf } from './tally.ts';

const help = `Usage: npm test -- [options]

Runs every step, also after a failure. The last line counts the checks: "12 passed, 1 failed".

  --all               Also the slow steps, after installing the packages that they need. Takes an hour.
  --changed [commit]  Only types, format, lint, and the tests that depend on changes since the commit.
                      Default: changes that are not committed.
`;

interface Result {
  readonly name: string;
  readonly tally: Tally;
  readonly seconds: number;
}

async function main(steps: readonly Step[]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-contract-'));
  const results: Result[] = [];
  try {
    for (const step of steps) {
      console.log(`\n== ${step.name}: ${step.command}`);
      results.push(await runStep(step, join(folder, 'report.json')));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const total = addTallies(results.map(({ tally }) => tally));
  console.log(renderResults(results));
  // Again at the end: the output of a long run is often cut to its last lines.
  for (const failure of total.failures) console.log(`Failed: ${failure}`);
  console.log(renderTally(total));
  return total.failed === 0 ? 0 : 1;
}

async function runStep(
  { name, command, isVitest, skippedBy }: Step,
  report: string,
): Promise<Result> {
  const start = performance.now();
  await rm(report, { force: true });
  const reporters = ` --reporter=default --reporter=json --outputFile.json="${report}"`;
  const exitCode = await runCommand(isVitest === true ? command + reporters : command);
  const tally =
    exitCode === skippedBy
      ? { passed: 0, failed: 0, skipped: 1, failures: [] }
      : isVitest === true
        ? await readReportTally(report, exitCode)
        : tallyOf(exitCode === 0, name);
  return { name, tally, seconds: (performance.now() - start) / 1000 };
}

/** The exit code of a shell command; 1 if a signal ended it or it could not start. */
function runCommand(command: string): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', () => resolve(1));
    child.once('close', (code) => resolve(code ?? 1));
  });
}

function renderResults(results: readonly Result[]): string {
  const lines = results.map(
    ({ name, tally, seconds }) =>
      `${name.padEnd(18)}${renderTally(tally).padEnd(36)}${seconds.toFixed(1)} s`,
  );
  return ['', ...lines, ''].join('\n');
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
else if (values.all === true)
  process.exitCode = await main([
    ...quickSteps,
    ...slowSteps,
    ...(corpus === '' ? [] : [corpusStep(corpus)]),
  ]);
else process.exitCode = await main(quickSteps);
