import { parseArgs } from 'node:util';
import { type Growth, measureGrowth } from './growth.ts';
import { type Soak, megabytes, runSoak } from './run.ts';

const helpText = `Usage: npm run soak -- [requests]

Sends a mix of requests, a million by default, to a mock in a process of its own, on this machine, and says whether
its memory or its connections have grown. A million take two to four minutes.
Exit codes: 0 nothing has grown, 1 something has, 2 the soak could not be made.
`;

/** What the heap after a collection differs by from one sample to another, without a leak. */
const heapAllowance = 2 ** 20;

/** The share by which resident memory differs: the system gives and takes in large pieces. */
const residentAllowance = 0.1;

function judge({ heap, resident, resources }: Soak) {
  return [
    showGrowth('heap after a collection', measureGrowth(heap, heapAllowance)),
    showGrowth('resident memory', measureGrowth(resident, residentAllowance * (resident[0] ?? 0))),
    {
      text: `open at the end: ${resources.after.join(', ')} (before: ${resources.before.join(', ')})`,
      isFault: resources.after.join() !== resources.before.join(),
    },
  ];
}

function showGrowth(name: string, { first, last, hasGrown }: Growth) {
  return {
    text: `${name}: ${megabytes(first)} in the first third, ${megabytes(last)} in the last`,
    isFault: hasGrown,
  };
}

async function main(argument: string): Promise<number> {
  const requests = Number(argument);
  if (!Number.isInteger(requests) || requests < 1 || requests > 100_000_000) {
    process.stderr.write(`soak: "${argument}" is no number of requests from 1 to 100000000.\n`);
    return 2;
  }
  const soak = await runSoak(requests, (line) => void process.stderr.write(`${line}\n`));
  const findings = judge(soak);
  process.stdout.write(`${soak.requests} requests in ${soak.seconds.toFixed(0)} s\n`);
  for (const { text, isFault } of findings)
    process.stdout.write(`${text}${isFault ? ': GROWN' : ''}\n`);
  return findings.some(({ isFault }) => isFault) ? 1 : 0;
}

try {
  const { values, positionals } = parseArgs({
    options: { help: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  if (values.help) process.stdout.write(helpText);
  else process.exitCode = await main(positionals[0] ?? '1000000');
} catch (error) {
  process.stderr.write(`soak: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
