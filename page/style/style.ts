import { tokens } from '../../view/tokens.ts';
import { frameStyle } from './frame.ts';

/** The style of the page, as one file. */
export const pageStyle = [tokens, frameStyle].join('\n');
