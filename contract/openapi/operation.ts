import * as codec from '../json/codec.ts';
import { appendPointer } from '../json/pointer.ts';
import { isJsonArray, isJsonObject } from '../json/value.ts';
import { compileSecurity, keyNames, type Security } from './credential.ts';
import { isFieldName } from './header.ts';
import { compileParameters, type Parameter } from './parameter.ts';
import { withoutQuery } from './path-pattern.ts';
import { compileContent, type MediaType } from './media-type.ts';
import { compileResponses, type ResponseContract } from './response.ts';
import { type CompileContext, readExtension } from './compile-context.ts';
import { type DocumentNode, nodeAt } from '../source/node.ts';

export interface Operation extends Security {
  /** `operationId`, or `METHOD /path` without one. */
  readonly id: string;
  /** Upper case, except as written in `additionalOperations`: `GET`, `COPY`. */
  readonly method: string;
  /** Path template relative to the base path: `/pets/{petId}`. */
  readonly path: string;
  readonly pointer: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody: RequestBody | undefined;
  readonly responses: readonly ResponseContract[];
  readonly deprecation: Deprecation | undefined;
  /** False if no request can address it: only a query or fragment in its path distinguishes it. */
  readonly isAddressable: boolean;
}

export interface Deprecation {
  /** The day of its removal, `YYYY-MM-DD` (`x-sunset`); undefined for none. */
  readonly sunset: string | undefined;
  /** The day of its deprecation (`x-deprecated-since`); without one, there is no header. */
  readonly since: string | undefined;
  /** Id of the operation that replaces it (`x-successor`). */
  readonly successor: string | undefined;
}

export interface RequestBody {
  readonly required: boolean;
  readonly content: readonly MediaType[];
  readonly pointer: string;
}

/** A request sent by the service: a webhook, or a callback of an operation. */
export interface Webhook extends ReturnType<typeof compileRequest> {
  /** Its key in the document, with `-2` and so on if an earlier one has the same. */
  readonly name: string;
  /** Undefined for a webhook. */
  readonly callback: Callback | undefined;
}

interface Callback {
  /** Id of the operation that it belongs to. */
  readonly operation: string;
  /** The address, with runtime expressions: `{$request.body#/callbackUrl}`. */
  readonly expression: string;
}

/** All operations of the document, path by path, in its order. */
export function compileOperations(context: CompileContext): readonly Operation[] {
  const operations: Omit<Operation, 'isAddressable'>[] = [];
  let general: Security | undefined;
  const securityOf = (node: DocumentNode): Security =>
    node.get('security') === undefined
      ? (general ??= compileSecurity(context, context.root))
      : compileSecurity(context, node);
  for (const [path, item] of context.root.get('paths')?.entries() ?? [])
    for (const [method, node] of path.startsWith('/') ? listMethods(item) : []) {
      const request = compileRequest(context, item, node, method);
      const security = securityOf(node);
      // Some documents describe a key that each request needs as a parameter, too, which does not
      // say what keys are valid.
      const isKey = ({ in: place, name }: Parameter): boolean =>
        security.security.length > 0 &&
        security.security.every((all) =>
          keyNames({ security: [all] }, place).some(
            (one) =>
              one === name || (place === 'header' && one.toLowerCase() === name.toLowerCase()),
          ),
        );
      operations.push({
        id: node.text('operationId') ?? `${method} ${path}`,
        path,
        ...request,
        // Paths that share a path item may name their parameters differently.
        parameters: request.parameters.filter(
          (one) => !isKey(one) && (one.in !== 'path' || path.includes(`{${one.name}}`)),
        ),
        responses: compileResponses(context, node),
        ...security,
        deprecation: compileDeprecation(context, node),
      });
    }
  const unaddressable = listUnaddressable(operations);
  for (const { path } of unaddressable)
    context.issues.report(
      'unreachable-operation',
      appendPointer('#/paths', path),
      `${path} is not a path`,
      'Describe it together with the others of this path, or add a required header or query parameter with one value, because a path has no query or fragment: the mock chooses one of them, and the suite sends no request to it.',
    );
  return operations.map((operation) => ({
    ...operation,
    isAddressable: !unaddressable.has(operation),
  }));
}

/** The webhooks of the document, then the callbacks of its operations, in its order. */
export function compileWebhooks(
  context: CompileContext,
  operations: readonly Operation[],
): readonly Webhook[] {
  const { root } = context;
  const names = new Set<string>();
  const webhooks: Webhook[] = [];
  const add = (key: string, item: DocumentNode, callback?: Callback): void => {
    for (const [method, node] of listMethods(item)) {
      let name = key;
      for (let count = 2; names.has(name); count += 1) name = `${key}-${count}`;
      names.add(name);
      webhooks.push({ name, ...compileRequest(context, item, node, method), callback });
    }
  };
  for (const [key, item] of root.get('webhooks')?.entries() ?? []) add(key, item);
  for (const { id, pointer } of operations)
    for (const [key, paths] of nodeAt(root, pointer)?.get('callbacks')?.entries() ?? [])
      for (const [expression, item] of paths.entries())
        if (!expression.startsWith('x-')) add(key, item, { operation: id, expression });
  return webhooks;
}

