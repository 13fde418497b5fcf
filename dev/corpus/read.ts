import { readFile } from 'node:fs/promises';
import SwaggerParser from '@apidevtools/swagger-parser';
import { parse } from 'yaml';
import { PublicDocument } from './document.ts';
import { isRecord, type JsonRecord } from './json.ts';
import { convertSwagger } from './swagger.ts';

/** Throws where no parser reads an object in it. Never uses the network. */
export async function readDocument(file: string): Promise<PublicDocument> {
  const root = await readRoot(file, await readFile(file, 'utf8'));
  if (!isRecord(root)) throw new Error(`${file} is not an object.`);
  // A tree of JSON alone: what YAML shares by anchors becomes equal copies.
  const plain: JsonRecord = JSON.parse(JSON.stringify(root));
  if (plain['swagger'] !== undefined) return convertSwagger(plain);
  return new PublicDocument(plain, String(plain['openapi']).startsWith('3.0') ? '3.0' : '3.1');
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
