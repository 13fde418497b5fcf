import type { JsonValue } from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { PetstoreError } from '../../contract/error/petstore-error.ts';
import { sampleSchema } from '../../contract/sample/sample.ts';
import { successResponse, successStatus } from '../../contract/openapi/response.ts';
import type { Choices } from '../choice/choices.ts';
import type { Action } from '../operation/response/outcome.ts';
import { compileRole } from './actions.ts';
import { compileExample } from './example.ts';
import { ItemOperation } from './item-operation.ts';
import { Collection, type CollectionContext, type GivenSeed } from './collection.ts';
import { compileValues, indexAncestors } from './paths.ts';
import { type Seed, fillWithExamples, storeSeed } from './seed.ts';
import type { Inventory } from './store/inventory.ts';
import { readMembers } from './store/item.ts';
import type { MakeSample } from './view/item-view.ts';

/** The collections of a document, and what its operations do to them. */
export class Collections {
  #given: GivenSeed | undefined;
  readonly #choices: Choices;
  readonly #context: CollectionContext;
  #all: readonly Collection[] | undefined;
  #plain: readonly Collection[] | undefined;
  #byOperation: ReadonlyMap<Operation, Collection> | undefined;
  #gets: ReadonlyMap<string, Operation> | undefined;

  constructor(choices: Choices) {
    const { contract } = choices;
    this.#choices = choices;
    let listAncestors: CollectionContext['listAncestors'] | undefined;
    this.#context = {
      contract,
      choices,
      sample: createSampler(),
      given: () => this.#given,
      fill: fillWithExamples,
      listAncestors: (path) => (listAncestors ??= indexAncestors(contract.inferredResources))(path),
    };
    // What is odd about collections is reported at the start.
    void contract.resources;
  }

  /** The sample of a schema that they share. */
  get sample(): MakeSample {
    return this.#context.sample;
  }

  /** All of them, in the order of the document; to infer takes longer than to start. */
  get all(): readonly Collection[] {
    return (this.#all ??= this.#choices.contract.inferredResources.map(
      (resource) => new Collection(resource, this.#context),
    ));
  }

  /** Those whose items are kept as all responses show them. */
  get plain(): readonly Collection[] {
    return (this.#plain ??= this.all.filter(({ plain }) => plain !== undefined));
  }

  /** The collection at a path, if its items are kept as all responses show them. */
  findPlain(path: string): Collection | undefined {
    const collection = this.find(path)?.collection;
    return collection?.plain === undefined ? undefined : collection;
  }

  /** Those that are within no other; a single item is none. */
  get top(): readonly Collection[] {
    return this.all.filter(({ resource }) => resource.parents.length === 0 && !resource.isSingle);
  }

  /** The collection at a path, and the values of its parents. */
  find(
    path: string,
  ): { readonly collection: Collection; readonly values: readonly string[] } | undefined {
    for (const collection of this.all) {
      // What is one item at its path is not a collection.
      const { isSingle } = collection.resource;
      const values = isSingle ? undefined : compileValues(collection.path)(path);
      if (values !== undefined) return { collection, values };
    }
    return undefined;
  }

  /**
   * Takes over what sandboxes start with: a seed, or what the document shows. `onUnfitItem`: called for
   * items that are left out; by default they are thrown as `PetstoreError`.
   */
  seed(seed: Seed | undefined, onUnfitItem?: (fault: PetstoreError) => void): void {
    if (seed === undefined) return;
    const inventories = new Map<string, Inventory>();
    const open = (path: string, collection: Collection) => {
      const inventory = inventories.get(path) ?? collection.openEmpty();
      inventories.set(path, inventory);
      return { inventory };
    };
    storeSeed(seed, this, open, onUnfitItem);
    for (const inventory of inventories.values()) inventory.seal();
    this.#given = inventories;
  }

  /** The seed as JSON again; undefined where there is none. */
  get seedItems(): Seed | undefined {
    return (
      this.#given &&
      Object.fromEntries(
        [...this.#given].map(([path, { items }]) => [
          path,
          items.map(({ text }) => readMembers(text)),
        ]),
      )
    );
  }

  /**
   * What an operation does: by its role in a resource, else by the role that it seems to have, else
   * by the examples of the document.
   */
  compile(operation: Operation): Action {
    const twin = operation.method === 'HEAD' ? this.#getAt(operation.path) : undefined;
    if (twin !== undefined) return compileHead(operation, this.compile(twin));
    let action: Action | undefined;
    return (input, call) => (action ??= this.#compileNow(operation))(input, call);
  }

  #compileNow(operation: Operation): Action {
    const otherwise = compileExample(operation, this.#choices.contract.basePath);
    const collection = this.#index().get(operation);
    return collection === undefined
      ? otherwise
      : compileRole(new ItemOperation(collection, operation), otherwise);
  }

  #index(): ReadonlyMap<Operation, Collection> {
    return (this.#byOperation ??= new Map(
      this.all.flatMap((collection) =>
        collection.resource.operations.map(({ operation }) => [operation, collection] as const),
      ),
    ));
  }

  #getAt(path: string): Operation | undefined {
    this.#gets ??= new Map(
      this.#choices.contract.operations.flatMap((one) =>
        one.method === 'GET' ? [[one.path, one] as const] : [],
      ),
    );
    return this.#gets.get(path);
  }
}

function createSampler(): MakeSample {
  const samples = new Map<string, JsonValue | undefined>();
  return (schema) => {
    if (!samples.has(schema.pointer))
      samples.set(schema.pointer, sampleSchema(schema, { direction: 'response' }).value);
    return samples.get(schema.pointer);
  };
}

/** HEAD is answered as GET of the path is, with its own status where all goes well. */
function compileHead(operation: Operation, get: Action): Action {
  const response = successResponse(operation);
  return (input, call) => {
    const outcome = get(input, call);
    if (outcome.kind !== 'success' || response === undefined) return outcome;
    return { ...outcome, status: successStatus(operation) };
  };
}
