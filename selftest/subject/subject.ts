import {
  type Call,
  type Json,
  type JsonRecord,
  type NewPet,
  type OperationId,
  type Parts,
  type Pet,
  plain,
  presentPet,
  type Quota,
  readRoute,
  renderJson,
  replaceParts,
  isRecord,
  type ServiceBehaviour,
  type ServiceResponse,
  type WireResponse,
} from '../service/service.ts';

/** Replacement parts of a service: a function if they have state. */
type Behaviour = Parts | (() => Parts);

interface Subject {
  /** Kebab-case, unique: what the service does, in a few words. */
  readonly id: string;
  /** The replaced parts. Called once per service. */
  readonly behaviour: () => Parts;
}

/** A faulty server, and the requirements that it breaks. */
export interface Mutant extends Subject {
  /** The suite must fail the first; it may fail the others, which the same fault breaks. */
  readonly breaks: readonly [string, ...string[]];
  /** What finds it beyond 60 requests: exceeding the limit, or 240 requests. */
  readonly needs?: 'exhaust' | 'more';
  /** Changes with use: a second run against the same server may not find it. */
  readonly fades?: true;
  /** Some requests never get a response. */
  readonly hangs?: true;
}

/** A valid variant: unusual behaviour that the interface allows and the suite must not fail. */
export interface Variant extends Subject {
  /** The section of the interface that leaves it open, or the standard that allows it. */
  readonly valid: string;
  /** Other clients use the service during a run. */
  readonly isShared?: true;
}

/** By id: how a service behaves, and replacements of the table's arguments for this row. */
type Rows<Marks> = Readonly<
  Record<string, Behaviour | readonly [how: Behaviour, own?: string, marks?: Marks]>
>;

function readRows<Marks>(rows: Rows<Marks>, usual: string, usualMarks: Marks) {
  return Object.entries(rows).map(([id, row]) => {
    const [how, own = usual, marks = usualMarks] = isTuple(row) ? row : [row];
    return { id, behaviour: () => (typeof how === 'function' ? how() : how), own, marks };
  });
}

function isTuple<Row extends readonly unknown[]>(row: Behaviour | Row): row is Row {
  return Array.isArray(row);
}

/**
 * Mutants from rows. `breaks` has ids separated by spaces, with alternatives in braces:
 * `{listPets,getPet}/auth.missing`.
 */
export function createMutants(
  breaks: string,
  rows: Rows<Pick<Mutant, 'needs' | 'fades' | 'hangs'>>,
  marks: Pick<Mutant, 'needs' | 'fades' | 'hangs'> = {},
): readonly Mutant[] {
  return readRows(rows, breaks, marks).map(({ id, behaviour, own, marks: mark }) => {
    const [first = '', ...others] = own.split(' ').flatMap(expand);
    return { id, behaviour, breaks: [first, ...others], ...mark };
  });
}

