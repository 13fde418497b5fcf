import { type JSONPathQuery, jsonpath } from 'json-p3';
import { compareNumbers, isJsonArray, isJsonObject, type JsonValue } from '../../../json/value.ts';
import { matchesWhole, matchesWithin } from './match.ts';
import { type PathNode, rootNode, type Scope, type Walk } from './scope.ts';

const {
  BooleanLiteral,
  FilterQuery,
  FunctionExtension,
  InfixExpression,
  LogicalExpression,
  NullLiteral,
  NumberLiteral,
  PrefixExpression,
  RelativeQuery,
  StringLiteral,
} = jsonpath.expressions;

type FilterExpression = InstanceType<typeof jsonpath.expressions.FilterExpression>;

/** Whether a filter takes a value. */
type Test = (node: PathNode, scope: Scope) => boolean;

/** The value of an expression; undefined stands for the `Nothing` of RFC 9535. */
type Evaluate = (node: PathNode, scope: Scope) => JsonValue | undefined;

type CompileQuery = (query: JSONPathQuery) => Walk;

/** A filter that the package has parsed and found well typed (RFC 9535 section 2.3.5). */
export function compileFilter(expression: FilterExpression, compile: CompileQuery): Test {
  if (expression instanceof LogicalExpression) return compileFilter(expression.expression, compile);
  if (expression instanceof PrefixExpression) {
    const test = compileFilter(expression.right, compile);
    return (node, scope) => !test(node, scope);
  }
  if (expression instanceof InfixExpression) return compileInfix(expression, compile);
  if (expression instanceof FilterQuery) {
    const walk = compileNodes(expression, compile);
    return (node, scope) => walk(node, scope, () => true);
  }
  if (expression instanceof FunctionExtension) return compileMatch(expression, compile);
  throw unknown(expression);
}

function compileInfix(
  { left, operator, right }: { left: FilterExpression; operator: string; right: FilterExpression },
  compile: CompileQuery,
): Test {
  if (operator === '&&' || operator === '||') {
    const [one, other] = [compileFilter(left, compile), compileFilter(right, compile)];
    return operator === '&&'
      ? (node, scope) => one(node, scope) && other(node, scope)
      : (node, scope) => one(node, scope) || other(node, scope);
  }
  const compare = comparisons[operator];
  if (compare === undefined) throw new TypeError(`no operator: ${operator}`);
  const [one, other] = [compileValue(left, compile), compileValue(right, compile)];
  return (node, scope) => compare(one(node, scope), other(node, scope), scope);
}

/** RFC 9535 section 2.3.5.2.2. */
type Compare = (left: JsonValue | undefined, right: JsonValue | undefined, scope: Scope) => boolean;

/** As `jsonEquals`, a step for each value that is compared. */
const equals: Compare = (left, right, scope) => {
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
    return (
      left === right || (isNumber(left) && isNumber(right) && compareNumbers(left, right) === 0)
    );
  scope.spend(1);
  if (isJsonArray(left))
    return (
      isJsonArray(right) &&
      left.length === right.length &&
      left.every((item, index) => equals(item, right[index], scope))
    );
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const names = Object.keys(left);
  const count = Object.keys(right).length;
  scope.spend(names.length + count);
  return (
    names.length === count &&
    names.every((name) => Object.hasOwn(right, name) && equals(left[name], right[name], scope))
  );
};

const isLess: Compare = (left, right) => {
  if (typeof left === 'string') return typeof right === 'string' && left < right;
  return isNumber(left) && isNumber(right) && compareNumbers(left, right) < 0;
};

const comparisons: Readonly<Record<string, Compare>> = {
  '==': equals,
  '!=': (left, right, scope) => !equals(left, right, scope),
  '<': isLess,
  '>': (left, right, scope) => isLess(right, left, scope),
  '<=': (left, right, scope) => isLess(left, right, scope) || equals(left, right, scope),
  '>=': (left, right, scope) => isLess(right, left, scope) || equals(left, right, scope),
};

function isNumber(value: JsonValue | undefined): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** What a query in a filter selects, from the value that is filtered or from the document. */
function compileNodes(expression: FilterExpression, compile: CompileQuery): Walk {
  if (!(expression instanceof FilterQuery)) throw unknown(expression);
  const walk = compile(expression.path);
  return expression instanceof RelativeQuery
    ? (node, scope, visit) => walk(rootNode(node.value), scope, visit)
    : (_node, scope, visit) => walk(rootNode(scope.root), scope, visit);
}

function compileValue(expression: FilterExpression, compile: CompileQuery): Evaluate {
  if (expression instanceof NullLiteral) return () => null;
  if (
    expression instanceof BooleanLiteral ||
    expression instanceof NumberLiteral ||
    expression instanceof StringLiteral
  ) {
    const { value } = expression;
    return () => value;
  }
  if (expression instanceof FilterQuery) return compileSingle(expression, compile);
  if (expression instanceof FunctionExtension) return compileFunction(expression, compile);
  throw unknown(expression);
}

/** The value of the one node that a query selects; nothing where it selects none, or more. */
function compileSingle(expression: FilterExpression, compile: CompileQuery): Evaluate {
  const walk = compileNodes(expression, compile);
  return (node, scope) => {
    const found: JsonValue[] = [];
    walk(node, scope, ({ value }) => found.push(value) > 1);
    return found.length === 1 ? found[0] : undefined;
  };
}

interface Call {
  readonly name: string;
  readonly args: readonly FilterExpression[];
}

/** RFC 9535 sections 2.4.4, 2.4.5 and 2.4.8. */
function compileFunction({ name, args: [subject] }: Call, compile: CompileQuery): Evaluate {
  if (subject !== undefined && name === 'value') return compileSingle(subject, compile);
  if (subject !== undefined && name === 'count') {
    const walk = compileNodes(subject, compile);
    return (node, scope) => {
      let count = 0;
      walk(node, scope, () => {
        count += 1;
        return false;
      });
      return count;
    };
  }
  if (subject === undefined || name !== 'length') throw new TypeError(`no function: ${name}`);
  const evaluate = compileValue(subject, compile);
  return (node, scope) => measureLength(evaluate(node, scope), scope);
}

function measureLength(value: JsonValue | undefined, { spend }: Scope): number | undefined {
  if (typeof value === 'string') {
    spend(value.length >>> 4);
    return value.length - (value.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0);
  }
  if (isJsonArray(value)) return value.length;
  if (!isJsonObject(value)) return undefined;
  const { length } = Object.keys(value);
  spend(length);
  return length;
}

/** RFC 9535 sections 2.4.6 and 2.4.7. */
function compileMatch({ name, args: [subject, pattern] }: Call, compile: CompileQuery): Test {
  const matches = name === 'match' ? matchesWhole : matchesWithin;
  if (subject === undefined || pattern === undefined || !['match', 'search'].includes(name))
    throw new TypeError(`no function: ${name}`);
  const [text, source] = [compileValue(subject, compile), compileValue(pattern, compile)];
  return (node, scope) => matches(text(node, scope), source(node, scope), scope);
}

function unknown(expression: FilterExpression): TypeError {
  return new TypeError(`an expression that RFC 9535 does not have: ${expression.constructor.name}`);
}
