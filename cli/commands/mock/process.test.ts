import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { packageFile } from '../../package/package-root.ts';

test.each(['SIGINT', 'SIGTERM'] as const)(
  'petstore mock ends with exit code 0 on %s',
  async (signal) => {
    const child = spawn(
      process.execPath,
      [packageFile('cli/petstore.ts'), 'mock', '--port', '0', '--quiet'],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(child.stdout, 'data');
    child.kill(signal);
    const ended: unknown[] = await once(child, 'exit');
    expect(ended).toEqual([0, null]);
  },
);
