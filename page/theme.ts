import { applyTheme, readTheme } from './session/theme.ts';

// Before anything is drawn, so that no other theme flashes up.
applyTheme(readTheme());
