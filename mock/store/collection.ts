import type { JsonValue, Resource } from '../../contract/index.ts';
import type { Choices } from '../choice/choices.ts';
import type { Inventory } from './inventory.ts';
import type { ItemId } from './item-id.ts';
import { argumentKey } from '../http/parameter-text.ts';
import { parsePathTemplate } from '../http/path-template.ts';
import { type StoredForm, compileStoredForm, isItemId } from './stored-form.ts';

type Arguments = ReadonlyMap<string, JsonValue>;

/** A resource, compiled for serving: where its items are kept and how a request names one. */
export interface Collection {
  readonly resource: Resource;
  /** Path of the collection: `/pets`. */
  readonly path: string;
  readonly form: StoredForm;
  /** The items that every sandbox starts with; filled once, then shared. */
  readonly seed: Inventory;
  /** The id in the path, by `argumentKey`; undefined where the text can name nothing. */
  idOf(parameters: Arguments): ItemId | undefined;
  /** Reference to an item for `Location`; undefined where items have no path. */
  location(id: ItemId): string | undefined;
}

/** Compiles a resource of the contract. */
export function compileCollection(resource: Resource, choices: Choices): Collection {
  const form = compileStoredForm(resource, choices);
  const { collectionPath, itemPath, idParameter } = resource;
  const item = itemPath === undefined ? undefined : parsePathTemplate(itemPath);
  return {
    resource,
    path: collectionPath,
    form,
    seed: form.open(),
    idOf: compileId(resource),
    location: (id) =>
      item === undefined
        ? undefined
        : choices.contract.basePath + item.render(new Map([[idParameter?.name ?? '', `${id}`]])),
  };
}

function compileId({ idParameter }: Resource): (parameters: Arguments) => ItemId | undefined {
  if (idParameter === undefined) return () => undefined;
  const key = argumentKey(idParameter);
  return (parameters) => {
    const id = parameters.get(key);
    return isItemId(id) ? id : undefined;
  };
}
