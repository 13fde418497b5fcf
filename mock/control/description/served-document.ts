import type { Contract } from '../../../contract/contract.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
  mapMembers,
  renderJson,
} from '../../../contract/json/value.ts';
import { renderYaml } from '../../../contract/source/yaml.ts';
import type { MockRequest, MockResponse } from '../../http/message.ts';
import { compileCors } from '../../operation/response/cors.ts';

const mediaTypes: ReadonlyMap<string, string> = new Map([
  ['/openapi.yaml', 'application/yaml'],
  ['/openapi.json', 'application/json'],
]);

const allowed = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Responds with the document that is served, for tools that import it by its URL; undefined for any other
 * request. `origin`: the origin of the mock in this request.
 */
export async function serveDocument(
  { method, target }: MockRequest,
  contract: Contract,
  origin: string,
): Promise<MockResponse | undefined> {
  const mediaType = mediaTypes.get(target.split('?', 1)[0] ?? '');
  if (mediaType === undefined) return undefined;
  const cors = compileCors(contract);
  const own = ['X-Content-Type-Options', 'nosniff', 'Cache-Control', 'no-cache'];
  const headers = [...cors.common, ...own];
  if (method === 'OPTIONS')
    return { status: 204, headers: [...headers, ...cors.ofPreflight(allowed)], body: '' };
  if (!allowed.includes(method))
    return { status: 405, headers: [...headers, 'Allow', allowed.join(', ')], body: '' };
  const document = withServer(contract, origin);
  const isYaml = mediaType === 'application/yaml';
  const body = isYaml ? await renderYaml(document) : renderJson(document);
  return { status: 200, headers: [...headers, 'Content-Type', mediaType], body };
}

/** The document with the mock as its only server. */
function withServer({ document, basePath }: Contract, origin: string): JsonObject {
  const { paths, ...others } = document;
  const items = mapMembers<JsonValue, JsonValue>({ ...Object(paths) }, (item) => {
    const own = withoutServers(item);
    return isJsonObject(own) ? mapMembers<JsonValue, JsonValue>(own, withoutServers) : own;
  });
  return { ...others, servers: [{ url: origin + basePath }], paths: items };
}

function withoutServers(value: JsonValue): JsonValue {
  if (!isJsonObject(value) || !Array.isArray(value['servers'])) return value;
  const { servers: _, ...others } = value;
  return others;
}
