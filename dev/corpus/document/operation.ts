import { isRecord, type JsonRecord, listOf, recordOf, textOf } from './json.ts';
import { type Place, placeAt, placeBelow } from './place.ts';
import type { PublicDocument } from './read.ts';

/** An operation of a document, with its parameters and body where their references lead. */
export interface Operation {
  readonly id: string;
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  readonly place: Place;
  readonly node: JsonRecord;
  readonly parameters: readonly Parameter[];
  readonly body: Place | undefined;
}

export interface Parameter {
  readonly place: Place;
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly node: JsonRecord;
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** Every operation below `paths`, in the document's order. */
export function listOperations({ root }: PublicDocument): readonly Operation[] {
  const paths = Object.keys(recordOf(root['paths'])).filter((path) => path.startsWith('/'));
  return paths.flatMap((path) => {
    const item = placeBelow(root, placeAt(root, '#/paths'), path);
    return methods.flatMap((method) => {
      const node = recordOf(item.node)[method];
      return isRecord(node) ? [readOperation(root, item, path, method)] : [];
    });
  });
}

function readOperation(root: JsonRecord, item: Place, path: string, method: string): Operation {
  const place = placeBelow(root, item, method);
  const node = recordOf(place.node);
  const own = readParameters(root, place);
  const isOwn = (one: Parameter): boolean =>
    own.some((other) => other.name === one.name && other.in === one.in);
  return {
    id: textOf(node['operationId']) ?? `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    place,
    node,
    parameters: [...readParameters(root, item).filter((one) => !isOwn(one)), ...own],
    body: node['requestBody'] === undefined ? undefined : placeBelow(root, place, 'requestBody'),
  };
}

function readParameters(root: JsonRecord, holder: Place): readonly Parameter[] {
  return listOf(recordOf(holder.node)['parameters']).flatMap((_, index) => {
    const place = placeBelow(root, holder, 'parameters', String(index));
    const node = recordOf(place.node);
    const name = textOf(node['name']);
    if (name === undefined) return [];
    return [{ place, name, in: String(node['in']), required: node['required'] === true, node }];
  });
}
