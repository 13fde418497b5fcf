import { parseArgs } from 'node:util';
import { type Growth, measureGrowth } from './lawful/growth.ts';
import { soakHostile } from './hostile/run.ts';
import { type Soak, megabytes, runSoak } from './lawful/run.ts';

const helpText = `Usage: npm run soak -- [requests] [--hostile [--seed <number>] [--document <file>]]

Sends a mix of requests, a million by default, to a mock in a process of its own, on this machine, and says whether
its memory or its connections have grown. A million take two to four minutes.
With --hostile the requests are those of a hostile client, each judged by the document: no response may be 5XX, outside
of the document, or missing, and memory must find its level. The same seed sends the same requests. --requests is
another way to give their number; --document serves another OpenAPI document.
Exit codes: 0 nothing has grown or broken, 1 something has, 2 the soak could not be made.
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

interface Wanted {
  readonly hostile: boolean;
  readonly seed: string;
  readonly document?: string | undefined;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main(argument: string, { hostile, seed, document }: Wanted): Promise<number> {
  const requests = Number(argument);
  if (!Number.isInteger(requests) || requests < 1 || requests > 100_000_000) {
    process.stderr.write(`soak: "${argument}" is no number of requests from 1 to 100000000.\n`);
    return 2;
  }
  if (!/^\d{1,9}$/.test(seed)) {
    process.stderr.write(`soak: "${seed}" is no seed: a number from 0 to 999999999.\n`);
    return 2;
  }
  if (hostile) {
    return (await soakHostile({ requests, seed: Number(seed), document }, print)) ? 0 : 1;
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
    options: {
      help: { type: 'boolean', default: false },
      hostile: { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' },
      document: { type: 'string' },
      requests: { type: 'string', default: '1000000' },
    },
    allowPositionals: true,
  });
  if (values.help) process.stdout.write(helpText);
  else process.exitCode = await main(positionals[0] ?? values.requests, values);
} catch (error) {
  process.stderr.write(`soak: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
