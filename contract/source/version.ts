import type { DocumentIssue } from './issue.ts';
import { renderJson, type JsonObject } from '../json/value.ts';

/** Whether the document is OpenAPI 2.0 to 3.2. Empty: it is. */
export function listVersionIssues(document: JsonObject, source: string): readonly DocumentIssue[] {
  const { openapi, swagger } = document;
  const issue = (pointer: string, reason: string) => [{ source, pointer, reason }];
  if (swagger === '2.0' && openapi === undefined) return [];
  if (swagger !== undefined)
    return issue('#/swagger', `OpenAPI ${renderJson(swagger)} is not supported, only "2.0"`);
  if (openapi === undefined) return issue('#', 'it is no OpenAPI document: `openapi` is missing');
  if (typeof openapi === 'string' && /^3\.[012]\.\d+$/.test(openapi)) return [];
  const reason = `OpenAPI ${renderJson(openapi)} is not supported, only 2.0, 3.0.x, 3.1.x and 3.2.x`;
  return issue('#/openapi', reason);
}
