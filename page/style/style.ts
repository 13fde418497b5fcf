import { style } from '../../view/style.ts';
import { tokens } from '../../view/tokens.ts';
import { conformanceStyle } from './conformance.ts';
import { formStyle } from './form.ts';
import { frameStyle } from './frame.ts';
import { referenceSectionStyle } from './reference.ts';
import { requestsStyle } from './requests.ts';
import { sandboxesStyle } from './sandboxes.ts';
import { startStyle } from './start.ts';

/** The style of the page, as one file. */
export const pageStyle = [
  tokens,
  style,
  frameStyle,
  formStyle,
  startStyle,
  requestsStyle,
  sandboxesStyle,
  referenceSectionStyle,
  conformanceStyle,
].join('\n');
