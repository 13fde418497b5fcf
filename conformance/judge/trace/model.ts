import { isJsonObject, type JsonObject, type Resource } from '../../../contract/index.ts';
import { idOf, itemOf, itemsOf, pathIdOf, renderPlain, type Reading, type Trace } from './trace.ts';

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
}

/** What the last request that touched an item left of it. */
export type ModelState = { readonly by: number } &
  /** There, with the members known; `changed`: replaced or updated since it was added. */
  (
    | { readonly kind: 'there'; readonly members: JsonObject; readonly changed: boolean }
    | { readonly kind: 'removed' }
  );

/** Creates the model of a resource of which nothing is known. */
export function createModel(resource: Resource): Model {
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
      const next = follow(states.get(step.id), step, reading);
      if (next !== undefined) states.set(step.id, next);
      else states.delete(step.id);
    },
  };
}

const acts = ['create', 'replace', 'update', 'remove'] as const;

/** A request that wanted to add, change or remove an item. */
interface Step {
  readonly act: (typeof acts)[number];
  readonly id: string;
}

function readStep(reading: Reading, resource: Resource): Step | undefined {
  const act = acts.find((each) => resource[each]?.id === reading.operation.id);
  if (act === undefined) return undefined;
  const id =
    act === 'create' ? itemOf(reading)?.[resource.idProperty] : pathIdOf(reading, resource);
  return id === undefined ? undefined : { act, id: renderPlain(id) };
}

/** What an item is after a request; undefined: not known any more. */
function follow(
  before: ModelState | undefined,
  { act }: Step,
  reading: Reading,
): ModelState | undefined {
  const { response, exchange } = reading;
  if (response.status >= 400 && response.status < 500) return before;
  const isServed = response.status < 300 && exchange.intent.kind === 'valid';
  if (!isServed || (act !== 'create' && exchange.group !== undefined)) return undefined;
  const by = exchange.index;
  if (act === 'remove') return { kind: 'removed', by };
  const saved = act === 'update' && before?.kind === 'there' ? before.members : {};
  const members = { ...saved, ...sentMembers(reading) };
  return { kind: 'there', members, changed: act !== 'create', by };
}

/** The members of a body; of null and objects nothing is known, as operations differ there. */
function sentMembers({ sent }: Reading): JsonObject {
  const members = Object.entries(isJsonObject(sent) ? sent : {});
  return Object.fromEntries(
    members.map(([name, value]) => [
      name,
      value === null || isJsonObject(value) ? undefined : value,
    ]),
  );
}

/** What a response shows of an item, and what earlier requests of this run made of that item. */
export interface Sighting {
  readonly reading: Reading;
  readonly resource: Resource;
  /** Undefined where a request for the single item was answered without one. */
  readonly item: JsonObject | undefined;
  readonly state: ModelState | undefined;
  /** It was asked for alone, not in a list. */
  readonly isGet: boolean;
}

/** The sightings of items that can change, without those of requests sent at the same time. */
export function* sightingsOf(trace: Trace): Generator<Sighting> {
  for (const resource of trace.contract.resources) {
    if (!resource.replace && !resource.update && !resource.remove) continue;
    const { stateOf, note } = createModel(resource);
    for (const reading of trace.readings) {
      const of = { reading, resource };
      const { operation, exchange } = reading;
      if (exchange.group === undefined && operation.id === resource.get?.id) {
        const id = pathIdOf(reading, resource) ?? '';
        yield { ...of, item: itemOf(reading), state: stateOf(id), isGet: true };
      }
      if (exchange.group === undefined && operation.id === resource.list.id) {
        for (const item of itemsOf(reading) ?? [])
          yield { ...of, item, state: stateOf(idOf(item, resource)), isGet: false };
      }
      note(reading);
    }
  }
}
