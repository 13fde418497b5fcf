import type { DiagnosticLog } from '../diagnostic-log.ts';
import { appendPointer } from '../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { removeMember, setMember } from '../../json/edit.ts';
import { createConversion, forEachMember, mediaTypes, type Conversion } from './conversion.ts';
import { convertBody, convertParameter, convertParameters } from './parameter.ts';
import { convertResponse } from './response.ts';
import { convertSchema } from './schema.ts';
import { convertSecurity } from './security.ts';
import { wordOf } from '../../json/word.ts';

/** Whether a document is of version 2.0. */
export function isSwagger({ swagger, openapi }: JsonObject): boolean {
  return openapi === undefined && /^2\b/.test(wordOf(swagger));
}

/** Turns a document of version 2.0 into one of 3.0, in place; origins stay those of the text. */
export function convertSwagger(document: JsonObject, log: DiagnosticLog): void {
  log.inTerms = inSwaggerTerms;
  const conversion = createConversion(document, log);
  convertPaths(conversion);
  convertComponents(conversion);
  convertReferences(document);
  const { host, basePath = '', schemes } = document;
  if (host !== undefined || basePath !== '')
    setMember(document, 'servers', serversOf(host, basePath, mediaTypes(schemes)));
  for (const name of ['swagger', 'host', 'basePath', 'schemes', 'consumes', 'produces'])
    removeMember(document, name);
  setMember(document, 'openapi', '3.0.4');
}

function serversOf(
  host: JsonValue | undefined,
  basePath: JsonValue,
  schemes: readonly string[] = ['https'],
): readonly JsonValue[] {
  if (host === undefined) return [{ url: wordOf(basePath) }];
  return schemes.map((scheme) => ({ url: `${scheme}://${wordOf(host)}${wordOf(basePath)}` }));
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

function convertPaths(conversion: Conversion): void {
  forEachMember(conversion.document['paths'], '#/paths', (item, at) => {
    if (!isJsonObject(item)) return;
    const list = appendPointer(at, 'parameters');
    const shared = convertParameters(conversion, item['parameters'], list, conversion.consumes);
    if (isJsonArray(item['parameters'])) setMember(item, 'parameters', shared.parameters);
    for (const method of methods) {
      const operation = item[method];
      if (isJsonObject(operation))
        convertOperation(conversion, operation, appendPointer(at, method), shared.requestBody);
    }
  });
}

function convertOperation(
  conversion: Conversion,
  operation: JsonObject,
  pointer: string,
  sharedBody: JsonObject | undefined,
): void {
  const consumes = mediaTypes(operation['consumes']) ?? conversion.consumes;
  const produces = mediaTypes(operation['produces']) ?? conversion.produces;
  const list = appendPointer(pointer, 'parameters');
  const own = convertParameters(conversion, operation['parameters'], list, consumes);
  if (isJsonArray(operation['parameters'])) setMember(operation, 'parameters', own.parameters);
  const requestBody = own.requestBody ?? sharedBody;
  if (requestBody !== undefined) setMember(operation, 'requestBody', requestBody);
  forEachMember(operation['responses'], appendPointer(pointer, 'responses'), (response, at) =>
    convertResponse(conversion, response, at, produces),
  );
  for (const name of ['consumes', 'produces', 'schemes']) removeMember(operation, name);
}

function convertComponents(conversion: Conversion): void {
  const { document } = conversion;
  const { definitions, parameters, responses } = document;
  const components: JsonObject = {};
  const add = (name: string, value: JsonValue | undefined, pointer: string): void => {
    if (!isJsonObject(value)) return;
    conversion.moveFrom(value, pointer);
    setMember(components, name, value);
  };
  forEachMember(definitions, '#/definitions', convertSchema);
  add('schemas', definitions, '#/definitions');
  const bodies: JsonObject = {};
  forEachMember(parameters, '#/parameters', (parameter, at, name) => {
    if (!isJsonObject(parameter) || !isJsonObject(parameters)) return;
    const { in: place } = parameter;
    if (place === 'body')
      setMember(bodies, name, convertBody(conversion, parameter, at, conversion.consumes));
    if (place === 'body' || place === 'formData') removeMember(parameters, name);
    else convertParameter(conversion, parameter, at);
  });
  add('parameters', parameters, '#/parameters');
  if (Object.keys(bodies).length > 0) setMember(components, 'requestBodies', bodies);
  forEachMember(responses, '#/responses', (response, at) =>
    convertResponse(conversion, response, at, conversion.produces),
  );
  add('responses', responses, '#/responses');
  convertSecurity(document['securityDefinitions']);
  add('securitySchemes', document['securityDefinitions'], '#/securityDefinitions');
  for (const name of ['definitions', 'parameters', 'responses', 'securityDefinitions'])
    removeMember(document, name);
  setMember(document, 'components', components);
}

const moved = [
  ['#/definitions/', '#/components/schemas/'],
  ['#/parameters/', '#/components/parameters/'],
  ['#/responses/', '#/components/responses/'],
] as const;

const renamed = [
  ['#/components/schemas/', '#/definitions/'],
  ['#/components/parameters/', '#/parameters/'],
  ['#/components/requestBodies/', '#/parameters/'],
  ['#/components/responses/', '#/responses/'],
  ['components.securitySchemes', 'securityDefinitions'],
] as const;

/** A message about a converted document in the terms of version 2.0. */
function inSwaggerTerms(message: string): string {
  let text = message;
  for (const [from, to] of renamed) text = text.replaceAll(from, to);
  return text;
}

/** References to what has moved, anywhere in the document. */
function convertReferences(document: JsonObject): void {
  const pending: JsonValue[] = [document];
  const seen = new Set<JsonValue>();
  while (pending.length > 0) {
    const value = pending.pop() ?? null;
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    for (const member of Object.values(value))
      if (typeof member === 'object') pending.push(member ?? null);
    const reference = isJsonObject(value) ? value['$ref'] : undefined;
    if (typeof reference !== 'string') continue;
    const rule = moved.find(([from]) => reference.startsWith(from));
    if (rule !== undefined) setMember(value, '$ref', reference.replace(rule[0], rule[1]));
  }
}
