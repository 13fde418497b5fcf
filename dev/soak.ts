import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { packageFile } from '../cli/package/package-root.ts';

/**
 * `npm run soak -- 200000 --hostile`: sends so many requests to a mock, 6,000 by default, and fails if
 * its memory grows. With `--hostile` it also sends a hundredth as many that no client should send.
 */
const { values, positionals } = parseArgs({
  options: { hostile: { type: 'boolean' } },
  allowPositionals: true,
});
const [requests = '6000'] = positionals;
if (!/^[1-9]\d{0,7}$/.test(requests) || positionals.length > 1) {
  console.error('Usage: npm run soak -- [requests] [--hostile]');
  process.exitCode = 2;
} else {
  const files = ['mock/soak', ...(values.hostile === true ? ['mock/hostile-requests'] : [])];
  const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'slow', ...files], {
    cwd: packageFile('.'),
    stdio: 'inherit',
    env: { ...process.env, SOAK_REQUESTS: requests },
  });
  process.exitCode = status ?? 1;
}
