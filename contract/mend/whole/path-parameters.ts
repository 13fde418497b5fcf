import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { keepItems, setMember } from '../base/edit.ts';
import { type Mending, warning } from '../base/mending.ts';
import type { Place } from '../base/place.ts';
import { follow, listOperations, type PlacedOperation } from './operations.ts';
import { wordOf } from '../base/word.ts';

/** Path parameters that the path has not, or that are not described, and parameters said twice. */
export function mendPathParameters(mending: Mending): void {
  const seen = new Set<JsonObject>();
  for (const placed of listOperations(mending)) {
    const { path, operation, place, item, itemPlace } = placed;
    for (const [holder, at] of [
      [item, itemPlace],
      [operation, place],
    ] as const) {
      if (seen.has(holder)) continue;
      seen.add(holder);
      keepUsed(mending, holder, path, at);
    }
    addUndescribed(mending, placed);
  }
}

function namesIn(path: string): readonly string[] {
  return [...new Set([...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name))];
}

function keepUsed(mending: Mending, holder: JsonObject, path: string, place: Place): void {
  const { parameters } = holder;
  if (!isJsonArray(parameters)) return;
  const names = namesIn(path);
  const above = { parent: place, token: 'parameters' };
  const keys = new Set<string>();
  const kept = parameters.filter((value, index) => {
    const at = { parent: above, token: index };
    const parameter = follow(mending, value, at);
    if (!isJsonObject(parameter)) return false;
    const { name, in: where } = parameter;
    const reason = keys.has(keyOf(parameter))
      ? `the ${wordOf(where)} parameter ${wordOf(name)} is described twice`
      : where === 'path' && !names.includes(wordOf(name))
        ? `the path parameter ${wordOf(name)} is not in the path ${path}`
        : undefined;
    if (reason !== undefined) mending.report(at, warning(reason, 'Remove it; it is not read.'));
    else keys.add(keyOf(parameter));
    return reason === undefined;
  });
  if (kept.length === parameters.length) return;
  for (const [index, value] of parameters.entries())
    mending.keepOrigin(value, { parent: above, token: index });
  keepItems(parameters, kept);
}

function keyOf({ name, in: where }: JsonObject): string {
  return `${wordOf(where)} ${where === 'header' ? wordOf(name).toLowerCase() : wordOf(name)}`;
}

function addUndescribed(mending: Mending, { path, operation, place, item }: PlacedOperation): void {
  const lists = [item['parameters'], operation['parameters']].filter(isJsonArray);
  const described = lists.flat().map((value) => follow(mending, value, place));
  const isDescribed = (name: string): boolean =>
    described.some((one) => isJsonObject(one) && one['in'] === 'path' && one['name'] === name);
  const added: JsonValue[] = [];
  for (const name of namesIn(path).filter((one) => !isDescribed(one))) {
    const reason = `the path parameter ${name} of ${path} is not described`;
    mending.report(place, warning(reason, 'Describe it; any text is taken.'));
    added.push({ name, in: 'path', required: true, schema: { type: 'string' } });
  }
  if (added.length === 0) return;
  const own = operation['parameters'];
  setMember(operation, 'parameters', [...(isJsonArray(own) ? own : []), ...added]);
}
