import { appendPointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { removeMember, setMember } from '../../json/edit.ts';
import { forEachMember, type Conversion } from './conversion.ts';
import { convertSchema, takeSchema } from './schema.ts';

/** A response of 2.0, in place. */
export function convertResponse(
  conversion: Conversion,
  response: JsonValue,
  pointer: string,
  produces: readonly string[],
): void {
  if (!isJsonObject(response) || response['$ref'] !== undefined) return;
  forEachMember(response['headers'], appendPointer(pointer, 'headers'), (header, at) => {
    if (!isJsonObject(header) || header['$ref'] !== undefined || header['schema'] !== undefined)
      return;
    removeMember(header, 'collectionFormat');
    const schema = takeSchema(header);
    conversion.moveFrom(schema, at);
    setMember(header, 'schema', schema);
  });
  const { schema, examples, content } = response;
  if (content !== undefined) return;
  const media = contentOf(schema, examples, produces);
  removeMember(response, 'schema');
  removeMember(response, 'examples');
  if (schema !== undefined) {
    convertSchema(schema);
    conversion.moveFrom(schema, appendPointer(pointer, 'schema'));
  }
  conversion.moveFrom(media, pointer);
  if (Object.keys(media).length > 0) setMember(response, 'content', media);
}

function contentOf(
  schema: JsonValue | undefined,
  examples: JsonValue | undefined,
  produces: readonly string[],
): JsonObject {
  const byType = isJsonObject(examples) ? examples : {};
  const described = Object.keys(byType).filter((name) => name.includes('/'));
  const hasRange = described.some(isRange);
  const names = new Set([
    ...(schema === undefined && !hasRange ? [] : produces),
    ...described.filter((name) => !isRange(name)),
  ]);
  return Object.fromEntries(
    [...names].map((name) => {
      const range = described.find((one) => isRange(one) && isWithin(name, one));
      const example = byType[name] ?? (range === undefined ? undefined : byType[range]);
      return [
        name,
        {
          ...(schema === undefined ? {} : { schema }),
          ...(example === undefined ? {} : { example }),
        },
      ] as const;
    }),
  );
}

/** `text/*` or any type, of which `produces` says which types there are. */
function isRange(name: string): boolean {
  return name.endsWith('/*');
}

function isWithin(name: string, range: string): boolean {
  return range === '*/*' || name.startsWith(range.slice(0, -1));
}
