import { Ajv2020, Name, _ } from 'ajv/dist/2020.js';
import { callRef } from 'ajv/dist/vocabularies/core/ref.js';
import { mergeEvaluated, Type } from 'ajv/dist/compile/util.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { SchemaEngine } from './engine.ts';

/** Takes the place of `engine.ts` in a browser, which cannot load a module when it is wanted. */
export function loadSchemaEngine(): SchemaEngine {
  return {
    Ajv: Ajv2020,
    _,
    Name,
    Type,
    callRef,
    mergeEvaluated,
    stringFormats: new Map(Object.entries(fullFormats)),
  };
}
