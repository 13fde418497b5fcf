import { answersItem, type Resource } from '../../../contract/resource/resource.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { changesOf, isRefusalStatus, type ChangeAct } from './change.ts';
import { readItem, type Item } from './item.ts';
import { itemOf, pathIdOf, renderPlain, type Reading } from './trace.ts';

/** What a resource has to hold by this run's own requests; others' items may come and go. */
export interface Model {
  readonly resource: Resource;
  /** Identifiers of items that this run added and that have to be there, oldest first. */
  readonly ours: () => readonly string[];
  /** Identifiers of items that this run removed. */
  readonly removed: () => readonly string[];
  /** What is known of an item; undefined where nothing is. */
  readonly stateOf: (id: string) => ModelState | undefined;
  /** Takes in a response. */
  readonly note: (reading: Reading) => void;
  /** Knows nothing of an item any more. */
  readonly forget: (id: string) => void;
}

/** What the last request that touched an item left of it, and which one that was. */
export type ModelState = ItemThere | { readonly kind: 'removed'; readonly by: Reading };

export interface ItemThere {
  readonly kind: 'there';
  readonly by: Reading;
  readonly act: Exclude<Act, 'remove'>;
  /** The members that are known: those that clients set. */
  readonly members: ReadonlyMap<string, KnownMember>;
  /** The requests since then that wanted to change or remove it and were refused. */
  readonly refused: readonly Reading[];
}

/** A member as later responses may show it. */
export interface KnownMember {
  /** As it was sent, and as the response to that had it. */
  readonly values: readonly JsonValue[];
  /** The request that sent it last, or else answered it first. */
  readonly setBy: Reading;
  /** The response to that request lacked it. */
  readonly isUnsure: boolean;
}

/**
 * Creates the model of a resource of which nothing is known. `isRace`: the request was sent at the
 * same time as another about the same item; of all that were sent together, unless it is told.
 */
export function createModel(
  resource: Resource,
  isRace: (reading: Reading) => boolean = ({ exchange }) => exchange.group !== undefined,
): Model {
  const states = new Map<string, ModelState>();
  const idsOf = (kind: ModelState['kind']): readonly string[] =>
    [...states].filter(([, state]) => state.kind === kind).map(([id]) => id);
  return {
    resource,
    ours: () => idsOf('there'),
    removed: () => idsOf('removed'),
    stateOf: (id) => states.get(id),
    note: (reading) => {
      const step = readStep(reading, resource);
      if (step === undefined) return;
      const isLost = step.act !== 'create' && isRace(reading);
      const next = isLost ? undefined : follow(states.get(step.id), step, reading, resource);
      if (next !== undefined) states.set(step.id, next);
      else states.delete(step.id);
    },
    forget: (id) => void states.delete(id),
  };
}

type Act = 'create' | ChangeAct;

/** A request that wanted to add, change or remove an item. */
interface Step {
  readonly act: Act;
  readonly id: string;
}

function readStep(reading: Reading, resource: Resource): Step | undefined {
  const { operation } = reading;
  const isCreate = operation.id === resource.create?.id;
  const change = changesOf(resource).find((each) => each.operation.id === operation.id);
  if (!isCreate && change === undefined) return undefined;
  const id = isCreate ? itemOf(reading)?.[resource.idProperty] : pathIdOf(reading, resource);
  return id === undefined ? undefined : { act: change?.act ?? 'create', id: renderPlain(id) };
}

/** What an item is after a request; undefined: not known any more. */
function follow(
  before: ModelState | undefined,
  { act, id }: Step,
  reading: Reading,
  resource: Resource,
): ModelState | undefined {
  const { response, exchange } = reading;
  if (before?.kind === 'removed' && act !== 'create' && exchange.intent.kind === 'absent')
    return before;
  if (isRefusal(reading))
    return before?.kind === 'there' ? { ...before, refused: [...before.refused, reading] } : before;
  const isDone = response.status < 300 && response.status !== 202;
  if (!isDone || exchange.intent.kind !== 'valid') return undefined;
  if (act === 'remove') return { kind: 'removed', by: reading };
  const saved = act === 'update' && before?.kind === 'there' ? before.members : undefined;
  const answered = answeredItem(reading, resource);
  if (answered !== undefined && answered.id !== id) return undefined;
  const isWhole = act !== 'update';
  const members = readMembers(reading, resource, answered, { isWhole, saved });
  return { kind: 'there', by: reading, act, members, refused: [] };
}

/** Whether a response says that nothing was done; of others that fail, nobody can say. */
export function isRefusal({ response }: Pick<Reading, 'response'>): boolean {
  return isRefusalStatus(response.status);
}

/** The item that an addition or a change answered; undefined where it has none to answer. */
export function answeredItem(reading: Reading, resource: Resource): Item | undefined {
  return answersItem(reading.operation, resource) ? readItem(itemOf(reading), resource) : undefined;
}

/** What a request leaves of the members that it does not send. */
interface Before {
  /** Nothing of what was before: its response alone tells of them. */
  readonly isWhole: boolean;
  readonly saved: ReadonlyMap<string, KnownMember> | undefined;
}

function readMembers(
  reading: Reading,
  resource: Resource,
  answered: Item | undefined,
  before: Before,
): ItemThere['members'] {
  const sent = isJsonObject(reading.sent) ? reading.sent : {};
  const exact = exactMembers(sent);
  return new Map(
    settableNames(resource).flatMap((name) => {
      const isSent = Object.hasOwn(sent, name);
      const saved = before.saved?.get(name)?.values;
      const isUnknown = isSent ? exact[name] === undefined : !before.isWhole && saved === undefined;
      if (isUnknown) return [];
      const received = answered?.members[name];
      const values = [...(isSent ? [exact[name]] : (saved ?? [])), received].filter(
        (value) => value !== undefined,
      );
      const isUnsure = answered?.valid === true && received === undefined;
      const setBy = isSent ? reading : (before.saved?.get(name)?.setBy ?? reading);
      return values.length === 0 ? [] : [[name, { values, setBy, isUnsure }] as const];
    }),
  );
}

/** The members of a body; of null and objects nothing is known, as operations differ there. */
export function exactMembers(sent: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(sent).filter(([, value]) => value !== null && !isJsonObject(value)),
  );
}

/** The members that a client may set: the service may change all others as it likes. */
function settableNames(resource: Resource): readonly string[] {
  const { create, replace, update, idProperty } = resource;
  const nodes = [create, replace, update].flatMap(
    (operation) => operation?.requestBody?.content.flatMap(({ schema }) => schema ?? []) ?? [],
  );
  const names = nodes.flatMap((node) => [...node.shape().properties.keys()]);
  return [...new Set(names)].filter((name) => name !== idProperty);
}
