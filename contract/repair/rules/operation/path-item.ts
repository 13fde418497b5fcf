import { withoutQuery } from '../../../openapi/path-pattern.ts';
import { isJsonArray, isJsonObject, type JsonObject } from '../../../json/value.ts';
import { removeMember, renameMember, setMember } from '../../../json/edit.ts';
import { type Repair, type Rule, setAside, warning } from '../../base/repair.ts';
import type { Place } from '../../base/place.ts';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

/** Methods in capitals. */
export const repairPathItem: Rule = (item, place, repair) => {
  for (const name of Object.keys(item)) {
    const at = { parent: place, token: name };
    const method = methods.find((one) => one === name.toLowerCase());
    if (method === undefined || method === name || item[method] !== undefined) continue;
    repair.report(at, warning(`${name} is no method`, `Write ${method}; it is read so.`));
    repair.keepOrigin(item[name], at);
    renameMember(item, name, method);
  }
};

/** Names of paths without a slash before them, or with a query behind them. */
export const repairPaths: Rule = (paths, place, repair) => {
  const meant = Map.groupBy(Object.keys(paths), readPath);
  for (const name of Object.keys(paths)) {
    if (name.startsWith('x-') || name === '$ref') continue;
    const at = { parent: place, token: name };
    const read = readPath(name);
    if (read === name) continue;
    const isItem = isJsonObject(paths[name]);
    const isShared = read !== undefined && (meant.get(read) ?? []).length > 1;
    // A constant parameter may tell which of them a request means.
    if (isShared && isItem && withoutQuery(name) !== name && name.startsWith(read)) continue;
    if (read === undefined || !isItem) {
      const remedy = 'Write a path with a slash before it and braces in pairs.';
      repair.report(at, setAside(`${name} is no path`, remedy));
      removeMember(paths, name);
      continue;
    }
    repair.report(at, warning(`${name} is no path`, `Write ${read}; it is read so.`));
    repair.keepOrigin(paths[name], at);
    if (paths[read] === undefined) renameMember(paths, name, read);
    else mergeItem(paths, name, read, at, repair);
  }
};

/** Gives the operations of a path to another that means the same and has no such methods. */
function mergeItem(
  paths: JsonObject,
  name: string,
  read: string,
  place: Place,
  repair: Repair,
): void {
  const [from, to] = [paths[name], paths[read]];
  if (!isJsonObject(from) || !isJsonObject(to)) return;
  const shared = isJsonArray(from['parameters']) ? from['parameters'] : [];
  for (const method of methods) {
    const operation = from[method];
    if (!isJsonObject(operation)) continue;
    const at = { parent: place, token: method };
    if (to[method] !== undefined) {
      const reason = `${read} has a ${method} of its own`;
      repair.report(at, setAside(reason, 'Remove one of the two; only the other is read.'));
      continue;
    }
    repair.keepOrigin(operation, at);
    const own = isJsonArray(operation['parameters']) ? operation['parameters'] : [];
    if (shared.length > 0) setMember(operation, 'parameters', [...shared, ...own]);
    setMember(to, method, operation);
  }
  removeMember(paths, name);
}

/** Undefined where the braces do not match. */
function readPath(name: string): string | undefined {
  const path = withoutQuery(name.trim().replaceAll('${', '{'));
  const slashed = path.startsWith('/') ? path : `/${path}`;
  const braced = slashed.replaceAll(/\/:(\w+)(?=\/|$)/g, '/{$1}');
  const closed = braced.replaceAll(/\{([^{}/]+)(?=\/|$)/g, '{$1}');
  return /[{}]/.test(closed.replaceAll(/\{[^{}/]+\}/g, '')) ? undefined : closed;
}
