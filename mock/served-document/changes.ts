import {
  type Contract,
  type JsonValue,
  type Operation,
  type Resource,
  type SchemaNode,
  renderJson,
  resolvePointer,
} from '../../contract/index.ts';

/** Differences of two documents, a line each: operations, fields, limits, open questions. */
export function listChanges(before: Contract, after: Contract): readonly string[] {
  return [
    ...(before.basePath === after.basePath ? [] : [`the base path is ${after.basePath || '/'}`]),
    ...compare('operation', operationsOf(before), operationsOf(after)),
    ...after.resources.flatMap((resource) => fieldChanges(before, resource)),
    ...(textOf(before.document['x-rate-limit']) === textOf(after.document['x-rate-limit'])
      ? []
      : ['changed the rate limit']),
    ...compare('question', questionsOf(before), questionsOf(after)),
  ];
}

function operationsOf({ operations, document }: Contract): ReadonlyMap<string, string> {
  return new Map(operations.map((operation) => [operation.id, describe(operation, document)]));
}

function describe({ method, path, pointer }: Operation, document: JsonValue): string {
  return `${method} ${path} ${textOf(resolvePointer(document, pointer))}`;
}

function questionsOf({ openQuestions }: Contract): ReadonlyMap<string, string> {
  return new Map(
    openQuestions.map(({ id, choices, default: usual }) => [
      id,
      `${choices.map((choice) => choice.id).join()} ${usual}`,
    ]),
  );
}

/** Fields of what clients send and are answered. */
function fieldChanges(before: Contract, resource: Resource): readonly string[] {
  const former = before.resources.find(
    ({ collectionPath }) => collectionPath === resource.collectionPath,
  );
  if (former === undefined) return [];
  const place = resource.collectionPath;
  return [
    ...new Set([
      ...compare(`field of ${place}`, fieldsOf(former.item), fieldsOf(resource.item)),
      ...compare(`field of ${place}`, fieldsOf(sentSchema(former)), fieldsOf(sentSchema(resource))),
    ]),
  ];
}

function sentSchema({ create, item }: Resource): SchemaNode {
  return create?.requestBody?.content[0]?.schema ?? item;
}

function fieldsOf(schema: SchemaNode): ReadonlyMap<string, string> {
  const { properties, required } = schema.shape();
  return new Map(
    [...properties].map(([name, node]) => [name, `${required.has(name)} ${textOf(node.schema)}`]),
  );
}

function compare(
  kind: string,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  const changed = [...after].flatMap(([name, text]) => {
    const former = before.get(name);
    if (former === undefined) return [`added the ${kind} ${name}`];
    return former === text ? [] : [`changed the ${kind} ${name}`];
  });
  const removed = [...before.keys()]
    .filter((name) => !after.has(name))
    .map((name) => `removed the ${kind} ${name}`);
  return [...changed, ...removed];
}

function textOf(value: JsonValue | undefined): string {
  return value === undefined ? '' : renderJson(value);
}
