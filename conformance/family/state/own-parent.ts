import type { Contract } from '../../../contract/contract.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import { sentSchema, type Resource } from '../../../contract/resource/resource.ts';
import { schemaAt } from '../../../contract/resource/item-view.ts';
import {
  collectionsOf,
  isBefore,
  parentIn,
  type Addition,
  type Collection,
  type Listing,
} from '../../judge/trace/collection.ts';
import { failed, passed, type Finding } from '../../judge/trace/finding.ts';
import { memberPlace } from '../../judge/trace/item.ts';
import { type Drafts, draftsOf, requirementId } from '../../judge/trace/requirement.ts';
import { parentOf, type Trace } from '../../judge/trace/trace.ts';
import { quote } from '../../judge/trace/words.ts';

/**
 * Whether items of a nested collection belong to one parent: the service names them, and so does not
 * add existing ones. The run must be able to add another parent.
 */
function hasOwnItems(resource: Resource, contract: Contract): boolean {
  const { create, idPlace } = resource;
  const id = create && schemaAt(sentSchema([resource], create), idPlace);
  const isNamed = id === undefined || id.shape().readOnly;
  return create !== undefined && isNamed && parentOf(contract, resource)?.create !== undefined;
}

/** Lists of a nested collection have only the items of their own parent. */
export function* listOwnParent(resource: Resource, contract: Contract): Drafts {
  const { list, create } = resource;
  if (create === undefined || !hasOwnItems(resource, contract)) return;
  const sentence = `${list.id} lists no item that ${create.id} added to another parent.`;
  // Items may be shared, or lists may include those of inner folders.
  yield draftsOf(list)({ kind: 'state', facet: 'own-parent' }, sentence, undefined, 'should');
}

/** Judges lists of parents that this run added, by the items that it added to other parents. */
export function* judgeOwnParent(trace: Trace): Generator<Finding> {
  const nested = collectionsOf(trace).filter(({ resource }) =>
    hasOwnItems(resource, trace.contract),
  );
  for (const all of Map.groupBy(nested, ({ resource }) => resource).values())
    for (const collection of all) {
      const { resource, listings } = collection;
      if (all.length === 1 || !isOfOwnParent(collection)) continue;
      const id = requirementId.state(resource.list.id, 'own-parent');
      const others = all.filter((each) => each !== collection);
      for (const listing of listings) {
        const { index, exchange } = listing.reading;
        // A request may have moved an item to another parent.
        const before = others.flatMap((each) =>
          each.additions.filter(
            ({ reading, answered }) =>
              isBefore(reading.exchange, exchange) && each.isUntouched(answered.id, exchange),
          ),
        );
        if (before.length === 0) continue;
        const strays = before.values().flatMap((each) => findIn(listing, each, collection));
        const { value: stray } = strays.next();
        if (stray === undefined) yield passed(id, index);
        else {
          const { item, by } = stray;
          const { method, target } = by.exchange.request;
          const shown = `${quote(item.members)}, which was added by ${method} ${target}`;
          const place = { at: memberPlace(item) };
          yield failed(id, index, 'only items of this parent', shown, [by.index], place);
        }
      }
    }
}

/** Whether this run added the parent, so that it is none of those that other paths name. */
function isOfOwnParent(collection: Collection): boolean {
  const parent = parentIn(collection);
  return parent?.around.ownIds().has(parent.id) === true;
}

/** The item of an addition to another collection in a list: it has its id, and a text of its own. */
function findIn({ items }: Listing, { reading: by, answered, sent }: Addition, own: Collection) {
  const isOwn = (name: string, value: JsonValue | undefined): boolean =>
    typeof value === 'string' &&
    value.length >= shortest &&
    own.additions.every((each) => each.sent[name] !== value);
  const item = items.find(
    ({ id, members }) =>
      id === answered.id &&
      Object.entries(sent).some(([name, value]) => members[name] === value && isOwn(name, value)),
  );
  return item === undefined ? [] : [{ item, by }];
}

/** Shorter texts may be equal by chance: the tag of a run has more characters. */
const shortest = 8;