/**
 * Methods whose bodies have no meaning (RFC 9110 section 9.3) and that many clients send without one: no
 * body is required.
 */
const bodiless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'TRACE']);

/** The parts of an operation that describe its requests. */
function compileRequest(
  context: CompileContext,
  item: DocumentNode,
  operation: DocumentNode,
  method: string,
) {
  const body = operation.get('requestBody');
  const required = body?.flag('required') === true && !bodiless.has(method);
  return {
    method,
    pointer: operation.pointer,
    summary: operation.text('summary') ?? item.text('summary') ?? '',
    description: operation.text('description') ?? item.text('description') ?? '',
    parameters: compileParameters(context, item, operation),
    requestBody: body && {
      required,
      content: compileContent(context, body),
      pointer: body.pointer,
    },
  };
}

/** Members of a path item that are operations; all others are in `additionalOperations`. */
export const methods: readonly string[] =
  'get put post delete options head patch trace query'.split(' ');

/**
 * Whether HTTP defines no use for a request body with this method (RFC 9110 sections 9.3.1, 9.3.2, 9.3.7
 * and 9.3.8): servers may ignore it.
 */
export function isContentIgnored(method: string): boolean {
  return ['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method);
}

/** The operations of a path item by method, in its order, then the additional ones. */
export function listMethods(item: DocumentNode): ReadonlyMap<string, DocumentNode> {
  const found = new Map<string, DocumentNode>();
  for (const [name, node] of item.entries())
    if (methods.includes(name)) found.set(name.toUpperCase(), node);
  for (const [name, node] of item.get('additionalOperations')?.entries() ?? [])
    if (isFieldName(name) && !found.has(name)) found.set(name, node);
  return found;
}

/** The required headers and query parameters whose schema allows only one text. */
export function listConstants({ parameters }: Pick<Operation, 'parameters'>) {
  const constants: { in: 'header' | 'query'; name: string; value: string }[] = [];
  for (const { in: place, name, required, schema } of parameters) {
    if (!required || (place !== 'header' && place !== 'query')) continue;
    const [value, ...others] = schema.shape().values ?? [];
    if (value === undefined || value === null || others.length > 0) continue;
    if (!isJsonObject(value) && !isJsonArray(value))
      constants.push({ in: place, name, value: `${value}` });
  }
  return constants;
}

/**
 * The operations that no request can address: their paths have a query or a fragment, and no constant
 * parameter, such as `X-Amz-Target` or `Action`, distinguishes them from others with the same path.
 */
function listUnaddressable<T extends Pick<Operation, 'method' | 'path' | 'parameters'>>(
  operations: readonly T[],
): ReadonlySet<T> {
  const found = new Set<T>();
  const routes = Map.groupBy(
    operations.filter(({ path }) => withoutQuery(path) !== path),
    (operation) => {
      const real = withoutQuery(operation.path).replaceAll(/\{[^{}]*\}/g, '{}');
      return JSON.stringify([operation.method, real, listConstants(operation)]);
    },
  );
  for (const rivals of routes.values())
    for (const operation of rivals)
      if (rivals.length > 1 || listConstants(operation).length === 0) found.add(operation);
  return found;
}

const day = codec.refine(codec.text, isDay, 'a day, YYYY-MM-DD');

/** Reads `deprecated`, with `x-sunset`, `x-deprecated-since` and `x-successor`. */
function compileDeprecation(
  context: CompileContext,
  operation: DocumentNode,
): Deprecation | undefined {
  const isDeprecated = operation.flag('deprecated');
  const message = 'is ignored, because the operation is not `deprecated`';
  const read = (name: string, wanted: codec.Codec<string>): string | undefined => {
    const node = operation.get(name);
    if (node !== undefined && isDeprecated) return readExtension(context, node, wanted);
    if (node !== undefined) context.issues.report('ignored-member', node.pointer, message);
    return undefined;
  };
  const isKnown = (id: string): boolean =>
    (context.root.get('paths')?.entries() ?? []).some(([, item]) =>
      [...listMethods(item).values()].some((one) => one.text('operationId') === id),
    );
  const wanted = 'the operationId of an operation of this document';
  const found = {
    sunset: read('x-sunset', day),
    since: read('x-deprecated-since', day),
    successor: read('x-successor', codec.refine(codec.text, isKnown, wanted)),
  };
  return isDeprecated ? found : undefined;
}

function isDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