function expand(text: string): readonly string[] {
  const [, before = '', choices, after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(text) ?? [];
  return choices === undefined
    ? [text]
    : choices.split(',').flatMap((choice) => expand(before + choice + after));
}

/** Valid variants from rows; `valid` cites what allows them. */
export function createVariants(
  valid: string,
  rows: Rows<Pick<Variant, 'isShared'>>,
  marks: Pick<Variant, 'isShared'> = {},
): readonly Variant[] {
  return readRows(rows, valid, marks).map(({ id, behaviour, own, marks: mark }) => ({
    id,
    behaviour,
    valid: own,
    ...mark,
  }));
}

/** The same on a service whose pets can also be replaced, updated and removed. */
export function inChanges<Each extends Subject>(subjects: readonly Each[]): readonly Each[] {
  const toPet = {
    GET: 'getPet',
    PUT: 'replacePet',
    PATCH: 'updatePet',
    DELETE: 'removePet',
  } as const;
  return subjects.map((subject) => ({
    ...subject,
    id: `change-${subject.id}`,
    behaviour: () => ({
      readRoute: (method, target) => readRoute(method, target, toPet),
      ...subject.behaviour(),
    }),
  }));
}

/** Parts that are replaced for only one operation. */
export function within(operation: OperationId, parts: Parts): Parts {
  return {
    [operation]: (call: Call, all: ServiceBehaviour) =>
      plain[operation](call, replaceParts(all, parts)),
  };
}

/** Responses with one status of one operation, `listPets 200`, or of any: `* 401`. */
export type Place = `${OperationId | '*'} ${number}`;

function isAt(place: Place, { route }: Pick<Call, 'route'>, status: number): boolean {
  return place === `${route.operation} ${status}` || place === `* ${status}`;
}

export function changeResponse(
  place: Place,
  change: (response: ServiceResponse, call: Call) => ServiceResponse,
): Parts {
  return {
    render: (response, call) =>
      isAt(place, call, response.status) ? change(response, call) : response,
  };
}

export function changeBody(place: Place, change: (body: Json) => Json): Parts {
  return changeResponse(place, (response) =>
    response.body === undefined ? response : { ...response, body: change(response.body) },
  );
}

/** Changes the body of a response if it is an object. */
export function changeRecord(place: Place, change: (record: JsonRecord) => Json): Parts {
  return changeBody(place, (body) => (isRecord(body) ? change(body) : body));
}

export function changeText(place: Place, change: (text: string) => string): Parts {
  return {
    serialise: (body, call, status) =>
      isAt(place, call, status) ? change(renderJson(body)) : renderJson(body),
  };
}

export function changeWire(place: Place, change: (wire: WireResponse) => WireResponse): Parts {
  return { finish: (wire, call) => (isAt(place, call, wire.status) ? change(wire) : wire) };
}

/** Shows another quota than the limiter's. */
export function showing(
  change: (quota: Quota, call: Call, status: number) => Partial<Quota>,
): Parts {
  return { showQuota: (quota, status, call) => ({ ...quota, ...change(quota, call, status) }) };
}

/** Changes the limiter's result for requests with a key. */
export function counting(change: (quota: Quota, call: Call) => Quota): Parts {
  return {
    count: (call, all) => {
      const quota = plain.count(call, all);
      return call.key === undefined ? quota : change(quota, call);
    },
  };
}

/** Other clients with the same key send requests before ours; each counts like ours. */
export function sharingKey(howMany: (ordinal: number) => number): Parts {
  return {
    count: (call, all) => {
      const others = call.key === undefined ? 0 : howMany(call.ordinal);
      for (let index = 0; index < others && plain.count(call, all).allowed; index += 1);
      return plain.count(call, all);
    },
  };
}

export function leaveOut<Value>(
  record: Readonly<Record<string, Value>>,
  ...names: readonly string[]
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

export function keep(pet: Pet, { inventory }: Call): void {
  inventory.pets.set(pet.id, pet);
}

/** Where a pet is changed: when received, when stored, or in the response to a list or a read. */
type Stage = 'everywhere' | 'stored' | 'list' | 'item';

export function changePet(stage: Stage, change: (pet: Pet) => Pet): Parts {
  const present = (pet: Pet): Json => presentPet(change(pet));
  switch (stage) {
    case 'everywhere':
      return {
        acceptNewPet: (value) => {
          const { id: _id, ...changed } = change({ ...value, id: 0n, rest: {} });
          return changed;
        },
      };
    case 'stored':
      return { store: (pet, call) => keep(change(pet), call) };
    case 'list':
      return { presentInList: present };
    case 'item':
      return { presentItem: present };
  }
}

export function changeName(stage: Stage, change: (name: string) => string): Parts {
  return changePet(stage, (pet) => ({ ...pet, name: change(pet.name) }));
}

export function changeCategory(stage: Stage, change: (categoryId: bigint) => bigint): Parts {
  return changePet(stage, (pet) => ({ ...pet, categoryId: change(pet.categoryId) }));
}

/** Returns 500 for the addition of some valid pets. */
export function failOn(fails: (value: NewPet) => boolean): Parts {
  return {
    acceptNewPet: (value) => {
      if (fails(value)) throw new RangeError('the database rejects this row');
      return { ...value, rest: {} };
    },
  };
}

/** A number from 0 to 4095 that looks random and is the same in every run. */
export const hashOrdinal = (ordinal: number): number =>
  Math.imul(ordinal + 7, 2_654_435_761) >>> 20;
