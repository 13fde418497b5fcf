import { readFile } from 'node:fs/promises';
import SwaggerParser from '@apidevtools/swagger-parser';
import { parse } from 'yaml';
import { isRecord, type JsonRecord } from './json.ts';
import { convertSwagger } from './swagger.ts';

/** A document as this measure reads it: one object of OpenAPI 3, all references within it. */
export interface PublicDocument {
  readonly root: JsonRecord;
  /** `3.0`, or `3.1` for all that use JSON Schema 2020-12. */
  readonly dialect: '3.0' | '3.1';
}

/** Throws where no parser reads an object in it. Never asks the network. */
export async function readDocument(file: string): Promise<PublicDocument> {
  const text = await readFile(file, 'utf8');
  const root = await readRoot(file, text);
  if (!isRecord(root)) throw new Error(`${file} holds no object.`);
  // A tree of JSON alone: what YAML shares by anchors becomes equal copies.
  const plain: JsonRecord = JSON.parse(JSON.stringify(root));
  if (plain['swagger'] !== undefined) return { root: convertSwagger(plain), dialect: '3.0' };
  return { root: plain, dialect: String(plain['openapi']).startsWith('3.0') ? '3.0' : '3.1' };
}

async function readRoot(file: string, text: string): Promise<unknown> {
  if (!refersElsewhere(text)) return parseText(text);
  try {
    return await SwaggerParser.bundle(file, { resolve: { http: false } });
  } catch {
    return parseText(text);
  }
}

/** True where a reference names a file or an address. */
export function refersElsewhere(text: string): boolean {
  return /\$ref["']?\s*:\s*["']?[^#"'\s{]/.test(text);
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
