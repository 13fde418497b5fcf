import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { keepItems, setMember } from '../../json/edit.ts';
import { type Repair, warning } from '../base/repair.ts';
import type { Place } from '../base/place.ts';
import { follow, listOperations, type PlacedOperation } from './operations.ts';
import { wordOf } from '../../json/word.ts';

/** Path parameters that the path has not, or that are not described, and parameters said twice. */
export function repairPathParameters(repair: Repair): void {
  const seen = new Set<JsonObject>();
  for (const placed of listOperations(repair)) {
    const { path, operation, place, item, itemPlace } = placed;
    for (const [holder, at] of [
      [item, itemPlace],
      [operation, place],
    ] as const) {
      if (seen.has(holder)) continue;
      seen.add(holder);
      keepUsed(repair, holder, path, at);
    }
    addUndescribed(repair, placed);
  }
}

function namesIn(path: string): readonly string[] {
  return [...new Set([...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name))];
}

function keepUsed(repair: Repair, holder: JsonObject, path: string, place: Place): void {
  const { parameters } = holder;
  if (!isJsonArray(parameters)) return;
  const names = namesIn(path);
  const above = { parent: place, token: 'parameters' };
  const keys = new Set<string>();
  const kept = parameters.filter((value, index) => {
    const at = { parent: above, token: index };
    const parameter = follow(repair, value, at);
    if (!isJsonObject(parameter)) return false;
    const { name, in: where } = parameter;
    const reason = keys.has(keyOf(parameter))
      ? `the ${wordOf(where)} parameter ${wordOf(name)} is described twice`
      : where === 'path' && !names.includes(wordOf(name))
        ? `the path parameter ${wordOf(name)} is not in the path ${path}`
        : undefined;
    if (reason !== undefined) repair.report(at, warning(reason, 'Remove it; it is not read.'));
    else keys.add(keyOf(parameter));
    return reason === undefined;
  });
  if (kept.length === parameters.length) return;
  for (const [index, value] of parameters.entries())
    repair.keepOrigin(value, { parent: above, token: index });
  keepItems(parameters, kept);
}

function keyOf({ name, in: where }: JsonObject): string {
  return `${wordOf(where)} ${where === 'header' ? wordOf(name).toLowerCase() : wordOf(name)}`;
}

function addUndescribed(repair: Repair, { path, operation, place, item }: PlacedOperation): void {
  const lists = [item['parameters'], operation['parameters']].filter(isJsonArray);
  const described = lists.flat().map((value) => follow(repair, value, place));
  const isDescribed = (name: string): boolean =>
    described.some((one) => isJsonObject(one) && one['in'] === 'path' && one['name'] === name);
  const added: JsonValue[] = [];
  for (const name of namesIn(path).filter((one) => !isDescribed(one))) {
    const reason = `the path parameter ${name} of ${path} is not described`;
    repair.report(place, warning(reason, 'Describe it; any text is taken.'));
    added.push({ name, in: 'path', required: true, schema: { type: 'string' } });
  }
  if (added.length === 0) return;
  const own = operation['parameters'];
  setMember(operation, 'parameters', [...(isJsonArray(own) ? own : []), ...added]);
}
