export { mutantFamilies, mutants } from './mutants/index.ts';
export type { Mutant } from './subject/mutant.ts';
export { variantFamilies, variants } from './variants/index.ts';
export type { Variant } from './subject/variant.ts';
export { createService, type Service } from './service/service.ts';
export { changeMutants, changeVariants } from './changes/index.ts';
