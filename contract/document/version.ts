import type { DocumentIssue } from './issue.ts';
import { renderJson, type JsonObject } from '../json/value.ts';

/** Whether the document is OpenAPI 3.0 or 3.1. Empty: it is. */
export function listVersionIssues(document: JsonObject, source: string): readonly DocumentIssue[] {
  const { openapi, swagger } = document;
  if (swagger !== undefined)
    return [
      {
        source,
        pointer: '#/swagger',
        reason: `OpenAPI ${renderJson(swagger)} is not supported: convert the document to 3.0 or 3.1`,
      },
    ];
  if (openapi === undefined)
    return [{ source, pointer: '#', reason: 'it is no OpenAPI document: `openapi` is missing' }];
  if (typeof openapi === 'string' && /^3\.[01]\.\d+$/.test(openapi)) return [];
  return [
    {
      source,
      pointer: '#/openapi',
      reason: `OpenAPI ${renderJson(openapi)} is not supported, only 3.0.x and 3.1.x`,
    },
  ];
}
