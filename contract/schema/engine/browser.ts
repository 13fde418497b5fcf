import { Ajv2020, Name, _ } from 'ajv/dist/2020.js';
import { Type } from 'ajv/dist/compile/util.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { SchemaEngine } from './engine.ts';

/**
 * Takes the place of `contract/schema/engine/engine.ts` in a browser, which has nothing to load a module
 * by at the moment it is wanted.
 */
export function loadSchemaEngine(): SchemaEngine {
  return { Ajv: Ajv2020, _, Name, Type, stringFormats: new Map(Object.entries(fullFormats)) };
}
