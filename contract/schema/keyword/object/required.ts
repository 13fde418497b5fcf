import type { CodeKeywordDefinition, KeywordCxt } from 'ajv';
import type { SchemaEngine } from '../../engine/engine.ts';
import type { Keyword } from '../keyword.ts';
import { renderShort } from '../wording.ts';

/** JSON Schema Validation, sections 6.5.3 and 6.5.4. */
export const required: readonly Keyword[] = [
  { name: 'required', takes: 'names', facet: 'required', message: () => 'is required' },
  {
    name: 'dependentRequired',
    takes: 'names-map',
    repair: repairDependents,
    message: ({ params }) => `is required beside ${renderShort(String(params.property))}`,
  },
];

/** ajv's has code for each name, and names all others in the error of each. */
function repairDependents({ _ }: SchemaEngine): Partial<CodeKeywordDefinition> {
  return {
    error: {
      message: '',
      params: ({ params: { property, missingProperty } }) =>
        _`{property: ${property}, missingProperty: ${missingProperty}}`,
    },
    code: (context: KeywordCxt) => {
      const { gen, data } = context;
      const lists: readonly (readonly [string, unknown])[] = Object.entries(context.schema);
      const asked = gen.scopeValue('func', { ref: lists });
      gen.forOf('asked', asked, (entry) => {
        const [property, names] = [_`${entry}[0]`, _`${entry}[1]`];
        gen.if(_`Object.hasOwn(${data}, ${property})`, () => {
          gen.forOf('name', names, (missingProperty) => {
            gen.if(_`!Object.hasOwn(${data}, ${missingProperty})`, () => {
              context.setParams({ property, missingProperty });
              context.error();
            });
          });
        });
      });
    },
  };
}
