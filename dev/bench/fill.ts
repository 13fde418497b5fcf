import { packageFile } from '../../cli/package/package-root.ts';
import type { Contract } from '../../contract/contract.ts';
import { loadContract } from '../../contract/load.ts';
import { type Mock, type MockRequest, createMock } from '../../mock/index.ts';
import { apiKey } from '../load/server-process.ts';
import { median } from '../load/statistics.ts';
import { makePets } from './scenario.ts';

/** The cost of an inventory of some size. */
export interface Scale {
  readonly pets: number;
  /** Microseconds of one list of 20, through `mock.handle`. */
  readonly listMicroseconds: number;
  /** Bytes of memory per pet beyond its JSON text. */
  readonly bytesBeyondText: number;
}

const listRequest: MockRequest = {
  method: 'GET',
  target: '/v1/pets?limit=20',
  headers: { authorization: `Bearer ${apiKey}` },
  content: undefined,
};

async function fill(pets: number) {
  const contract = await loadContract({ file: packageFile('openapi.yaml') });
  const before = heapBytes();
  const mock = openMock(contract, pets);
  const bytes = heapBytes() - before;
  const textBytes = makePets(pets).reduce((sum, pet) => sum + JSON.stringify(pet).length, 0);
  return { pets, mock, bytesBeyondText: (bytes - textBytes) / pets };
}

/** A separate function: while a function runs, Node may retain what it has passed on, here the seed. */
function openMock(contract: Contract, pets: number): Mock {
  const limits = { Enterprise: { minute: 900_000_000, day: 900_000_000 } };
  return createMock(contract, { limits, seed: { '/pets': makePets(pets) } });
}

function heapBytes(): number {
  for (let pass = 0; pass < 3; pass += 1) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function timeLists(mock: Mock, times: number): number {
  const started = performance.now();
  for (let time = 0; time < times; time += 1)
    if (mock.handle(listRequest).status !== 200) throw new Error('A list was not answered 200.');
  return ((performance.now() - started) * 1000) / times;
}

/** Run with `--expose-gc`: sizes are arguments, the output is JSON. The first mock is the warm-up. */
await fill(1000);
const filled: Awaited<ReturnType<typeof fill>>[] = [];
for (const size of process.argv.slice(2)) filled.push(await fill(Number(size)));
const rounds = Array.from({ length: 21 }, () =>
  filled.map(({ mock }) => timeLists(mock, 1000)),
).slice(6);
const scales: readonly Scale[] = filled.map(({ pets, bytesBeyondText }, index) => ({
  pets,
  listMicroseconds: median(rounds.map((times) => times[index] ?? Number.NaN)),
  bytesBeyondText,
}));
process.stdout.write(`${JSON.stringify(scales)}\n`);
