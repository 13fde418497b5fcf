import { testVariants } from '../testing/variant-tests.ts';

testVariants('order');
