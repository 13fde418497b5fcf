import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { petstore as contract } from '../../../test/contract/petstore.ts';
import { mutantOf } from '../../../test/report/causes.ts';
import { runCommand } from '../../../test/cli/command.ts';
import { openService, type TestTarget } from '../../../test/cli/target.ts';

let folder: string;
let sound: TestTarget;
let faulty: TestTarget;
let printed: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-replay-'));
  sound = await openService(contract);
  faulty = await openService(contract, mutantOf('name-cut-255').behaviour());
  const { stdout } = await conform(faulty, '--report', folder, '--quiet');
  printed = stdout;
});
afterAll(async () => {
  await sound[Symbol.asyncDispose]();
  await faulty[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function conform({ target }: TestTarget, ...more: readonly string[]): Promise<Ended> {
  const key = target.apiKey ?? '';
  return await runCommand('conform', '--base-url', target.baseUrl, '--api-key', key, ...more);
}

/** The place of the failure in the report's own file, as the other files of the report name it. */
async function placeIn(file: string): Promise<string> {
  const text = await readFile(join(folder, file), 'utf8');
  return /--replay (?:'|&apos;)(report\.json#[0-9a-f]{8})/.exec(text)?.[1] ?? '';
}

describe('a replay by its position in a report', () => {
  test('is the same in every file, short, and whole only in report.json', async () => {
    const places = await Promise.all(['report.html', 'summary.md', 'junit.xml'].map(placeIn));
    expect(new Set(places).size).toBe(1);
    expect(places[0]).toHaveLength('report.json#'.length + 8);
    expect(printed).toContain(`--replay '${join(folder, places[0] ?? '')}'`);
    expect(printed).not.toContain('r1-');
    expect(await readFile(join(folder, 'report.json'), 'utf8')).toContain('"replay": "r1-');
  });

  test('shows whether the failure is still there', async () => {
    const place = join(folder, await placeIn('report.html'));
    const still = await conform(faulty, '--replay', place);
    expect([still.code, still.stdout]).toEqual([1, expect.stringContaining('STILL FAILED')]);
    const gone = await conform(sound, '--replay', place);
    expect([gone.code, gone.stdout]).toEqual([0, expect.stringMatching(/^PASSED/)]);
    const id = place.slice(place.indexOf('#'));
    expect((await conform(sound, '--replay', `${folder}${id}`)).code).toBe(0);
  });

  test('is rejected with advice if the position does not exist', async () => {
    const other = join(folder, 'other.json');
    await writeFile(other, '{}');
    const report = join(folder, 'report.json');
    for (const [reference, reason] of [
      [`${report}#00000000`, /has no replay 00000000/],
      [report, /Copy the id after # from a replay line/],
      [
        `${folder}/none.json#00000000`,
        /none\.json does not exist\. Pass the path of the report\.json/,
      ],
      [`${other}#00000000`, /other\.json is not a report/],
      [`${folder}/junit.xml#00000000`, /junit\.xml is not valid JSON/],
      ['nonsense', /neither a replay id \(r1-\.\.\.\) nor a report file/],
    ] as const) {
      const { code, stderr } = await conform(sound, '--replay', reference);
      expect([code, stderr]).toEqual([2, expect.stringMatching(reason)]);
    }
  });
});
