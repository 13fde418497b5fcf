import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createParty, verifyingOptions } from '../../../test/cli/certificates.ts';
import { petstore as contract } from '../../../test/contract/petstore.ts';
import { certificateLimits } from '../../../contract/limits/index.ts';
import { verifyShards } from '../verify.ts';

test('certificates of shards are read up to so many bytes together, and no further', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-shards-'));
  try {
    const most = certificateLimits.shardBytes;
    const each = certificateLimits.fileBytes;
    const whole = Math.floor(most / each);
    const sizes = [...Array.from({ length: whole }, () => each), most - whole * each];
    const files = await Promise.all(
      sizes.map(async (size, at) => {
        const file = join(folder, `${at}.json`);
        // A file with a hole: nothing of it is on the disk.
        const handle = await open(file, 'w');
        await handle.truncate(size);
        await handle.close();
        return file;
      }),
    );
    const options = verifyingOptions(contract, createParty());
    const verified = await verifyShards(contract, files, options);
    expect(verified.map(({ kind }) => kind)).toEqual(sizes.map(() => 'broken'));
    await writeFile(join(folder, 'more.json'), ' ');
    const more = verifyShards(contract, [...files, join(folder, 'more.json')], options);
    await expect(more).rejects.toThrow(
      /too large: up to .*more\.json they have 536,870,913 bytes together, and at most 536,870,912 are read/,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}, 120_000);
