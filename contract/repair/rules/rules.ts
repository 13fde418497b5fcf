import type { Rule } from '../base/repair.ts';
import { repairBodyParameters } from './operation/body-parameter.ts';
import {
  repairBody,
  repairExample,
  repairExamples,
  repairMediaType,
} from './operation/media-type.ts';
import { repairHeader, repairParameter } from './operation/parameter.ts';
import { repairPathItem, repairPaths } from './operation/path-item.ts';
import { repairOperation, repairResponses } from './operation/responses.ts';
import { repairEnum } from './schema/enum.ts';
import { repairLimits } from './schema/limits.ts';
import { repairBranches, repairRequired, repairSchemaExamples } from './schema/members.ts';
import { repairBranchCount, repairPatternCount } from './schema/branch-count.ts';
import { repairPatterns } from './schema/pattern.ts';
import { repairType } from './schema/type.ts';
import { repairVersionWords } from './schema/version-words.ts';
import { repairSecurityScheme } from './security/scheme.ts';

/** The rules for an object of OpenAPI, to be used in this order before its members are looked at. */
export function rulesOf(name: string): readonly Rule[] {
  return rules.get(name) ?? [];
}

/** The rules for an object of OpenAPI whose members all are what they should be. */
export function laterRulesOf(name: string): readonly Rule[] {
  return laterRules.get(name) ?? [];
}

const rules: ReadonlyMap<string, readonly Rule[]> = new Map<string, readonly Rule[]>([
  ['Paths', [repairPaths]],
  ['PathItem', [repairPathItem]],
  ['Operation', [repairBodyParameters, repairOperation]],
  ['Parameter', [repairParameter, repairExamples]],
  ['Header', [repairHeader, repairExamples]],
  ['RequestBody', [repairBody]],
  ['Response', [repairBody]],
  ['Responses', [repairResponses]],
  ['MediaType', [repairMediaType]],
  ['Example', [repairExample]],
  ['SecurityScheme', [repairSecurityScheme]],
  [
    'Schema',
    [
      repairBranchCount,
      repairPatternCount,
      repairVersionWords,
      repairType,
      repairRequired,
      repairSchemaExamples,
      repairEnum,
    ],
  ],
]);

const laterRules: ReadonlyMap<string, readonly Rule[]> = new Map<string, readonly Rule[]>([
  ['Schema', [repairBranches, repairLimits, repairPatterns]],
]);
