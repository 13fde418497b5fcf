import {
  type Contract,
  type JsonObject,
  type JsonValue,
  isJsonObject,
  renderJson,
  renderYaml,
} from '../../../contract/index.ts';
import type { MockRequest, MockResponse } from '../../http/message.ts';
import { compileCors } from '../../operation/response/cors.ts';

/** Answers with the document that is served, for tools that import it by its address. */
export interface DocumentFiles {
  /** Undefined for a request that is not for it. `origin`: of the mock, by this request. */
  response(
    request: MockRequest,
    contract: Contract,
    origin: string,
  ): Promise<MockResponse | undefined>;
}

const mediaTypes: ReadonlyMap<string, string> = new Map([
  ['/openapi.yaml', 'application/yaml'],
  ['/openapi.json', 'application/json'],
]);

const allowed = ['GET', 'HEAD', 'OPTIONS'];

export function createDocumentFiles(): DocumentFiles {
  /** The last text, by what it depends on: tools ask for it again and again. */
  let last:
    | { readonly contract: Contract; readonly key: string; readonly text: string }
    | undefined;
  return {
    async response({ method, target }, contract, origin) {
      const path = target.split('?', 1)[0] ?? '';
      const mediaType = mediaTypes.get(path);
      if (mediaType === undefined) return undefined;
      const cors = compileCors(contract);
      const headers = [
        ...cors.common,
        'X-Content-Type-Options',
        'nosniff',
        'Cache-Control',
        'no-cache',
      ];
      if (method === 'OPTIONS')
        return { status: 204, headers: [...headers, ...cors.ofPreflight(allowed)], body: '' };
      if (!allowed.includes(method))
        return { status: 405, headers: [...headers, 'Allow', allowed.join(', ')], body: '' };
      const key = `${path} ${origin}`;
      if (last?.contract !== contract || last.key !== key) {
        const document = withServer(contract, origin);
        const isYaml = mediaType === 'application/yaml';
        const text = isYaml ? await renderYaml(document) : renderJson(document);
        last = { contract, key, text };
      }
      return { status: 200, headers: [...headers, 'Content-Type', mediaType], body: last.text };
    },
  };
}

/** The document as it is served, with the mock as its only server. */
function withServer({ document, basePath }: Contract, origin: string): JsonObject {
  const { paths, ...others } = document;
  return {
    ...others,
    servers: [{ url: origin + basePath }],
    ...(paths === undefined ? {} : { paths: mapMembers(paths, withoutServers) }),
  };
}

/** Servers of a path, or of an operation, would lead elsewhere. */
function withoutServers(item: JsonValue): JsonValue {
  return mapMembers(without(item), without);
}

function without(value: JsonValue): JsonValue {
  if (!isJsonObject(value) || !Array.isArray(value['servers'])) return value;
  const { servers: _, ...others } = value;
  return others;
}

function mapMembers(value: JsonValue, change: (member: JsonValue) => JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    member === undefined ? undefined : change(member),
  ]);
  return Object.fromEntries(members);
}
