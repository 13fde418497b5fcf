import type { Contract } from '../../contract/contract.ts';
import { type MemberPlace, valueAt, withValueAt } from '../../contract/json/place.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectOf,
  renderJson,
} from '../../contract/json/value.ts';
import { memberContent } from '../../contract/openapi/media-type.ts';
import type { OpenQuestion, OpenQuestionKind } from '../../contract/openapi/open-question.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { sampleSchema } from '../../contract/sample/sample.ts';
import { schemaAt } from '../../contract/resource/item-view.ts';
import { resourceOf, sentPlace, sentSchema } from '../../contract/resource/resource.ts';
import { extremeOf } from '../../contract/schema/extreme.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import { lazy, once } from '../../contract/memo/once.ts';
import { referredResource } from './reference.ts';
import { plainRequestValue, sampleRequired } from './plain-value.ts';
import { tagNumber } from './tag.ts';

/** How valid bodies for an operation are made. */
export interface BodyTemplate {
  readonly node: SchemaNode;
  /** A plain valid body with the required members, from the document's examples or the schema. */
  readonly plain: () => JsonObject;
  /** Whether the plain body is valid; otherwise no valid one is known. */
  readonly isSound: () => boolean;
  /** The member that carries the run's tag: the first that accepts any text. */
  readonly tagged: string | undefined;
  /** Path of members from a body to its item. The other fields describe the item. */
  readonly place: readonly string[];
  /** Wraps an item in a body. */
  readonly wrap: (item: JsonObject) => JsonObject;
  /** The place of the identifier in an item, if bodies may contain it. */
  readonly named: MemberPlace | undefined;
  /** Members that refer to records which may have to exist, with the open question. */
  readonly references: ReadonlyMap<string, OpenQuestion>;
  /** Whether a member refers to the items of another resource by its name. */
  readonly referring: (member: string) => boolean;
  /** Members whose texts may be limited, with the open question. */
  readonly limited: ReadonlyMap<string, OpenQuestion>;
}

/** The template of an operation's body; undefined if it is not a plain JSON object. */
export function readTemplate(contract: Contract, operation: Operation): BodyTemplate | undefined {
  return templatesOf(contract)(operation);
}

const templatesOf = once((contract: Contract) =>
  once((operation: Operation): BodyTemplate | undefined => {
    const { resources } = contract;
    const place = sentPlace(resources, operation);
    const node = chooseAlternative(sentSchema(resources, operation));
    const shape = node?.shape();
    if (node === undefined || shape?.types.includes('object') !== true) return undefined;
    if (shape.alternatives.length > 0 || (shape.types.length > 1 && shape.properties.size === 0))
      return undefined;
    const named = contract.resources.find(({ create, replace, update }) =>
      [create, replace, update].includes(operation),
    )?.idPlace;
    const texts = [...shape.properties].filter(([, member]) => isFreeText(member));
    const plain = lazy(() => plainBody(operation, node, place));
    return {
      node,
      plain,
      isSound: lazy(() => node.isValid(plain(), 'request')),
      place,
      wrap: wrapper(operation, place),
      named,
      tagged: texts.find(([name]) => name !== named?.[0])?.[0],
      references: questionsByMember(contract, node, 'reference'),
      referring: (name) =>
        referredResource(contract, name, resourceOf(resources, operation)) !== undefined,
      limited: questionsByMember(contract, node, 'string-limits'),
    };
  }),
);

/** The first alternative of a union, if a member that each requires tells them apart; else the schema. */
function chooseAlternative(node: SchemaNode | undefined): SchemaNode | undefined {
  const { alternatives = [], properties = new Map() } = node?.shape() ?? {};
  const [first] = alternatives;
  if (first === undefined || properties.size > 0) return node;
  const shapes = alternatives.map((each) => each.shape());
  const isTold = [...first.shape().required].some((name) => {
    const values = shapes.map(
      (each) => each.required.has(name) && each.properties.get(name)?.shape().values,
    );
    const all = values.flatMap((each) => (each || []).map((value) => renderJson(value)));
    return values.every((each) => each) && new Set(all).size === all.length;
  });
  return isTold ? first : node;
}

function isFreeText(member: SchemaNode): boolean {
  const shape = member.shape();
  const { types, values, format, pattern, minLength = 0, maxLength = 100 } = shape;
  return (
    !shape.readOnly &&
    !shape.writeOnly &&
    types.includes('string') &&
    types.length < 7 &&
    values === undefined &&
    format === undefined &&
    pattern === undefined &&
    minLength <= 10 &&
    maxLength >= 20
  );
}

