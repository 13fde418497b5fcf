import { ChoiceError, LimitError, SeedError } from '../../mock/index.ts';
import type { ToldError } from './command-failure.ts';

/** Errors of a mock that a person can put right. */
export const mockErrors: readonly ToldError[] = [SeedError, ChoiceError, LimitError];
