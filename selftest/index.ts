export { changeMutants } from './mutants/change.ts';
export { mutants } from './mutants/index.ts';
export { createService, type Service } from './service/service.ts';
export type { Mutant, Variant } from './subject/subject.ts';
export { changeVariants } from './variants/change.ts';
export { variants } from './variants/index.ts';
