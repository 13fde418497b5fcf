import { testVariants } from '../testing/variant-tests.ts';

testVariants('body-rule');
