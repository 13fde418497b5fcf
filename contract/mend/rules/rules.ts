import type { Rule } from '../base/mending.ts';
import { mendBodyParameters } from './operation/body-parameter.ts';
import { mendBody, mendExample, mendExamples, mendMediaType } from './operation/media-type.ts';
import { mendHeader, mendParameter } from './operation/parameter.ts';
import { mendPathItem, mendPaths } from './operation/path-item.ts';
import { mendOperation, mendResponses } from './operation/responses.ts';
import { mendEnum } from './schema/enum.ts';
import { mendLimits } from './schema/limits.ts';
import { mendBranches, mendRequired, mendSchemaExamples } from './schema/members.ts';
import { mendBranchCount, mendPatternCount } from './schema/branch-count.ts';
import { mendPatterns } from './schema/pattern.ts';
import { mendType } from './schema/type.ts';
import { mendVersionWords } from './schema/version-words.ts';
import { mendSecurityScheme } from './security/scheme.ts';

/** The rules for an object of OpenAPI, to be used in this order before its members are looked at. */
export function rulesOf(name: string): readonly Rule[] {
  return rules.get(name) ?? [];
}

/** The rules for an object of OpenAPI whose members all are what they should be. */
export function laterRulesOf(name: string): readonly Rule[] {
  return laterRules.get(name) ?? [];
}

const rules: ReadonlyMap<string, readonly Rule[]> = new Map<string, readonly Rule[]>([
  ['Paths', [mendPaths]],
  ['PathItem', [mendPathItem]],
  ['Operation', [mendBodyParameters, mendOperation]],
  ['Parameter', [mendParameter, mendExamples]],
  ['Header', [mendHeader, mendExamples]],
  ['RequestBody', [mendBody]],
  ['Response', [mendBody]],
  ['Responses', [mendResponses]],
  ['MediaType', [mendMediaType]],
  ['Example', [mendExample]],
  ['SecurityScheme', [mendSecurityScheme]],
  [
    'Schema',
    [
      mendBranchCount,
      mendPatternCount,
      mendVersionWords,
      mendType,
      mendRequired,
      mendSchemaExamples,
      mendEnum,
    ],
  ],
]);

const laterRules: ReadonlyMap<string, readonly Rule[]> = new Map<string, readonly Rule[]>([
  ['Schema', [mendBranches, mendLimits, mendPatterns]],
]);
