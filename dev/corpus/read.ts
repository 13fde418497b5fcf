import { readFile } from 'node:fs/promises';
import SwaggerParser from '@apidevtools/swagger-parser';
import { upgrade } from '@scalar/openapi-upgrader';
import { parse } from 'yaml';
import { PublicDocument } from './document.ts';
import { isRecord, type JsonRecord, recordOf } from './json.ts';

/** The document as OpenAPI 3. Throws where no parser reads an object in it. Never uses the network. */
export async function readDocument(file: string): Promise<PublicDocument> {
  const root = await readRoot(file, await readFile(file, 'utf8'));
  if (!isRecord(root)) throw new Error(`${file} is not an object.`);
  const parameters = recordOf(root['parameters']);
  // A tree of JSON alone: what YAML shares by anchors becomes equal copies. `upgrade` loses a body
  // of Swagger 2.0 that is a reference, so those to parameters are replaced by what they lead to.
  const plain: JsonRecord = JSON.parse(JSON.stringify(root), (_, node: unknown) => {
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
