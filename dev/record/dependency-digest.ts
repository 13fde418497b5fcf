import { createHash } from 'node:crypto';
import { type JsonObject, type JsonValue, isJsonObject, parseJson } from '../../contract/index.ts';
import { bundledPackages } from '../build/bundled-packages.ts';

/**
 * SHA-256 over the packages that run with this one, those that the build bundles into it too: lines of
 * `path version integrity`.
 */
export function digestDependencies(lock: string): string {
  const packages = objectOf(objectOf(parseJson(lock))['packages']);
  const running = listRunning(packages);
  const lines = Object.entries(packages)
    .filter(([path]) => running.has(path))
    .flatMap(([path, entry]) => renderLine(path, objectOf(entry)));
  return createHash('sha256').update(lines.join('')).digest('hex');
}

/** The places in the lock of all that the package or a running package depends on. */
function listRunning(packages: JsonObject): ReadonlySet<string> {
  const root = objectOf(packages['']);
  const names = [...bundledPackages, ...Object.keys(objectOf(root['dependencies']))];
  const running = new Set(names.map((name) => `node_modules/${name}`));
  // What is added on the way is visited too.
  for (const path of running)
    for (const name of Object.keys(objectOf(objectOf(packages[path])['dependencies'])))
      running.add(placeOf(packages, path, name));
  return running;
}

/** Where Node finds a dependency of the package at a path: the nearest. */
function placeOf(packages: JsonObject, path: string, name: string): string {
  const own = `${path}/node_modules/${name}`;
  const outer = path.replace(/\/?node_modules\/(?:@[^/]+\/)?[^/]+$/, '');
  return own in packages || path === '' ? own.replace(/^\//, '') : placeOf(packages, outer, name);
}

function renderLine(path: string, { version, integrity }: JsonObject): readonly string[] {
  return typeof version === 'string' && typeof integrity === 'string'
    ? [`${path} ${version} ${integrity}\n`]
    : [];
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
