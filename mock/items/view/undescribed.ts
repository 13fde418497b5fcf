import type { InferredResource } from '../../../contract/resource/resource.ts';
import type { JsonObject } from '../../../contract/json/value.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { successResponse, successStatus } from '../../../contract/openapi/response.ts';
import { idValue } from '../store/ids.ts';
import { type Item, readMembers } from '../store/item.ts';

/** True where a success may have a body, of which the document says nothing at all. */
export function isUndescribed(resource: InferredResource, operation: Operation): boolean {
  const status = successStatus(operation);
  const mayHaveBody = status >= 200 && status < 204;
  const isOpen = successResponse(operation)?.content.length === 0;
  return resource.itemPath !== undefined && mayHaveBody && isOpen;
}

/** All that is known of an item, but for passwords. */
export function wholeItem({ idParameter }: InferredResource, { id, text }: Item): JsonObject {
  const shown = Object.entries(readMembers(text)).filter(
    ([name]) => !/password|secret/i.test(name),
  );
  const shownId = idValue(`${id}`, idParameter?.schema) ?? id;
  return { id: shownId, ...Object.fromEntries(shown.filter(([name]) => name !== 'id')) };
}

/** The type that a body has which is documented as one of these. */
export function jsonType(mediaType: string): string {
  return mediaType === '*/*' ? 'application/json' : mediaType;
}
