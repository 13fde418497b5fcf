import { renderPointer } from '../../../contract/json/pointer.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../../../contract/json/value.ts';
import { createPattern } from '../../../contract/pattern/pattern.ts';
import {
  type Issue,
  type SchemaNode,
  possibleDefault,
} from '../../../contract/schema/schema-node.ts';
import type { Choices } from '../../choice/choices.ts';
import { plainValue } from '../../operation/response/plain-value.ts';
import type { Inventory } from '../store/inventory.ts';
import type { MakeSample } from '../view/item-view.ts';
import { type PlainForm, memberPlaces } from './plain-form.ts';

/** What the open questions say about the members that a client sends for an item. */
export interface BodyRules {
  /** Issues beyond those of the schema. */
  readonly judge: (body: JsonObject, inventory: Inventory) => readonly Issue[];
  /** Values of members that the client left out. */
  readonly defaults: JsonObject;
  /** Members that are stored; undefined for all that the schema allows. */
  readonly known: ReadonlySet<string> | undefined;
  /** An id that is sent is an issue, and not ignored. */
  readonly refusesId: boolean;
}

/** What the rules are about. */
interface Ruled {
  /** Of an item; undefined where the document has none. */
  readonly itemSchema: SchemaNode | undefined;
  readonly idPlace: readonly string[] | undefined;
  readonly plain: Pick<PlainForm, 'indexed' | 'references'> | undefined;
}

type Judge = (body: JsonObject, inventory: Inventory) => Issue | undefined;

/** Compiles the choices for items that are sent by this schema. */
export function compileBodyRules(
  { itemSchema, idPlace: [idName = ''] = [], plain }: Ruled,
  body: SchemaNode | undefined,
  choices: Choices,
): BodyRules {
  if (body === undefined) return noRules;
  const { properties } = body.shape();
  const shown = itemSchema?.shape().properties;
  const placesOf = memberPlaces(choices.contract.document, body.pointer);
  const members = [...properties].map(([name, schema]) => ({
    name,
    schema,
    places: placesOf.get(name) ?? [`${body.pointer}/properties/${name}`],
  }));
  const pointers = [body.pointer, itemSchema?.pointer ?? ''];
  const unknown = choices
    .answersTo('unknown-properties')
    .find(({ question }) => pointers.includes(question.at))?.choice.id;
  const known = new Set([...properties.keys(), idName]);
  const idPlaces =
    itemSchema && memberPlaces(choices.contract.document, itemSchema.pointer).get(idName);
  const refusesId = choices.choose('read-only-property', ...(idPlaces ?? [''])).id === 'refused';
  const judges: Judge[] = [
    ...members.flatMap(({ name, places }) => [
      ...lengthJudges(name, places, choices),
      ...leastJudges(name, places, choices),
    ]),
    ...(plain === undefined ? [] : referenceJudges(plain, body)),
    ...(refusesId ? [idJudge(idName)] : []),
    ...(unknown === 'refused' ? [unknownJudge(known)] : []),
  ];
  const defaults = members.flatMap(({ name, schema, places }) => {
    const choice = choices.choose('default-value', ...places);
    const value = choice.id === '' ? possibleDefault(schema) : choice.details['value'];
    return value === undefined || shown?.has(name) === false ? [] : [[name, value] as const];
  });
  return {
    judge: (value, inventory) =>
      judges.map((judge) => judge(value, inventory)).filter((issue) => issue !== undefined),
    defaults: Object.fromEntries(defaults),
    known: unknown === undefined || unknown === 'kept' ? undefined : known,
    refusesId,
  };
}

const noRules: BodyRules = {
  judge: () => [],
  defaults: {},
  known: undefined,
  refusesId: false,
};

function lengthJudges(name: string, places: readonly string[], choices: Choices): Judge[] {
  const { minLength, maxLength, pattern } = choices.choose('string-limits', ...places).details;
  const wanted = typeof pattern === 'string' ? createPattern(pattern) : undefined;
  if (minLength === undefined && maxLength === undefined && wanted === undefined) return [];
  return [
    (body) => {
      const value = body[name];
      if (typeof value !== 'string') return undefined;
      const length = countCharacters(value);
      if (length < Number(minLength ?? 0))
        return bodyIssue(name, 'minLength', `must have at least ${Number(minLength)} characters`);
      if (length > Number(maxLength ?? length))
        return bodyIssue(name, 'maxLength', `must have at most ${Number(maxLength)} characters`);
      return wanted?.test(value) === false
        ? bodyIssue(name, 'pattern', 'has characters that are not allowed')
        : undefined;
    },
  ];
}

/** The least identifier that a member may refer to, where one is chosen. */
function leastJudges(name: string, places: readonly string[], choices: Choices): Judge[] {
  const { minimum } = choices.choose('reference', ...places).details;
  if (minimum === undefined) return [];
  return [
    ({ [name]: value }) =>
      (typeof value === 'number' || typeof value === 'bigint') && value < Number(minimum)
        ? bodyIssue(name, 'minimum', `must be at least ${Number(minimum)}`)
        : undefined,
  ];
}

/** Code points, as JSON Schema counts them (Validation, section 6.3). */
function countCharacters(text: string): number {
  return text.replace(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g, '.').length;
}

/** A referred record exists if an item refers to it: there is no other list of them. */
function referenceJudges(
  { references, indexed }: Pick<PlainForm, 'indexed' | 'references'>,
  body: SchemaNode,
): Judge[] {
  return references
    .filter((name) => body.shape().properties.has(name))
    .map((name) => (value, inventory) => {
      const referred = value[name];
      if (referred === undefined || inventory.holds(indexed.indexOf(name), referred))
        return undefined;
      return bodyIssue(name, 'reference', 'names a record that does not exist');
    });
}

function idJudge(name: string): Judge {
  return (body) =>
    Object.hasOwn(body, name)
      ? bodyIssue(name, 'readOnly', 'is assigned by the service and must not be sent')
      : undefined;
}

function unknownJudge(known: ReadonlySet<string>): Judge {
  return (body) => {
    const name = Object.keys(body).find((one) => !known.has(one));
    return name === undefined
      ? undefined
      : bodyIssue(name, 'additionalProperties', 'is not a known property');
  };
}

/** An issue of a member that the schema alone does not have. */
function bodyIssue(name: string, keyword: string, message: string): Issue {
  return { at: renderPointer([name]), keyword, schemaPointer: '#/x-unspecified', message };
}

/**
 * An item with the required members that the client did not send: the plainest values, such as 0. Where
 * that does not fit or says nothing, as an empty text, it is that of a sample, with the time of now.
 */
export function withRequired(
  item: JsonObject,
  schema: SchemaNode,
  sample: MakeSample,
  now: number,
): JsonObject {
  const { required, properties } = schema.shape();
  const sampled = sample(schema);
  const added: Record<string, JsonValue> = {};
  for (const name of required) {
    const member = Object.hasOwn(item, name) ? undefined : properties.get(name);
    if (member === undefined) continue;
    const plain = plainValue(member, now);
    const isPlain = plain !== '' && member.validate(plain).length === 0;
    const value = isPlain ? plain : ((isJsonObject(sampled) ? sampled[name] : undefined) ?? null);
    added[name] =
      typeof value === 'string' && isInstant(value) ? new Date(now).toISOString() : value;
  }
  return { ...item, ...added };
}

function isInstant(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text);
}
