import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { packageFile } from '../../cli/package/package-root.ts';
import { renderReport, replaceBetweenMarkers } from './report.ts';
import { type BenchPlan, runBench } from './run.ts';

const helpText = `Usage: npm run bench -- [options]

Measures the mock against bare node:http, fastify, hono and Prism on this machine, prints the tables, and
writes them to dev/bench/README.md. Some four minutes.

  --quick  Less than two minutes, and writes nothing.
  --help   This text.
`;

const fullPlan: BenchPlan = {
  rounds: 5,
  milliseconds: 1000,
  warmUpMilliseconds: 1000,
  starts: 5,
  sizes: [1000, 100_000, 1_000_000],
};
const quickPlan: BenchPlan = {
  rounds: 3,
  milliseconds: 250,
  warmUpMilliseconds: 600,
  starts: 2,
  sizes: [1000, 100_000],
};

const log = (line: string): void => void process.stderr.write(`${line}\n`);

async function bench(plan: BenchPlan, page: string | undefined): Promise<void> {
  const folder = await mkdtemp(packageFile('node_modules/.petstore-bench-'));
  try {
    const report = renderReport(await runBench(plan, folder, log));
    process.stdout.write(`${report}\n`);
    if (page !== undefined)
      await writeFile(page, replaceBetweenMarkers(await readFile(page, 'utf8'), report));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
if (values.help === true) process.stdout.write(helpText);
else if (values.quick === true) await bench(quickPlan, undefined);
else await bench(fullPlan, packageFile('dev/bench/README.md'));
