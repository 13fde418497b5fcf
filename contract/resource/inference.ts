import type { CompileContext } from '../openapi/compile-context.ts';
import type { Operation } from '../openapi/operation.ts';
import type { Parameter } from '../openapi/parameter.ts';
import { successResponse } from '../openapi/response.ts';
import { type Certainty, doubt, judgeCertainty } from './certain.ts';
import { findSentPlace, findViews, schemaAt } from './item-view.ts';
import { idNamesFor, parameterAtEnd, plainName } from './names.ts';
import { checkOverrules, readOverrule, readRoles, type ResourceOverrule } from './overrule.ts';
import { type CollectionPaths, groupPaths } from './paths.ts';
import type {
  InferredOperation,
  InferredResource,
  InferredRole,
  ItemView,
  Resource,
} from './resource.ts';
import { evidenceOfView, type RoleByPath, rolesByPath } from './role.ts';

/**
 * Infers collections of items from what paths, methods, schemas and names say, and checks what
 * extensions say of them. What is weighed is computed when first asked for, so that a large document
 * costs little.
 */
export function inferResources(
  context: CompileContext,
  operations: readonly Operation[],
): readonly InferredResource[] {
  const given = readRoles(context, operations);
  const found: InferredResource[] = [];
  for (const paths of groupPaths(operations)) {
    const overrule = readOverrule(context, paths.path);
    const roles = rolesByPath(paths, given);
    const isFilled = roles.some(({ role }) => ['create', 'get', 'list'].includes(role));
    if (overrule !== false && isFilled) found.push(new PathCollection(paths, roles, overrule));
  }
  checkOverrules(context, operations, found);
  return found;
}

const rolesOfItems: readonly InferredRole[] = ['get', 'list', 'create', 'replace', 'update'];

function isSamePlace(one: readonly string[] = [], other: readonly string[] = []): boolean {
  return one.join('/') === other.join('/');
}

/** A collection that paths speak of; all that takes schemas waits until it is asked for. */
class PathCollection implements InferredResource {
  readonly path: string;
  readonly itemPath: string | undefined;
  readonly isSingle: boolean;
  readonly idParameter: Parameter | undefined;
  readonly parents: readonly string[];
  readonly showing: readonly Operation[];
  readonly idNames: readonly string[];
  readonly #paths: CollectionPaths;
  readonly #roles: readonly RoleByPath[];
  readonly #overrule: ResourceOverrule;
  readonly #sent = new Map<Operation, readonly string[]>();
  #views: ReadonlyMap<Operation, ItemView> | undefined;
  #operations: readonly InferredOperation[] | undefined;
  #certainty: Certainty | undefined;

  constructor(paths: CollectionPaths, roles: readonly RoleByPath[], overrule: ResourceOverrule) {
    const { path, itemPath, isSingle, placed } = paths;
    const idName = parameterAtEnd(itemPath);
    const given = overrule.idProperty === undefined ? [] : [plainName(overrule.idProperty)];
    this.path = path;
    this.itemPath = itemPath;
    this.isSingle = isSingle;
    this.idParameter = placed.item
      .flatMap(({ parameters }) => parameters)
      .find((parameter) => parameter.in === 'path' && parameter.name === idName);
    this.parents = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
    this.showing = rolesOfItems.flatMap((wanted) =>
      roles.filter(({ role }) => role === wanted).map(({ operation }) => operation),
    );
    this.idNames = isSingle ? [] : [...new Set([...given, ...idNamesFor(path, idName)])];
    this.#paths = paths;
    this.#roles = roles;
    this.#overrule = overrule;
  }

  readonly viewOf = (operation: Operation): ItemView | undefined =>
    (this.#views ??= findViews(
      this,
      new Map(this.#roles.map((each) => [each.operation, each.role])),
      this.#overrule.idProperty,
    )).get(operation);

  readonly sentPlace = (operation: Operation): readonly string[] => {
    const known =
      this.#sent.get(operation) ?? findSentPlace(operation, this.path, this.viewOf(operation));
    this.#sent.set(operation, known);
    return known;
  };

  /** Roles with all evidence. A `list` whose body is described, and is not a list, is a view. */
  get operations(): readonly InferredOperation[] {
    return (this.#operations ??= this.#roles
      .map(({ operation, role, evidence }) => {
        const all = [...evidence, ...evidenceOfView(operation, role, this)];
        const sum = all.reduce((total, { weight }) => total + weight, 0);
        const mayList =
          this.viewOf(operation)?.isList === true ||
          successResponse(operation)?.content.length === 0;
        return {
          operation,
          role: role === 'list' && !mayList ? 'view' : role,
          evidence: all,
          weight: Math.max(0, Math.round(sum * 100) / 100),
        };
      })
      .filter(({ weight }) => weight > 0));
  }

  /** A client can learn every id there is, and GET of another has a documented response. */
  get isClosed(): boolean {
    const get = this.operations.find(({ role }) => role === 'get')?.operation;
    return (
      get?.responses.some(({ status }) => /^(?:404|4XX)$/i.test(status)) === true &&
      this.operations.some(
        ({ role, operation }) =>
          (role === 'list' || role === 'create') && this.viewOf(operation)?.idPlace !== undefined,
      )
    );
  }

  get certain(): Resource | undefined {
    return this.#judged.resource;
  }

  get doubts(): readonly string[] {
    return this.#judged.doubts;
  }

  get #judged(): Certainty {
    return (this.#certainty ??= this.#judge());
  }

  /** What weighs most may be another place, or another id: then nothing is certain. */
  #judge(): Certainty {
    const certainty = judgeCertainty(this.#paths, this.#roles, this.#overrule);
    if (certainty.resource === undefined) return certainty;
    const { list, places, idPlace, idParameter } = certainty.resource;
    const view = this.viewOf(list);
    const named = view && schemaAt(view.item, view.idPlace ?? [])?.shape().types;
    const isOfPath = idParameter?.schema.shape().types.some((type) => named?.includes(type));
    for (const { operation } of this.#roles) {
      const place = places.get(operation.id);
      if (place !== undefined && !isSamePlace(this.viewOf(operation)?.place, place))
        return doubt(`items may be in several places of the body of ${operation.id}`);
    }
    return isOfPath !== true || isSamePlace(view?.idPlace ?? idPlace, idPlace)
      ? certainty
      : doubt(`${view?.idPlace?.join('.')} and ${idPlace.join('.')} may both name an item`);
  }
}
