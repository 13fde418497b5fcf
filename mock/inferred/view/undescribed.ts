import { type InferredResource, type JsonObject, type Operation } from '../../../contract/index.ts';
import type { Entity } from '../../store/entities/entity.ts';
import { idValue } from './item-view.ts';

/** True where a success may have a body, of which the document says nothing at all. */
export function isUndescribed(resource: InferredResource, operation: Operation): boolean {
  const { response, status } = resource.success(operation);
  const mayHaveBody = status >= 200 && status < 204;
  return resource.itemPath !== undefined && mayHaveBody && response?.content.length === 0;
}

/** All that is known of an item, but for passwords. */
export function wholeItem({ idParameter }: InferredResource, { key, members }: Entity): JsonObject {
  const shown = Object.entries(members).filter(([name]) => !/password|secret/i.test(name));
  const id = idValue(key, idParameter?.schema) ?? key;
  return { id, ...Object.fromEntries(shown.filter(([name]) => name !== 'id')) };
}
