import { readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { packageFile } from '../../cli/package/package-root.ts';
import type { Machine } from './measurement.ts';

const packages = ['@stoplight/prism-cli', 'fastify', 'hono', '@hono/node-server'];

export function describeMachine(isPinned: boolean): Machine {
  const processors = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memoryBytes: totalmem(),
    isPinned,
    loadBefore: loadavg()[0] ?? Number.NaN,
    versions: [
      `Node.js ${process.versions.node}`,
      ...packages.map((name) => `${name} ${versionOf(name)}`),
    ],
  };
}

function versionOf(name: string): string {
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(packageFile(`node_modules/${name}/package.json`), 'utf8'),
  );
  return manifest.version;
}
