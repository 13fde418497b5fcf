import { createRequire } from 'node:module';
import type { Format } from 'ajv';
import type * as ajvModule from 'ajv/dist/2020.js';
import type * as referenceModule from 'ajv/dist/vocabularies/core/ref.js';
import type * as utilModule from 'ajv/dist/compile/util.js';
import type * as formatsModule from 'ajv-formats/dist/formats.js';

/** What compiling schemas takes from ajv. */
export interface SchemaEngine {
  readonly Ajv: typeof ajvModule.Ajv2020;
  readonly _: typeof ajvModule._;
  readonly Name: typeof ajvModule.Name;
  readonly Type: typeof utilModule.Type;
  /** Has the code of a keyword call a function of another schema. */
  readonly callRef: typeof referenceModule.callRef;
  /** Joins what parts of a schema have evaluated, for `unevaluatedProperties` and its like. */
  readonly mergeEvaluated: typeof utilModule.mergeEvaluated;
  /** Formats of strings, by name. */
  readonly stringFormats: ReadonlyMap<string, Format>;
}

/** Loads ajv at the first call: it takes longer than all else, and few processes validate. */
export function loadSchemaEngine(): SchemaEngine {
  const require = createRequire(import.meta.url);
  const ajv: typeof ajvModule = require('ajv/dist/2020.js');
  const formats: typeof formatsModule = require('ajv-formats/dist/formats.js');
  const util: typeof utilModule = require('ajv/dist/compile/util.js');
  const reference: typeof referenceModule = require('ajv/dist/vocabularies/core/ref.js');
  return {
    Ajv: ajv.Ajv2020,
    _: ajv._,
    Name: ajv.Name,
    Type: util.Type,
    callRef: reference.callRef,
    mergeEvaluated: util.mergeEvaluated,
    stringFormats: new Map(Object.entries(formats.fullFormats)),
  };
}
