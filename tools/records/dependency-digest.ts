import { createHash } from 'node:crypto';
import { type JsonValue, isJsonObject, parseJson } from '../../contract/index.ts';

/** SHA-256 over the packages that run with this one: lines of `path version integrity`. */
export function digestDependencies(lock: string): string {
  const value = parseJson(lock);
  const packages = isJsonObject(value) && isJsonObject(value['packages']) ? value['packages'] : {};
  const lines = Object.entries(packages).flatMap(([path, entry]) => listRunning(path, entry));
  return createHash('sha256').update(lines.join('')).digest('hex');
}

const apart = ['dev', 'devOptional', 'peer', 'link'];

function listRunning(path: string, entry: JsonValue | undefined): readonly string[] {
  if (!path.startsWith('node_modules/') || !isJsonObject(entry)) return [];
  if (apart.some((mark) => entry[mark] === true)) return [];
  const { version, integrity } = entry;
  return typeof version === 'string' && typeof integrity === 'string'
    ? [`${path} ${version} ${integrity}\n`]
    : [];
}
