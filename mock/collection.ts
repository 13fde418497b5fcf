import { type Contract, type JsonValue, type Resource, isJsonObject } from '../contract/index.ts';
import type { Gaps } from './gaps.ts';
import type { Inventory, ItemId } from './inventory.ts';
import { type IdSource, createIdSource } from './item-id.ts';
import type { Call, Input } from './outcome.ts';
import { argumentKey, readParameterText } from './parameter-text.ts';
import { type PathTemplate, parsePathTemplate } from './path-template.ts';
import { type StoredForm, compileStoredForm } from './stored-form.ts';

/** A resource, compiled for serving: where its items are kept and how a request names one. */
export interface Collection {
  readonly resource: Resource;
  readonly form: StoredForm;
  /** The inventory that a call is about; undefined while nothing was stored in it. */
  find(call: Call, template: PathTemplate): Inventory | undefined;
  /** The inventory that a call is about, made if need be. */
  open(call: Call, template: PathTemplate): Inventory;
  /** The id in the path. */
  idOf(input: Input): ItemId | undefined;
  /** Where ids for the inventory come from. */
  ids(inventory: Inventory): IdSource;
  /** Reference to an item for `Location`; undefined where items have no path. */
  location(call: Call, template: PathTemplate, id: ItemId): string | undefined;
}

/** Compiles a resource of the contract. */
export function compileCollection(contract: Contract, resource: Resource, gaps: Gaps): Collection {
  const form = compileStoredForm(contract, resource, gaps);
  const collection = parsePathTemplate(resource.collectionPath);
  const item = resource.itemPath === undefined ? undefined : parsePathTemplate(resource.itemPath);
  const sources = new WeakMap<Inventory, IdSource>();
  const find = (call: Call, template: PathTemplate): Inventory | undefined =>
    call.sandbox.inventories.get(collection.fill(template.names, call.pathValues));
  return {
    resource,
    form,
    find,
    open(call, template) {
      const known = find(call, template);
      if (known !== undefined) return known;
      const opened = form.open();
      call.sandbox.inventories.set(collection.fill(template.names, call.pathValues), opened);
      return opened;
    },
    idOf: compileId(resource),
    ids(inventory) {
      const known = sources.get(inventory) ?? createIdSource(idSchema(resource));
      sources.set(inventory, known);
      return known;
    },
    location(call, template, id) {
      if (item === undefined) return undefined;
      return contract.basePath + item.fill([...template.names, resource.idParameter?.name ?? ''], [...call.pathValues, `${id}`]);
    },
  };
}

function idSchema({ item, idProperty, idParameter }: Resource): Resource['item'] {
  return item.shape().properties.get(idProperty) ?? idParameter?.schema ?? item;
}

/** The parameter may be looser than the property (a string for an integer); the property decides what it means. */
function compileId(resource: Resource): (input: Input) => ItemId | undefined {
  const { idParameter } = resource;
  if (idParameter === undefined) return () => undefined;
  const key = argumentKey(idParameter);
  const shape = idSchema(resource).shape();
  return ({ parameters }) => {
    const given = parameters.get(key);
    const id = typeof given === 'string' ? readParameterText(given, shape) : given;
    return isScalarId(id) ? id : undefined;
  };
}

function isScalarId(value: JsonValue | undefined): value is ItemId {
  return value !== undefined && value !== null && typeof value !== 'boolean' && !Array.isArray(value) && !isJsonObject(value);
}
