import type { KeywordCxt } from 'ajv';
import type { Keyword } from '../keyword.ts';

/** JSON Schema Core, section 10.2.2. In ajv, `if` evaluates members even where it fails, or has no `then`. */
export const condition: readonly Keyword[] = [
  { name: 'if', takes: 'schema', isInPlace: true, repair: () => ({ code }) },
  { name: 'then', takes: 'schema', isInPlace: true },
  { name: 'else', takes: 'schema', isInPlace: true },
];

/** `if` has no error of its own: `then` and `else` have said what is wrong. */
function code(context: KeywordCxt): void {
  const isFit = context.gen.name('_valid');
  const judged = context.subschema(
    { keyword: 'if', compositeRule: true, createErrors: false, allErrors: false },
    isFit,
  );
  context.reset();
  context.mergeValidEvaluated(judged, isFit);
  context.gen.if(isFit, clause(context, 'then'), clause(context, 'else'));
}

function clause(context: KeywordCxt, keyword: 'then' | 'else'): () => void {
  return () => {
    if (context.parentSchema[keyword] === undefined) return;
    const isFit = context.gen.name('_valid');
    context.mergeValidEvaluated(context.subschema({ keyword }, isFit), isFit);
  };
}
