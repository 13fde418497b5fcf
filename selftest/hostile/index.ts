import { framingKinds } from './framing.ts';
import { sizeKinds } from './size.ts';

export const allKinds = [...framingKinds, ...sizeKinds];
