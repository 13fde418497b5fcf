import { style } from '../../view/style.ts';
import { tokens } from '../../view/tokens.ts';
import { conformanceStyle } from './conformance.ts';
import { frameStyle } from './frame.ts';
import { requestsStyle } from './requests.ts';
import { startStyle } from './start.ts';

/** The style of the page, as one file. */
export const pageStyle = [
  tokens,
  style,
  frameStyle,
  startStyle,
  requestsStyle,
  conformanceStyle,
].join('\n');
