import { type Exchange, headerOf } from '../../conformance/index.ts';
import {
  type Contract,
  type JsonObject,
  type JsonValue,
  compilePathMatch,
  isJsonArray,
  isJsonObject,
  parseJson,
  successResponse,
} from '../../contract/index.ts';

/** A condition of a cause, as the report has it. */
export type Told = JsonObject;

/**
 * Whether a condition holds for an exchange, by the wire and the document alone.
 *
 */
export function isMet(told: Told, exchange: Exchange, contract: Contract): boolean {
  const { request, intent, group } = exchange;
  const response = exchange.outcome.kind === 'answered' ? exchange.outcome.response : undefined;
  const name = textOf(told['name']);
  const hasBody = operationOf(exchange, contract)?.requestBody !== undefined;
  const sent = hasBody ? parse(request.body) : undefined;
  const members = isJsonObject(sent) ? sent : undefined;
  const query = new URLSearchParams(request.target.split('?')[1] ?? '');
  switch (textOf(told['kind'])) {
    case 'due':
      return dueOf(exchange, contract) === numberOf(told['status']);
    case 'way':
      return intent.kind === 'invalid' && intent.way === told['way'];
    case 'credential':
      return listOf(told['uses']).includes(request.credential);
    case 'header':
      return request.headers.some(
        ([each, value]) => each.toLowerCase() === name && value === told['value'],
      );
    case 'no-body':
      return hasBody && !request.body;
    case 'not-json':
      return hasBody && !!request.body && sent === undefined;
    case 'body':
      return sent !== undefined && !members && isOfClass(told['value'], sent);
    case 'not-object':
      return sent !== undefined && !members;
    case 'member':
      return (
        members !== undefined &&
        (Object.hasOwn(members, name) || namesOf(exchange, contract).has(name)) &&
        isOfClass(told['value'], members[name])
      );
    case 'member-is':
      return members?.[name] === told['text'];
    case 'member-invalid': {
      const value = members?.[name];
      const schema = namesOf(exchange, contract).get(name);
      return value !== undefined && schema !== undefined && schema.validate(value).length > 0;
    }
    case 'further-member':
      return Object.keys(members ?? {}).some(
        (each) => !namesOf(exchange, contract).has(each) && (name === '' || each === name),
      );
    case 'only-members':
      return members !== undefined && isSame(Object.keys(members), listOf(told['names']));
    case 'query':
      return query.getAll(name).some((text) => isOfClass(told['value'], readText(text)));
    case 'query-is':
      return query.getAll(name).includes(textOf(told['text']));
    case 'query-has':
      return query.has(name);
    case 'path':
      return (
        operationOf(exchange, contract)?.path.includes('{') === true &&
        isOfClass(told['value'], readText(inPath(exchange, contract)))
      );
    case 'same-time':
      return group !== undefined;
    case 'beyond':
      return intent.kind === 'beyond';
    case 'has-header':
      return response !== undefined && headerOf(response, name) !== undefined;
    case 'after':
      return exchange.index > numberOf(told['exchange']);
    case 'answered':
      return response !== undefined && isAnswered(response.status, textOf(told['with']));
    default:
      throw new RangeError(`the oracle does not know the condition ${textOf(told['kind'])}`);
  }
}

function isAnswered(status: number, words: string): boolean {
  if (status >= 500) return false;
  if (words === 'any') return true;
  if (words === 'errors') return status >= 400;
  return words === 'successes' ? status < 300 : status === Number(words);
}

/** The status that a request has to be answered; undefined where that is open. */
export function dueOf(exchange: Exchange, contract: Contract): number | undefined {
  const { intent } = exchange;
  if (intent.kind === 'invalid') return intent.status;
  if (intent.kind === 'absent') return 404;
  if (intent.kind === 'beyond') return contract.rateLimit?.status;
  const operation = operationOf(exchange, contract);
  const success = operation && successResponse(operation)?.status;
  return intent.kind === 'valid' && success !== undefined ? Number(success) : undefined;
}

function operationOf({ request }: Exchange, { operations }: Contract) {
  return operations.find(({ id }) => id === request.operation);
}

/** What stands in the path for its last parameter. */
function inPath(exchange: Exchange, contract: Contract): string {
  const operation = operationOf(exchange, contract);
  const [path = ''] = exchange.request.target.split('?');
  return (operation && compilePathMatch(operation.path, 0)(path))?.at(-1) ?? '';
}

/** The members that the document gives a body. */
function namesOf(exchange: Exchange, contract: Contract) {
  const content = operationOf(exchange, contract)?.requestBody?.content;
  return content?.find(({ schema }) => schema)?.schema?.shape().properties ?? new Map();
}

function parse(text: string | undefined): JsonValue | undefined {
  try {
    return text === undefined ? undefined : parseJson(text);
  } catch {
    return undefined;
  }
}

function readText(text: string): JsonValue {
  if (/^-?[0-9]{1,40}$/.test(text)) return BigInt(text);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function numberOf(value: JsonValue | undefined): number {
  return typeof value === 'bigint' || typeof value === 'number' ? Number(value) : Number.NaN;
}

export function numbersOf(value: JsonValue | undefined): readonly number[] {
  return value !== undefined && isJsonArray(value) ? value.map(numberOf) : [];
}

export function listOf(value: JsonValue | undefined): readonly string[] {
  return value !== undefined && isJsonArray(value) ? value.map(textOf) : [];
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}

const characters: Readonly<Record<string, RegExp>> = {
  nul: /\0/,
  surrogate: /\p{Surrogate}/u,
  control: /\p{Cc}/u,
  astral: /[\uD800-\uDBFF][\uDC00-\uDFFF]/,
  separator: /[\u2028\u2029]/,
  'non-ascii': /[^\0-\x7F]/,
  spaces: /^\s|\s$/,
  apostrophe: /'/,
  percent: /%/,
  quotation: /["\\]/,
  markup: /[<>&]/,
  digits: /^-?\d+(\.\d+)?$/,
};

const ranges: Readonly<Record<string, (value: bigint) => boolean>> = {
  zero: (value) => value === 0n,
  'over-64-bits': (value) => value >= 2n ** 63n || value < -(2n ** 63n),
  largest: (value) => value === 2n ** 63n - 1n,
  smallest: (value) => value === -(2n ** 63n),
  'over-double': (value) => value > 2n ** 53n || value < -(2n ** 53n),
  'over-32-bits': (value) => value >= 2n ** 31n || value < -(2n ** 31n),
  negative: (value) => value < 0n,
  'under-10': (value) => value > 0n && value < 10n,
};

function isOfClass(told: JsonValue | undefined, value: JsonValue | undefined): boolean {
  const name = textOf(told);
  if (name === 'missing') return value === undefined;
  if (name === 'null') return value === null;
  if (name === 'array') return value !== undefined && isJsonArray(value);
  if (name === 'object') return isJsonObject(value);
  if (name === 'boolean' || name === 'string') return typeof value === name;
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  if (name === 'number') return isNumber;
  if (name === 'fraction') return typeof value === 'number' && !Number.isInteger(value);
  if (name in ranges)
    return (
      isNumber &&
      (typeof value === 'bigint' || Number.isInteger(value)) &&
      ranges[name]?.(BigInt(value)) === true
    );
  if (typeof value !== 'string') return false;
  if (name === 'empty') return value === '';
  if (name.startsWith('over-')) return value.length > Number(name.slice('over-'.length));
  const pattern = characters[name];
  if (pattern === undefined) throw new RangeError(`the oracle does not know the class ${name}`);
  return pattern.test(value);
}
