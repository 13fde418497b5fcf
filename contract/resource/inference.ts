import { isJsonMediaType } from '../openapi/media-type.ts';
import { compileFilters } from './filter.ts';
import { findIdentity } from './identity.ts';
import { compilePageLimit } from './page-limit.ts';
import { readResourceOverrule } from './overrule.ts';
import type { CompileContext } from '../openapi/compile-context.ts';
import type { HttpMethod, Operation } from '../openapi/operation.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import type { Resource } from './resource.ts';

/**
 * Infers resources: a collection path whose GET returns an array of S, a POST that returns S, an
 * item path `{collection}/{param}` whose GET returns S. `x-resource` overrules.
 */
export function compileResources(
  context: CompileContext,
  operations: readonly Operation[],
): readonly Resource[] {
  const paths = Map.groupBy(operations, ({ path }) => path);
  const places = Map.groupBy(operations, ({ path }) => parentOf(path));
  const resources = operations
    .filter((operation) => operation.method === 'GET')
    .flatMap((list) => compileResource(context, { paths, places }, list) ?? []);
  warnTwins(context, resources);
  return resources;
}

/** The operations of a document, so that thousands of resources are found in linear time. */
interface OperationIndex {
  readonly paths: ReadonlyMap<string, readonly Operation[]>;
  /** By what stands before the parameter that a path ends in. */
  readonly places: ReadonlyMap<string | undefined, readonly Operation[]>;
}

/** `/pets` of `/pets/{id}` and `/pets/{id}/`; undefined where a path does not end in one parameter. */
function parentOf(path: string): string | undefined {
  const plain = withoutLastSlash(path);
  const end = plain.lastIndexOf('/');
  return idNameOf(path) === undefined ? undefined : plain.slice(0, end);
}

/** `id` of `/pets/{id}` and `/pets/{id}/`. */
function idNameOf(itemPath: string): string | undefined {
  const plain = withoutLastSlash(itemPath);
  return /^\/\{([^{}/]+)\}$/.exec(plain.slice(plain.lastIndexOf('/')))?.[1];
}

/** Of `/`, the text before `/{id}`: none. */
function withoutLastSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

/**
 * Operations of the items of a collection: those written with or without a last slash as it is,
 * else any, where no other collection is written as they are.
 */
function operationsOfItems(
  { paths, places }: OperationIndex,
  collectionPath: string,
): readonly Operation[] {
  const plain = withoutLastSlash(collectionPath);
  const isPlain = plain === collectionPath;
  const all = places.get(plain) ?? [];
  const alike = all.filter(({ path }) => (withoutLastSlash(path) === path) === isPlain);
  const hasTwin = paths.has(isPlain ? `${plain}/` : plain);
  return alike.length > 0 || hasTwin ? alike : all;
}

function compileResource(
  context: CompileContext,
  index: OperationIndex,
  list: Operation,
): Resource | undefined {
  const item = arrayItem(successSchema(list));
  const overrule = readResourceOverrule(context, list, item);
  if (item === undefined || overrule === false) return undefined;
  if (list.path.includes('{')) {
    return warnNoResource(context, list, ' within another resource, which is not supported');
  }
  const { paths } = index;
  const itemPath = findItemPath(operationsOfItems(index, list.path), item);
  const ofItem = itemPath === undefined ? [] : (paths.get(itemPath) ?? []);
  const at = (method: HttpMethod): Operation | undefined =>
    ofItem.find((operation) => operation.method === method);
  const create = paths.get(list.path)?.find(({ method }) => method === 'POST');
  const [any] = ofItem;
  const idParameter = any?.parameters.find(
    (parameter) => parameter.in === 'path' && parameter.name === idNameOf(any.path),
  );
  const idProperty = overrule.idProperty ?? findIdentity(item, list.path, idParameter);
  if (idProperty === undefined || item.shape().properties.get(idProperty) === undefined) {
    return warnNoResource(context, list, ', but no property of its items names an item');
  }
  return {
    collectionPath: list.path,
    itemPath: idParameter === undefined ? undefined : itemPath,
    item,
    idProperty,
    idParameter,
    list,
    create: create !== undefined && returnsItem(create, item, '201') ? create : undefined,
    get: at('GET'),
    replace: at('PUT'),
    update: at('PATCH'),
    remove: at('DELETE'),
    filters: compileFilters(list, item, overrule.filters),
    limit: compilePageLimit(context, list, item, overrule.limit),
  };
}

function warnNoResource({ issues }: CompileContext, list: Operation, why: string): undefined {
  issues.warn(list.pointer, `${list.path} looks like a collection${why}: taken as no resource`);
}

/** The JSON schema of an operation's first successful response that has one. */
function successSchema(operation: Operation, status?: string): SchemaNode | undefined {
  return operation.responses
    .filter((response) =>
      status === undefined ? response.status.startsWith('2') : response.status === status,
    )
    .flatMap(({ content }) => content.find((one) => isJsonMediaType(one.mediaType)) ?? [])
    .find((content) => content.schema !== undefined)?.schema;
}

function arrayItem(schema: SchemaNode | undefined): SchemaNode | undefined {
  const shape = schema?.shape();
  const item = shape?.types.length === 1 && shape.types[0] === 'array' ? shape.items : undefined;
  return item !== undefined && item.shape().properties.size > 0 ? item : undefined;
}

function returnsItem(operation: Operation, item: SchemaNode, status?: string): boolean {
  return successSchema(operation, status)?.pointer === item.pointer;
}

/** Of paths `{collection}/{param}`, that with a GET that returns an item, or with no GET at all. */
function findItemPath(candidates: readonly Operation[], item: SchemaNode): string | undefined {
  const gets = candidates.filter(({ method }) => method === 'GET');
  const readable = gets.find((operation) => returnsItem(operation, item));
  const readPaths = new Set(gets.map(({ path }) => path));
  return (readable ?? candidates.find(({ path }) => !readPaths.has(path)))?.path;
}

function warnTwins(context: CompileContext, resources: readonly Resource[]): void {
  const first = new Map<string, string>();
  for (const { item, list, collectionPath } of resources) {
    const twin = first.get(item.pointer);
    if (twin === undefined) first.set(item.pointer, collectionPath);
    else
      context.issues.warn(
        list.pointer,
        `${collectionPath} lists the same items as ${twin}: taken as a resource of its own`,
      );
  }
}
