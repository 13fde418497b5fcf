import type { InferredResource } from '../../../contract/resource/resource.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import type { SchemaNode } from '../../../contract/schema/schema-node.ts';
import { lastWord, plainName } from '../../../contract/resource/names.ts';
import { membersOf } from '../../../contract/resource/item-view.ts';
import { largest } from '../../../contract/list/list.ts';
import type { Action } from '../../operation/response/outcome.ts';
import type { Collection } from '../collection.ts';
import { type OpenItem, openItem } from '../store/item.ts';
import { isRefusal } from '../../operation/response/refusal.ts';
import { compileShow } from './show.ts';

/** Does something to one item: a status whose target is evident moves there. */
export function compileAct(
  collection: Collection,
  operation: Operation,
  otherwise: Action,
): Action {
  const { resource } = collection;
  const showsItem = isOfItem(resource, operation);
  const show = showsItem ? compileShow(collection, operation, otherwise) : undefined;
  const target = operation.method === 'GET' ? undefined : statusTarget(resource, operation);
  return (input, call) => {
    const name = collection.nameIn(call);
    const known = collection.find(operation, call);
    const isRemoved = collection.read(call).isRemoved(name);
    if (known === undefined && isRemoved && operation.method !== 'DELETE')
      return collection.missing(operation, call);
    if (known === undefined) return otherwise(input, call);
    const moved = target && move(openItem(known), target);
    const item = moved === undefined ? known : collection.change(moved, {}, call, operation);
    if (isRefusal(item)) return otherwise(input, call);
    if (item !== known) collection.write(call).put(item);
    return show === undefined ? otherwise(input, call) : show(item, input, call);
  };
}

/** Whether the response shows the item itself: by its schema, or by most of its members. */
function isOfItem(resource: InferredResource, operation: Operation): boolean {
  const view = resource.viewOf(operation);
  if (view === undefined) return false;
  const items = resource.showing.flatMap((one) => resource.viewOf(one)?.item ?? []);
  if (items.some(({ pointer }) => pointer === view.item.pointer)) return true;
  const own = [...membersOf(view.item).keys()];
  const shared = items.map((item) => own.filter((name) => membersOf(item).has(name)).length);
  return view.idPlace !== undefined && own.length > 2 && largest(shared, 0) > own.length / 2;
}

interface StatusTarget {
  readonly member: string;
  readonly value: JsonValue;
}

const usualTargets: ReadonlyMap<string, readonly string[]> = new Map([
  ['start', ['running', 'inprogress', 'active']],
  ['run', ['running', 'active']],
  ['stop', ['stopped', 'terminated', 'inactive']],
  ['resume', ['running', 'active', 'resumed']],
  ['restore', ['active', 'restored']],
  ['enable', ['enabled', 'active']],
  ['disable', ['disabled', 'inactive']],
  ['activate', ['active', 'activated']],
  ['deactivate', ['inactive', 'deactivated']],
  ['finish', ['done', 'completed']],
  ['pay', ['paid']],
  ['send', ['sent']],
  ['submit', ['submitted', 'pending']],
  ['reopen', ['open', 'opened', 'reopened']],
]);

/** `cancel` leads to `cancelled`, where a member of the item has that value among those it lists. */
function statusTarget(resource: InferredResource, operation: Operation): StatusTarget | undefined {
  const verb = plainName(/:(\w+)$/.exec(operation.path)?.[1] ?? lastWord(operation.path));
  if (verb.length < 3) return undefined;
  const stem = verb.replace(/(?:e|y)$/, '');
  for (const one of resource.showing) {
    const item = resource.viewOf(one)?.item;
    for (const [member, schema] of item === undefined ? [] : membersOf(item)) {
      if (!/status|state|phase/i.test(member)) continue;
      const value = targetAmong(schema, verb, stem);
      if (value !== undefined) return { member, value };
    }
  }
  return undefined;
}

function targetAmong(schema: SchemaNode, verb: string, stem: string): JsonValue | undefined {
  const values = (schema.shape().values ?? []).filter((value) => typeof value === 'string');
  const named = (usualTargets.get(verb) ?? [])
    .map((wanted) => values.find((value) => plainName(value) === wanted))
    .find((value) => value !== undefined);
  return named ?? values.find((value) => plainName(value).startsWith(stem));
}

function move(item: OpenItem, { member, value }: StatusTarget): OpenItem {
  const absent = new Set([...item.absent].filter((name) => name !== member));
  return { ...item, members: { ...item.members, [member]: value }, absent };
}