function questionsByMember(
  contract: Contract,
  node: SchemaNode,
  kind: OpenQuestionKind,
): ReadonlyMap<string, OpenQuestion> {
  const questions = contract.openQuestions.filter((question) => question.kind === kind);
  return new Map(
    [...node.shape().properties].flatMap(([name, member]) => {
      const question = questions.find(
        (each) => each.at === member.pointer || each.at.endsWith(`/properties/${name}`),
      );
      return question !== undefined ? [[name, question] as const] : [];
    }),
  );
}

function wrapper(operation: Operation, place: readonly string[]): BodyTemplate['wrap'] {
  if (place.length === 0) return (item) => item;
  const schema = memberContent(operation)?.schema;
  const whole = lazy(() => (schema && plainRequestValue(schema)) ?? {});
  return (item) => objectOf(withValueAt(whole(), place, item));
}

function plainBody(
  { requestBody }: Operation,
  node: SchemaNode,
  place: readonly string[],
): JsonObject {
  const { required } = node.shape();
  const examples = requestBody?.content.flatMap((content) => content.examples) ?? [];
  const example = examples.map(({ value }) => valueAt(value, place)).find(isJsonObject) ?? {};
  const wanted = new Map(
    Object.entries(example).flatMap(([name, value]) =>
      value !== undefined && required.has(name) ? [[name, value] as const] : [],
    ),
  );
  const sample =
    wanted.size === 0
      ? sampleRequired(node)
      : sampleSchema(node, { direction: 'request', members: 'required', wanted });
  const whole = sample.issues.length === 0 ? sample.value : plainRequestValue(node);
  return isJsonObject(whole) ? whole : {};
}

/**
 * Puts into a body the run's tag, a new id, references to existing records, and new texts for
 * members that may have to be unique.
 */
export function tagBody(
  template: BodyTemplate,
  body: JsonObject,
  tag: string,
  references: ReadonlyMap<string, JsonValue> = new Map(),
): JsonObject {
  const { node, named, tagged } = template;
  const members = new Map(Object.entries(withUniqueTexts(template, body, tag)));
  if (tagged !== undefined) members.set(tagged, tag);
  const whole = objectOf(withReferences(template, Object.fromEntries(members), references));
  const id = named && schemaAt(node, named);
  const value = id && valueAt(whole, named) !== undefined ? idOfTag(id, tag) : undefined;
  return named === undefined || value === undefined ? whole : withValueAt(whole, named, value);
}

/**
 * A body, or a part of one with the schema `node`, in which members that refer to records, also
 * nested ones, have the values of existing ones where these are valid.
 */
export function withReferences(
  template: BodyTemplate,
  value: JsonValue,
  references: ReadonlyMap<string, JsonValue>,
  node: SchemaNode | undefined = template.node,
): JsonValue {
  if (node === undefined) return value;
  const { properties, items } = node.shape();
  if (isJsonArray(value))
    return value.map((one) => withReferences(template, one, references, items));
  if (!isJsonObject(value)) return value;
  const changed = Object.entries(value).map(([name, old = null]) => {
    const member = properties.get(name);
    const isReferring = template.references.has(name) || template.referring(name);
    const known = isReferring ? references.get(name) : undefined;
    return known !== undefined && member?.isValid(known) === true
      ? ([name, known] as const)
      : ([name, withReferences(template, old, references, member)] as const);
  });
  return Object.fromEntries(changed);
}

/** A body with new texts in the place of plain ones, for members that may have to be unique. */
export function withUniqueTexts(
  { node, plain }: BodyTemplate,
  body: JsonObject,
  tag: string,
): JsonObject {
  const changed = Object.entries(plain()).flatMap(([name, value]) => {
    const member = node.shape().properties.get(name);
    return member === undefined || typeof value !== 'string' || body[name] !== value
      ? []
      : [[name, uniqueText(name, member, value, tag)] as const];
  });
  return { ...body, ...Object.fromEntries(changed) };
}

/** Names of members that services often require to be unique. */
const uniqueNames =
  /user_?name|login|nick|handle|slug|sku|isbn|serial|phone|mobile|external_?id|(?:^|_)(?:key|code|number|name|title)$/i;

/** A text like a plain one that no other request has, if the member may have to be unique. */
function uniqueText(name: string, member: SchemaNode, plain: string, tag: string): string {
  if (!mayBeUnique(name, member)) return plain;
  const { pattern, examples } = member.shape();
  // Without room for the whole tag, the next run would send the same text.
  const isAny = pattern !== undefined || (examples.length === 0 && !/\d/.test(plain));
  const tags = isAny ? [tag, tag.toLowerCase()] : [];
  const wishes = isEmail(name, member)
    ? [`${tag.toLowerCase()}@example.com`]
    : [...tags, vary(plain, tag)];
  return wishes.find((wish) => member.isValid(wish, 'request')) ?? plain;
}

