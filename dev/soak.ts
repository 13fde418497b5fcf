import { spawnSync } from 'node:child_process';
import { packageFile } from '../cli/package/package-root.ts';

/**
 * `npm run soak -- 200000 --hostile`: sends this many requests to a mock, by default 6,000, and fails if
 * its memory grows. With `--hostile` it also sends a hundredth as many that no client should send.
 */
const words = process.argv.slice(2);
const [requests = '6000', ...others] = words.filter((word) => word !== '--hostile');
if (others.length > 0 || !/^[1-9]\d{0,7}$/.test(requests)) {
  console.error('Usage: npm run soak -- [requests] [--hostile]');
  process.exitCode = 2;
} else {
  const files = ['mock/soak', ...(words.includes('--hostile') ? ['mock/hostile-requests'] : [])];
  const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'slow', ...files], {
    cwd: packageFile('.'),
    stdio: 'inherit',
    env: { ...process.env, SOAK_REQUESTS: requests },
  });
  process.exitCode = status ?? 1;
}
