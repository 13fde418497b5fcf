export { mutants } from './mutants/index.ts';
export type { Mutant } from './subject/mutant.ts';
export { variants } from './variants/index.ts';
export type { Variant } from './subject/variant.ts';
export {
  createService,
  type RunningService,
  type Service,
  type Surroundings,
} from './service/service.ts';
