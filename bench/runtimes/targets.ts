import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RuntimeName, type Target, type TargetFiles, floorPath } from '../server/target.ts';
import { type Runtime, runtimes } from './runtime.ts';

/**
 * For each runtime that there is, a handler that repeats the responses of the floor, and the mock.
 * Writes their files into a folder of the compiled package.
 */
export async function prepareRuntimes({
  folder,
  seed,
  floor,
}: TargetFiles): Promise<readonly Target[]> {
  const place = join(folder, 'runtimes');
  await mkdir(join(place, 'node_modules'), { recursive: true });
  await writeFile(join(place, 'package.json'), '{ "private": true, "type": "module" }');
  await symlink(folder, join(place, 'node_modules/petstore-contract'));
  const [pets, responses] = await Promise.all([readFile(seed, 'utf8'), readFile(floor, 'utf8')]);
  const targets = runtimes.map(async (runtime): Promise<readonly Target[]> => {
    const { name, program } = runtime;
    if (program === undefined) return [];
    const [bare, mock] = [join(place, `${name}-bare.js`), join(place, `${name}-mock.js`)];
    await writeFile(bare, bareHandler(responses) + serve[name]);
    await writeFile(mock, mockHandler(pets) + serve[name]);
    return [
      { name: `bare ${name}`, command: await commandOf(runtime, bare), path: floorPath },
      { name, command: await commandOf(runtime, mock), path: ({ path }) => `/v1${path}` },
    ];
  });
  return (await Promise.all(targets)).flat();
}

async function commandOf(runtime: Runtime, file: string): Promise<Target['command']> {
  const words = [runtime.program ?? runtime.name, ...(await runtime.prepare(file))];
  return (port) => ['env', `PORT=${port}`, ...words, ...(runtime.portOptions?.(port) ?? [])];
}

/** How each runtime is told of `handler`. */
const serve: Readonly<Record<RuntimeName, string>> = {
  bun: 'Bun.serve({ port: Number(process.env.PORT), fetch: handler.fetch });',
  deno: "Deno.serve({ port: Number(Deno.env.get('PORT')) }, handler.fetch);",
  workerd: 'export default { fetch: handler.fetch };',
};

function bareHandler(responses: string): string {
  return `const pairsOf = (lines) =>
  lines.flatMap((name, at) => (at % 2 === 0 ? [[name, lines[at + 1]]] : []));
const responses = new Map(
  Object.entries(${responses}).map(([path, { status, headers, body }]) => [
    path,
    { body, init: { status, headers: pairsOf(headers) } },
  ]),
);
const handler = {
  fetch({ url }) {
    const { body, init } = responses.get(url.slice(url.indexOf('/', 8))) ?? { init: { status: 404 } };
    return new Response(body, init);
  },
};
`;
}

function mockHandler(pets: string): string {
  const limits = '{ enterprise: { minute: 900000000, day: 900000000 } }';
  return `import { createFetchHandler } from 'petstore-contract/fetch';

const handler = await createFetchHandler({ seed: ${pets}, limits: ${limits} });
`;
}
