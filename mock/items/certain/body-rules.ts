import { createPattern } from '../../../contract/pattern/pattern.ts';
import {
  possibleDefault,
  type Issue,
  type SchemaNode,
} from '../../../contract/schema/schema-node.ts';
import { renderPointer } from '../../../contract/json/pointer.ts';
import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import type { Resource } from '../../../contract/resource/resource.ts';
import type { Choices } from '../../choice/choices.ts';
import type { Inventory } from '../store/inventory.ts';
import type { CertainForm } from './certain-form.ts';
import { memberPlaces } from './schema-places.ts';

/** What the open questions say about the members that a client sends for an item. */
export interface BodyRules {
  /** Issues beyond those of the schema. */
  readonly judge: (body: JsonObject, inventory: Inventory) => readonly Issue[];
  /** Values of members that the client left out. */
  readonly defaults: readonly (readonly [name: string, value: JsonValue])[];
  /** Members that the schema does not have are stored. */
  readonly keepsUnknown: boolean;
}

type Judge = (body: JsonObject, inventory: Inventory) => Issue | undefined;

/** Compiles the choices for a body of this schema. */
export function compileBodyRules(form: CertainForm, body: SchemaNode, choices: Choices): BodyRules {
  const { resource } = form;
  const { properties } = body.shape();
  const known = memberPlaces(choices.contract.document, body.pointer);
  const members = [...properties].map(([name, schema]) => ({
    name,
    schema,
    places: known.get(name) ?? [`${body.pointer}/properties/${name}`],
  }));
  const unknown = choices.choose('unknown-properties', body.pointer, resource.item.pointer).id;
  const judges: Judge[] = [
    ...members.flatMap(({ name, places }) => [
      ...lengthJudges(name, places, choices),
      ...leastJudges(name, places, choices),
    ]),
    ...referenceJudges(form, body),
    ...idJudges(resource, choices),
    ...(unknown === 'refused'
      ? [unknownJudge(new Set([...properties.keys(), resource.idProperty]))]
      : []),
  ];
  return {
    judge: (value, inventory) =>
      judges.map((judge) => judge(value, inventory)).filter((issue) => issue !== undefined),
    defaults: members.flatMap(({ name, schema, places }) => {
      const choice = choices.choose('default-value', ...places);
      const value = choice.id === '' ? possibleDefault(schema) : choice.details['value'];
      return value === undefined ? [] : [[name, value] as const];
    }),
    keepsUnknown: unknown === 'kept',
  };
}

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
        return issue(name, 'minLength', `must have at least ${Number(minLength)} characters`);
      if (length > Number(maxLength ?? length))
        return issue(name, 'maxLength', `must have at most ${Number(maxLength)} characters`);
      return wanted?.test(value) === false
        ? issue(name, 'pattern', 'has characters that are not allowed')
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
        ? issue(name, 'minimum', `must be at least ${Number(minimum)}`)
        : undefined,
  ];
}

/** Code points, as JSON Schema counts them (Validation, section 6.3). */
function countCharacters(text: string): number {
  return text.replace(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g, '.').length;
}

/** A referred record exists if an item refers to it: there is no other list of them. */
function referenceJudges(form: CertainForm, body: SchemaNode): Judge[] {
  return form.references
    .filter((name) => body.shape().properties.has(name))
    .map((name) => (value, inventory) => {
      const referred = value[name];
      if (referred === undefined || inventory.holds(form.indexed.indexOf(name), referred))
        return undefined;
      return issue(name, 'reference', 'names a record that does not exist');
    });
}

function idJudges({ item, idProperty }: Resource, choices: Choices): Judge[] {
  const places = memberPlaces(choices.contract.document, item.pointer).get(idProperty) ?? [];
  if (choices.choose('read-only-property', ...places).id !== 'refused') return [];
  return [
    (body) =>
      Object.hasOwn(body, idProperty)
        ? issue(idProperty, 'readOnly', 'is assigned by the service and must not be sent')
        : undefined,
  ];
}

function unknownJudge(known: ReadonlySet<string>): Judge {
  return (body) => {
    const name = Object.keys(body).find((one) => !known.has(one));
    return name === undefined
      ? undefined
      : issue(name, 'additionalProperties', 'is not a known property');
  };
}

function issue(name: string, keyword: string, message: string): Issue {
  return { at: renderPointer([name]), keyword, schemaPointer: '#/x-unspecified', message };
}
