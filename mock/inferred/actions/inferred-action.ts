import {
  type Contract,
  type JsonValue,
  type Operation,
  sampleSchema,
} from '../../../contract/index.ts';
import type { Action } from '../../operation/response/outcome.ts';
import { type InferredCollection, compileInferredCollection } from '../collection.ts';
import { indexAncestors } from '../paths.ts';
import type { MakeSample } from '../view/item-view.ts';
import { compileInferredAct } from './act.ts';
import { compileInferredChange } from './change.ts';
import { compileInferredCreate } from './create.ts';
import { compileInferredList } from './list.ts';
import { compileInferredRemove } from './remove.ts';
import { compileInferredGet } from './show.ts';

/** The inferred resources of a document, compiled when a request first needs one. */
export interface InferredCollections {
  /** What an operation does by its inferred role; undefined where it has none. */
  compile(operation: Operation, otherwise: Action): Action | undefined;
  /** All of them, in the order of the document. */
  readonly all: readonly InferredCollection[];
  /** The sample of a schema that they share. */
  readonly sample: MakeSample;
}

export function createInferredCollections(contract: Contract): InferredCollections {
  const samples = new Map<string, JsonValue | undefined>();
  const sample: MakeSample = (schema) => {
    if (!samples.has(schema.pointer))
      samples.set(schema.pointer, sampleSchema(schema, { direction: 'response' }).value);
    return samples.get(schema.pointer);
  };
  let collections: readonly InferredCollection[] | undefined;
  const list = (): readonly InferredCollection[] => (collections ??= compileAll());
  const compileAll = (): readonly InferredCollection[] => {
    const { inferredResources } = contract;
    const listAncestors = indexAncestors(inferredResources);
    return inferredResources.map((resource) =>
      compileInferredCollection(contract, resource, sample, listAncestors),
    );
  };
  let byOperation: ReadonlyMap<Operation, InferredCollection> | undefined;
  const index = (): ReadonlyMap<Operation, InferredCollection> =>
    new Map(
      list().flatMap((collection) =>
        collection.resource.operations.map(({ operation }) => [operation, collection] as const),
      ),
    );
  return {
    sample,
    get all() {
      return list();
    },
    compile(operation, otherwise) {
      const collection = (byOperation ??= index()).get(operation);
      return collection && compile(collection, operation, otherwise);
    },
  };
}

function compile(
  collection: InferredCollection,
  operation: Operation,
  otherwise: Action,
): Action | undefined {
  switch (collection.roleOf(operation)) {
    case 'create':
      return compileInferredCreate(collection, operation, otherwise);
    case 'list':
      return compileInferredList(collection, operation, otherwise);
    case 'get':
      return compileInferredGet(collection, operation, otherwise);
    case 'replace':
    case 'update':
      return compileInferredChange(collection, operation, otherwise);
    case 'remove':
      return compileInferredRemove(collection, operation, otherwise);
    case 'action':
    case 'view':
      return collection.resource.parents.length < countParameters(operation.path)
        ? compileInferredAct(collection, operation, otherwise)
        : undefined;
    case 'bulk':
    case undefined:
    default:
      return undefined;
  }
}

function countParameters(path: string): number {
  return path.split('{').length - 1;
}
