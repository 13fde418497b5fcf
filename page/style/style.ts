import { tokens } from '../../view/tokens.ts';
import { conformanceStyle } from '../conformance/style.ts';
import { frameStyle } from './frame.ts';

/** The style of the page, as one file. */
export const pageStyle = [tokens, frameStyle, conformanceStyle].join('\n');
