import { tokens } from '../../view/tokens.ts';
import { frameStyle } from './frame.ts';
import { referenceSectionStyle } from './reference.ts';
import { sandboxesStyle } from './sandboxes.ts';

/** The style of the page, as one file. */
export const pageStyle = [tokens, frameStyle, sandboxesStyle, referenceSectionStyle].join('\n');
