import { documentLimits } from '../limits/index.ts';
import { messageOf } from '../source/contract-error.ts';
import type { JsonValue } from '../json/value.ts';
import type { CompiledSchema } from './compiler.ts';
import { readIssues } from './issue.ts';
import { type Issue, type SchemaJudgement, tooDeep } from './schema-node.ts';
import { StepsError } from './engine/steps.ts';

/** The schema could not be compiled, as was told then. */
export class UncompiledError extends Error {
  override readonly name = 'UncompiledError';
}

const fits: SchemaJudgement = { issues: [] };

/**
 * Judges by what is compiled at the first value. `tell` is told, once, that the compiled code
 * fails: such a schema judges nothing where it does.
 */
export function createJudge(
  compile: () => CompiledSchema,
  tell: (reason: string) => void,
): (value: JsonValue) => SchemaJudgement {
  let compiled: CompiledSchema | undefined;
  let isTold = false;
  const tellOnce = (reason: string): void => {
    if (!isTold) tell(reason);
    isTold = true;
  };
  return (value) => {
    compiled ??= compile();
    try {
      const errors = compiled.run(value);
      const others = compiled.runOtherwise(value);
      const issues = errors.length === 0 ? noIssues : readIssues(errors, compiled.origin);
      return others === undefined
        ? issues.length === 0
          ? fits
          : { issues }
        : {
            issues: keepCommon(issues, readIssues(others, compiled.origin)),
            undecided: { kind: 'pattern', reason: patternReason },
          };
    } catch (error) {
      if (error instanceof StepsError) {
        tellOnce(`${error.message}: its references lead to one value in many ways`);
        return { issues: noIssues, undecided: { kind: 'steps', reason: error.message } };
      }
      // The value, which need not come from `parseJson`, is nested beyond the stack.
      if (error instanceof RangeError)
        return { issues: noIssues, undecided: { kind: 'depth', reason: tooDeep.message } };
      const reason = messageOf(error);
      if (!(error instanceof UncompiledError)) tellOnce(`cannot be judged by: ${reason}`);
      return { issues: noIssues, undecided: { kind: 'schema', reason: schemaReason } };
    }
  };
}

const noIssues: readonly Issue[] = [];

const patternReason = `has a text that takes more than ${documentLimits.patternSteps.most} steps to be matched with its pattern`;

const schemaReason = 'is of a schema that cannot be compiled, which `petstore lint` tells';

/**
 * Issues that are found whether or not the texts match that no pattern could judge. Of several such
 * texts some may match and others not: what counts, or chooses, among schemas is left out.
 */
function keepCommon(issues: readonly Issue[], others: readonly Issue[]): readonly Issue[] {
  const found = new Set(others.map(placeOf));
  return issues.filter((issue) => found.has(placeOf(issue)) && !weighs(issue));
}

function weighs({ keyword, schemaPointer }: Issue): boolean {
  return weighing.test(keyword) || /\/(then|else)(\/|$)/.test(schemaPointer);
}

const weighing = /^(anyOf|oneOf|not|if|contains|minContains|maxContains|unevaluated.*)$/;

function placeOf({ at, keyword, schemaPointer }: Issue): string {
  return JSON.stringify([at, keyword, schemaPointer]);
}
