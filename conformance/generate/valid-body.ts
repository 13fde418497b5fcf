import {
  type Contract,
  type JsonObject,
  type JsonValue,
  type OpenQuestion,
  type OpenQuestionKind,
  type Operation,
  type SchemaNode,
  isJsonObject,
  jsonContent,
} from '../../contract/index.ts';
import { once } from '../memo/once.ts';
import { plainRequestValue } from './plain-value.ts';

/** How lawful bodies for an operation are made. */
export interface BodyTemplate {
  readonly operation: Operation;
  readonly node: SchemaNode;
  /** The member that carries the run's tag: the first that takes any text. */
  readonly tagged: string | undefined;
  /** Members that refer to records which may have to exist, with the open question about it. */
  readonly references: ReadonlyMap<string, OpenQuestion>;
  /** Members whose texts may be limited, and the open question that says so. */
  readonly limited: ReadonlyMap<string, OpenQuestion>;
}

/** Reads the template of an operation's body; undefined where it takes no plain JSON object. */
export function readTemplate(contract: Contract, operation: Operation): BodyTemplate | undefined {
  return templatesOf(contract)(operation);
}

const templatesOf = once((contract: Contract) =>
  once((operation: Operation) => makeTemplate(contract, operation)),
);

function makeTemplate(contract: Contract, operation: Operation): BodyTemplate | undefined {
  const node = jsonContent(operation.requestBody?.content ?? [])?.schema;
  const shape = node?.shape();
  if (node === undefined || shape?.types.includes('object') !== true) return undefined;
  if (shape.alternatives.length > 0 || (shape.types.length > 1 && shape.properties.size === 0))
    return undefined;
  return {
    operation,
    node,
    tagged: [...node.shape().properties].find(([, member]) => isFreeText(member))?.[0],
    references: questionsByMember(contract, node, 'reference'),
    limited: questionsByMember(contract, node, 'string-limits'),
  };
}

function isFreeText(member: SchemaNode): boolean {
  const { types, values, format, pattern, maxLength } = member.shape();
  return (
    types.includes('string') &&
    types.length < 7 &&
    values === undefined &&
    format === undefined &&
    pattern === undefined &&
    (maxLength ?? 100) >= 20
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

/** A plain lawful body of required members: from the document's examples, else made of the schema. */
export function plainBody({ operation, node }: BodyTemplate): JsonObject {
  const { required, properties } = node.shape();
  const example = operation.requestBody?.content
    .flatMap((content) => content.examples)
    .find(({ value }) => isJsonObject(value))?.value;
  const known = isJsonObject(example) ? example : {};
  const isWhole = [...required].every((name) => Object.hasOwn(known, name));
  const sample = isWhole ? {} : plainRequestValue(node);
  const base = { ...(isJsonObject(sample) ? sample : {}), ...known };
  return Object.fromEntries(
    Object.entries(base).filter(
      ([name]) => required.has(name) && properties.get(name)?.shape().readOnly === false,
    ),
  );
}

/** The same body with the run's tag, and with references to records known to exist. */
export function tagBody(
  template: BodyTemplate,
  body: JsonObject,
  tag: string,
  references: ReadonlyMap<string, JsonValue> = new Map(),
): JsonObject {
  const tagged = template.tagged === undefined ? body : { ...body, [template.tagged]: tag };
  const known = [...references].filter(
    ([name]) => template.references.has(name) && Object.hasOwn(body, name),
  );
  return { ...tagged, ...Object.fromEntries(known) };
}

/** The open questions under which a lawful body may be refused. */
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
