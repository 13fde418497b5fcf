import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Step, type StepResult, runStep } from './step.ts';
import { addTallies, renderTally, tallyOf } from './tally.ts';
import { tallyOfReportFile } from './vitest-report.ts';

/** `npm test`: runs every step even after a failure; the last line is the count alone. */
async function main(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-contract-'));
  try {
    const results = await runAll(stepsWith(join(folder, 'unit-tests.json')));
    console.log(renderResults(results));
    return addTallies(results.map(({ tally }) => tally)).failed === 0 ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function stepsWith(report: string): readonly Step[] {
  return [
    { name: 'type-check', command: 'npm run --silent typecheck' },
    { name: 'format', command: 'npm run --silent format:check' },
    { name: 'lint', command: 'npm run --silent lint' },
    {
      name: 'unit tests',
      command: `npm run --silent unit -- --reporter=default --reporter=json --outputFile.json="${report}"`,
      count: (exitCode) => tallyOfReportFile(report, exitCode),
    },
    { name: 'self-conformance', command: 'npm run --silent conform' },
    ...knownAdvisories(process.env['CHECK_ADVISORIES']),
    {
      name: 'own documents',
      command: `${measure} fixtures/documents --floor fixtures/documents/floor.json`,
    },
    ...publicDocuments(process.env['OPENAPI_CORPUS']),
  ];
}

const measure = 'npm run --silent corpus -- --fresh --jobs 2';

/** What the registry knows of the packages that users get, where the environment asks for it. */
function knownAdvisories(wish: string | undefined): readonly Step[] {
  if (wish !== 'true') return [];
  const notChecked = { passed: 0, failed: 0, skipped: 1 };
  return [
    {
      name: 'advisories',
      command: 'npm run --silent advisories',
      count: (exitCode) => Promise.resolve(exitCode === 2 ? notChecked : tallyOf(exitCode === 0)),
    },
  ];
}

/** The measure on public documents, where the environment names a folder of them. */
function publicDocuments(folder: string | undefined): readonly Step[] {
  if (folder === undefined || folder === '') return [];
  return [
    // Without the judgement of the own mock, which takes most of the time.
    {
      name: 'public documents',
      command: `${measure} "${folder}" --quick --floor corpus/floor.json`,
    },
  ];
}

async function runAll(steps: readonly Step[]): Promise<readonly StepResult[]> {
  const results: StepResult[] = [];
  for (const step of steps) {
    console.log(`\n== ${step.name}: ${step.command}`);
    results.push(await runStep(step));
  }
  return results;
}

function renderResults(results: readonly StepResult[]): string {
  const lines = results.map(
    ({ name, tally, seconds }) =>
      `${name.padEnd(18)}${renderTally(tally).padEnd(36)}${seconds.toFixed(1)} s`,
  );
  return ['', ...lines, '', renderTally(addTallies(results.map(({ tally }) => tally)))].join('\n');
}

process.exitCode = await main();