/** Whether services often require a member to be unique. */
export function mayBeUnique(name: string, member: SchemaNode): boolean {
  const { format, values } = member.shape();
  return values === undefined && (isEmail(name, member) || (!format && uniqueNames.test(name)));
}

function isEmail(name: string, member: SchemaNode): boolean {
  const { format } = member.shape();
  return format === 'email' || (format === undefined && /e-?mail/i.test(name));
}

/**
 * A text of the same length and form that other requests do not have, if the member may have to be
 * unique.
 */
export function distinctValue(
  name: string,
  member: SchemaNode | undefined,
  value: JsonValue,
  tag: string,
): JsonValue {
  if (member === undefined || typeof value !== 'string' || !mayBeUnique(name, member)) return value;
  const wish = vary(value, tag);
  return member.isValid(wish, 'request') ? wish : value;
}

/**
 * Replaces letters and digits by others of their kind, from the end, except the first character.
 */
function vary(text: string, tag: string): string {
  const hasRoom = text.replaceAll(/[^a-z]/gi, '').length > tag.length;
  const letters = hasRoom ? Array.from(tag.toLowerCase()) : mixedLetters(tag);
  const digits = Array.from(numberOfTag(tag));
  const [first = '', ...rest] = text;
  const varied = rest.reduceRight((end, each) => {
    const other = /\d/.test(each) ? digits.pop() : /[a-z]/i.test(each) ? letters.pop() : undefined;
    return `${(/[A-Z]/.test(each) ? other?.toUpperCase() : other) ?? each}${end}`;
  }, '');
  return first + varied;
}

/** A tag whose last letters are moved by those of the run, for texts that have room for no others. */
function mixedLetters(tag: string): string[] {
  const place = (at: number): number => (tag.codePointAt(at) ?? 97) - 97;
  const last = [6, 7, 8, 9].map((at) => (place(at) + place(at - 4)) % 26);
  return Array.from(
    tag.slice(0, 6).toLowerCase() + String.fromCodePoint(...last.map((each) => 97 + each)),
  );
}

function numberOfTag(tag: string): string {
  return String(tagNumber(tag) * 1001 + tagNumber(tag.slice(4)));
}

/** Derives an identifier from a tag; undefined if none is valid. */
export function idOfTag(member: SchemaNode, tag: string): JsonValue | undefined {
  const hex = Buffer.from(tag).toString('hex').padEnd(20, '0');
  const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(12, 15)}-8${hex.slice(15, 18)}-${hex.slice(-12)}`;
  const lower = tag.toLowerCase();
  const number = Number(numberOfTag(tag));
  const least = Number(extremeOf(member, 'minimum') ?? 0);
  const most = Number(extremeOf(member, 'maximum') ?? 0);
  const small = least + (number % (most - least + 1));
  return [tag, lower, uuid, `${lower}@example.org`, number, small].find((value) =>
    member.isValid(value, 'request'),
  );
}

/**
 * Puts the tag into a generated text. In a long text it replaces the beginning or end, so that the
 * length stays; otherwise it is added, or replaces the text if both together are too long.
 */
export function tagDrawn(
  { tagged: name, node }: BodyTemplate,
  body: JsonObject,
  tag: string,
): JsonObject {
  const member = name === undefined ? undefined : node.shape().properties.get(name);
  if (name === undefined || member === undefined) return body;
  const text = body[name];
  const wishes: readonly JsonValue[] = typeof text === 'string' ? [putInto(text, tag), tag] : [tag];
  const fitting = wishes.find((wish) => member.isValid(wish));
  return fitting === undefined ? body : { ...body, [name]: fitting };
}

function putInto(text: string, tag: string): string {
  const characters = Array.from(text);
  const own = tag.length + 1;
  const saved = characters.length >= 2 * own ? characters.length - own : characters.length;
  return characters.length % 2 === 0
    ? `${tag} ${characters.slice(characters.length - saved).join('')}`
    : `${characters.slice(0, saved).join('')} ${tag}`;
}

/** The open questions under which a valid body may be refused. */
export function mayRefuse(
  template: BodyTemplate,
  body: JsonObject,
  plain: JsonObject,
  knownReference: boolean,
): readonly string[] {
  const differs = (name: string): boolean =>
    Object.hasOwn(body, name) && body[name] !== plain[name];
  const references = [...template.references].filter(([name]) => differs(name) || !knownReference);
  const texts = [...template.limited].filter(([name]) => differs(name));
  return [...references, ...texts].map(([, question]) => question.id);
}
