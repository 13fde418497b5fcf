import { readFile } from 'node:fs/promises';
import { basename, posix } from 'node:path';
import SwaggerParser from '@apidevtools/swagger-parser';
import { upgrade } from '@scalar/openapi-upgrader';
import { parse } from 'yaml';
import { isRecord, type JsonRecord, listOf, recordOf } from './json.ts';

/** A part of a document and its pointer, with references followed. */
export interface Place {
  /** JSON pointer from the root, as a fragment: `#/paths/~1pets/get`. */
  readonly pointer: string;
  readonly node: unknown;
}

/** An operation of a document, with the references of its parameters and body followed. */
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

const longestChain = 20;
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** A document as this measurement reads it: one OpenAPI 3 object with only internal references. */
export class PublicDocument {
  readonly root: JsonRecord;
  /** `3.0`, or `3.1` for all versions with JSON Schema 2020-12. */
  readonly dialect: '3.0' | '3.1';

  constructor(root: JsonRecord, dialect: '3.0' | '3.1') {
    this.root = root;
    this.dialect = dialect;
  }

  /** The part at a pointer, with references followed. */
  at(pointer: string): Place {
    let place = { pointer, node: this.#nodeAt(pointer) };
    for (let step = 0; step < longestChain; step++) {
      const target = referenceOf(place.node);
      if (target === undefined) return place;
      place = { pointer: target, node: this.#nodeAt(target) };
    }
    return { pointer, node: undefined };
  }

  /** A part below another. */
  below({ pointer }: Place, ...names: readonly string[]): Place {
    const tokens = names.map((name) =>
      encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1')),
    );
    return this.at([pointer, ...tokens].join('/'));
  }

  /** The value of a node: itself, or the target of its reference. */
  dereference(node: unknown): unknown {
    const target = referenceOf(node);
    return target === undefined ? node : this.at(target).node;
  }

  /** Every operation below `paths`, in the document's order. */
  listOperations(): readonly Operation[] {
    const found: Operation[] = [];
    for (const path of Object.keys(recordOf(this.root['paths'])).filter((one) => one[0] === '/')) {
      const item = this.below(this.at('#/paths'), path);
      for (const method of methods)
        if (isRecord(recordOf(item.node)[method])) found.push(this.#operation(item, path, method));
    }
    return found;
  }

  #operation(item: Place, path: string, method: string): Operation {
    const place = this.below(item, method);
    const node = recordOf(place.node);
    const { operationId } = node;
    const own = this.#parameters(place);
    const inherited = this.#parameters(item).filter(
      (one) => !own.some((other) => other.name === one.name && other.in === one.in),
    );
    return {
      id: typeof operationId === 'string' ? operationId : `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      // Templates in the style of Express.
      path: path.replaceAll(/\/:(\w+)/g, '/{$1}'),
      place,
      node,
      parameters: [...inherited, ...own],
      body: node['requestBody'] === undefined ? undefined : this.below(place, 'requestBody'),
    };
  }

  #parameters(holder: Place): readonly Parameter[] {
    return listOf(recordOf(holder.node)['parameters']).flatMap((_, index) => {
      const place = this.below(holder, 'parameters', String(index));
      const node = recordOf(place.node);
      const { name } = node;
      if (typeof name !== 'string') return [];
      return [{ place, name, in: String(node['in']), required: node['required'] === true, node }];
    });
  }

  #nodeAt(pointer: string): unknown {
    let node: unknown = this.root;
    for (const token of pointer.split('/').slice(1)) {
      const holder = this.dereference(node);
      const name = unescapeToken(token);
      if (Array.isArray(holder)) node = holder[Number(name)];
      else if (isRecord(holder)) node = holder[name];
      else return undefined;
    }
    return node;
  }
}

/** The target of a reference within the document. */
function referenceOf(node: unknown): string | undefined {
  const target = recordOf(node)['$ref'];
  return typeof target === 'string' && target.startsWith('#') ? target : undefined;
}

function unescapeToken(token: string): string {
  let text = token;
  try {
    text = decodeURIComponent(token);
  } catch {
    // A percent sign that encodes nothing stays unchanged.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The document as OpenAPI 3. Throws if no parser reads an object in it. Never uses the network. */
export async function readDocument(file: string): Promise<PublicDocument> {
  const root = await readRoot(file, await readFile(file, 'utf8'));
  if (!isRecord(root)) throw new Error(`${file} is not an object.`);
  const parameters = recordOf(root['parameters']);
  // A tree of JSON alone: what YAML shares by anchors becomes equal copies. `upgrade` loses a body
  // of Swagger 2.0 that is a reference, so those to parameters are replaced by what they lead to.
  // `bundle` leaves some references from other files to the root.
  const plain: JsonRecord = JSON.parse(JSON.stringify(root), (key, node: unknown) => {
    if (key === '$ref' && typeof node === 'string' && /[^#]#\//.test(node)) {
      const [from = '', pointer = ''] = node.split('#');
      return posix.basename(from) === basename(file) ? `#${pointer}` : node;
    }
    const name = /^#\/parameters\/(.*)/.exec(String(recordOf(node)['$ref']))?.[1];
    return parameters[name ?? ''] ?? node;
  });
  const document: JsonRecord = upgrade(plain, '3.0');
  return new PublicDocument(
    document,
    String(document['openapi']).startsWith('3.0') ? '3.0' : '3.1',
  );
}

async function readRoot(file: string, text: string): Promise<unknown> {
  // A reference to a file or an address.
  if (!/\$ref["']?\s*:\s*["']?[^#"'\s{]/.test(text)) return parseText(text);
  try {
    return await SwaggerParser.bundle(file, { resolve: { http: false } });
  } catch {
    return parseText(text);
  }
}

function parseText(text: string): unknown {
  const content = text.replace(/^\uFEFF/, '');
  try {
    const value: unknown = JSON.parse(content);
    return value;
  } catch {
    const options = { maxAliasCount: -1, strict: false, uniqueKeys: false, merge: true } as const;
    return parse(content, { ...options, logLevel: 'silent' });
  }
}
